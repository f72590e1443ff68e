import type { Migration } from './migration.ts';

// People, and everything by which they prove who they are. What belongs to an account goes with its row.
export const accounts: Migration = {
  up({ types: { text, int } }) {
    const owner = `${text} NOT NULL REFERENCES users (id) ON DELETE CASCADE`;
    const client = `${text} NOT NULL REFERENCES oauth_clients (client_id) ON DELETE CASCADE`;
    const session = `${text} REFERENCES sessions (id) ON DELETE SET NULL`;
    return [
      `CREATE TABLE users (
        id ${text} PRIMARY KEY, name ${text} NOT NULL, email ${text} NOT NULL UNIQUE,
        email_verified ${int} NOT NULL, image ${text}, created_at ${text} NOT NULL, updated_at ${text} NOT NULL,
        disabled_at ${text})`,
      `CREATE TABLE sessions (
        id ${text} PRIMARY KEY, user_id ${owner}, token ${text} NOT NULL UNIQUE, ip_address ${text},
        user_agent ${text}, created_at ${text} NOT NULL, updated_at ${text} NOT NULL, expires_at ${text} NOT NULL)`,
      'CREATE INDEX sessions_by_user ON sessions (user_id)',
      'CREATE INDEX sessions_by_expiry ON sessions (expires_at)',
      `CREATE TABLE identities (
        id ${text} PRIMARY KEY, user_id ${owner}, provider_id ${text} NOT NULL, account_id ${text} NOT NULL,
        password ${text}, access_token ${text}, refresh_token ${text}, id_token ${text}, scope ${text},
        access_token_expires_at ${text}, refresh_token_expires_at ${text},
        created_at ${text} NOT NULL, updated_at ${text} NOT NULL, UNIQUE (provider_id, account_id))`,
      'CREATE INDEX identities_by_user ON identities (user_id)',
      `CREATE TABLE verifications (
        id ${text} PRIMARY KEY, identifier ${text} NOT NULL, value ${text} NOT NULL,
        created_at ${text} NOT NULL, updated_at ${text} NOT NULL, expires_at ${text} NOT NULL)`,
      'CREATE INDEX verifications_by_identifier ON verifications (identifier)',
      'CREATE INDEX verifications_by_expiry ON verifications (expires_at)',
      `CREATE TABLE api_keys (
        id ${text} PRIMARY KEY, user_id ${owner}, name ${text} NOT NULL, start ${text} NOT NULL,
        key_hash ${text} NOT NULL UNIQUE, enabled ${int} NOT NULL, expires_at ${text}, last_used_at ${text},
        created_at ${text} NOT NULL)`,
      'CREATE INDEX api_keys_by_user ON api_keys (user_id, created_at, id)',
      `CREATE TABLE jwks (
        id ${text} PRIMARY KEY, public_key ${text} NOT NULL, private_key ${text} NOT NULL, alg ${text}, crv ${text},
        created_at ${text} NOT NULL, expires_at ${text})`,
      `CREATE TABLE device_codes (
        id ${text} PRIMARY KEY, device_code ${text} NOT NULL UNIQUE, user_code ${text} NOT NULL UNIQUE,
        user_id ${text} REFERENCES users (id) ON DELETE CASCADE, client_id ${text}, scope ${text},
        status ${text} NOT NULL, last_polled_at ${text}, polling_interval ${int}, ip_address ${text},
        expires_at ${text} NOT NULL)`,
      'CREATE INDEX device_codes_by_user ON device_codes (user_id)',
      'CREATE INDEX device_codes_by_expiry ON device_codes (expires_at)',
      `CREATE TABLE oauth_clients (
        id ${text} PRIMARY KEY, client_id ${text} NOT NULL UNIQUE, client_secret ${text}, client_discovery_id ${text},
        disabled ${int}, skip_consent ${int}, enable_end_session ${int}, subject_type ${text}, scopes ${text},
        client_credentials_scopes ${text}, user_id ${text} REFERENCES users (id) ON DELETE SET NULL,
        created_at ${text}, updated_at ${text}, name ${text}, uri ${text}, icon ${text}, contacts ${text}, tos ${text},
        policy ${text}, software_id ${text}, software_version ${text}, software_statement ${text},
        redirect_uris ${text} NOT NULL, post_logout_redirect_uris ${text}, backchannel_logout_uri ${text},
        backchannel_logout_session_required ${int}, token_endpoint_auth_method ${text}, application_type ${text},
        jwks ${text}, jwks_uri ${text}, grant_types ${text}, response_types ${text}, require_pkce ${int},
        dpop_bound_access_tokens ${int}, reference_id ${text}, metadata ${text},
        by_operator ${int} NOT NULL DEFAULT 0, last_used_at ${text})`,
      'CREATE INDEX oauth_clients_by_user ON oauth_clients (user_id)',
      'CREATE INDEX oauth_clients_by_use ON oauth_clients (last_used_at) WHERE by_operator = 0',
      `CREATE TABLE oauth_resources (
        id ${text} PRIMARY KEY, identifier ${text} NOT NULL UNIQUE, name ${text} NOT NULL, access_token_ttl ${int},
        refresh_token_ttl ${int}, signing_algorithm ${text}, signing_key_id ${text}, allowed_scopes ${text},
        custom_claims ${text}, dpop_bound_access_tokens_required ${int}, disabled ${int}, created_at ${text},
        updated_at ${text}, policy_version ${int}, metadata ${text})`,
      `CREATE TABLE oauth_client_resources (
        id ${text} PRIMARY KEY, client_id ${client},
        resource_id ${text} NOT NULL REFERENCES oauth_resources (identifier) ON DELETE CASCADE,
        metadata ${text}, created_at ${text})`,
      'CREATE INDEX oauth_client_resources_by_client ON oauth_client_resources (client_id)',
      'CREATE INDEX oauth_client_resources_by_resource ON oauth_client_resources (resource_id)',
      `CREATE TABLE oauth_refresh_tokens (
        id ${text} PRIMARY KEY, token ${text} NOT NULL UNIQUE, client_id ${client}, user_id ${owner},
        session_id ${session}, reference_id ${text}, authorization_code_id ${text}, resources ${text},
        requested_user_info_claims ${text}, scopes ${text} NOT NULL, auth_time ${text}, confirmation ${text},
        revoked ${text}, rotated_at ${text}, rotation_replay_response ${text}, rotation_replay_expires_at ${text},
        created_at ${text} NOT NULL, expires_at ${text} NOT NULL)`,
      'CREATE INDEX oauth_refresh_tokens_by_grant ON oauth_refresh_tokens (client_id, user_id)',
      'CREATE INDEX oauth_refresh_tokens_by_user ON oauth_refresh_tokens (user_id)',
      'CREATE INDEX oauth_refresh_tokens_by_session ON oauth_refresh_tokens (session_id)',
      'CREATE INDEX oauth_refresh_tokens_by_code ON oauth_refresh_tokens (authorization_code_id)',
      'CREATE INDEX oauth_refresh_tokens_by_expiry ON oauth_refresh_tokens (expires_at)',
      `CREATE TABLE oauth_access_tokens (
        id ${text} PRIMARY KEY, token ${text} NOT NULL UNIQUE, client_id ${client},
        user_id ${text} REFERENCES users (id) ON DELETE CASCADE, session_id ${session},
        refresh_id ${text} REFERENCES oauth_refresh_tokens (id) ON DELETE CASCADE,
        reference_id ${text}, authorization_code_id ${text}, resources ${text}, requested_user_info_claims ${text},
        scopes ${text} NOT NULL, confirmation ${text}, revoked ${text},
        created_at ${text} NOT NULL, expires_at ${text} NOT NULL)`,
      'CREATE INDEX oauth_access_tokens_by_client ON oauth_access_tokens (client_id)',
      'CREATE INDEX oauth_access_tokens_by_user ON oauth_access_tokens (user_id)',
      'CREATE INDEX oauth_access_tokens_by_session ON oauth_access_tokens (session_id)',
      'CREATE INDEX oauth_access_tokens_by_refresh ON oauth_access_tokens (refresh_id)',
      'CREATE INDEX oauth_access_tokens_by_code ON oauth_access_tokens (authorization_code_id)',
      `CREATE TABLE oauth_consents (
        id ${text} PRIMARY KEY, client_id ${client}, user_id ${text} REFERENCES users (id) ON DELETE CASCADE,
        reference_id ${text}, resources ${text}, requested_user_info_claims ${text}, scopes ${text} NOT NULL,
        created_at ${text} NOT NULL, updated_at ${text} NOT NULL)`,
      'CREATE INDEX oauth_consents_by_client ON oauth_consents (client_id, user_id)',
      'CREATE INDEX oauth_consents_by_user ON oauth_consents (user_id)',
      // Access tokens are not stored; those of a grant in this list are refused until they would have expired anyway.
      `CREATE TABLE oauth_revoked_grants (id ${text} PRIMARY KEY, expires_at ${text} NOT NULL)`,
      'CREATE INDEX oauth_revoked_grants_by_expiry ON oauth_revoked_grants (expires_at)',
      `CREATE TABLE operator_sessions (
        id_hash ${text} PRIMARY KEY, token_id ${text} REFERENCES api_tokens (id) ON DELETE CASCADE,
        created_at ${text} NOT NULL, last_used_at ${text} NOT NULL, expires_at ${text} NOT NULL)`,
      'CREATE INDEX operator_sessions_by_expiry ON operator_sessions (expires_at)',
    ];
  },
};

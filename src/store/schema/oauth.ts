// Row types of the authorization server, written by the sign-in library: apps, their grants and the keys that sign tokens.
// What the library stores as lists or objects is JSON text.
import type { AuthMethod } from '../../contract/oauth-client.ts';
import type { JsonText } from '../json-text.ts';

export interface OAuthTables {
  jwks: SigningKeyRow;
  device_codes: DeviceCodeRow;
  oauth_clients: OAuthClientRow;
  oauth_resources: OAuthResourceRow;
  oauth_client_resources: OAuthClientResourceRow;
  oauth_refresh_tokens: OAuthRefreshTokenRow;
  oauth_access_tokens: OAuthAccessTokenRow;
  oauth_consents: OAuthConsentRow;
  oauth_revoked_grants: OAuthRevokedGrantRow;
}

export interface DeviceCodeRow {
  id: string;
  device_code: string;
  user_code: string;
  user_id: string | null;
  client_id: string | null;
  scope: string | null;
  status: string;
  last_polled_at: string | null;
  // Milliseconds.
  polling_interval: number | null;
  // The address that the device asked from.
  ip_address: string | null;
  expires_at: string;
}

export interface OAuthClientRow {
  id: string;
  client_id: string;
  client_secret: string | null;
  client_discovery_id: string | null;
  disabled: number | null;
  skip_consent: number | null;
  enable_end_session: number | null;
  subject_type: string | null;
  scopes: JsonText<string[]> | null;
  client_credentials_scopes: string | null;
  user_id: string | null;
  created_at: string | null;
  updated_at: string | null;
  name: string | null;
  uri: string | null;
  icon: string | null;
  contacts: string | null;
  tos: string | null;
  policy: string | null;
  software_id: string | null;
  software_version: string | null;
  software_statement: string | null;
  redirect_uris: JsonText<string[]>;
  post_logout_redirect_uris: JsonText<string[]> | null;
  backchannel_logout_uri: string | null;
  backchannel_logout_session_required: number | null;
  token_endpoint_auth_method: AuthMethod | null;
  application_type: string | null;
  jwks: string | null;
  jwks_uri: string | null;
  grant_types: JsonText<string[]> | null;
  response_types: JsonText<string[]> | null;
  require_pkce: number | null;
  dpop_bound_access_tokens: number | null;
  reference_id: string | null;
  metadata: string | null;
  // Apps made by an operator are not deleted when they are unused.
  by_operator: number;
  last_used_at: string | null;
}

interface OAuthResourceRow {
  id: string;
  identifier: string;
  name: string;
  access_token_ttl: number | null;
  refresh_token_ttl: number | null;
  signing_algorithm: string | null;
  signing_key_id: string | null;
  allowed_scopes: string | null;
  custom_claims: string | null;
  dpop_bound_access_tokens_required: number | null;
  disabled: number | null;
  created_at: string | null;
  updated_at: string | null;
  policy_version: number | null;
  metadata: string | null;
}

interface OAuthClientResourceRow {
  id: string;
  client_id: string;
  resource_id: string;
  metadata: string | null;
  created_at: string | null;
}

export interface OAuthRefreshTokenRow {
  id: string;
  token: string;
  client_id: string;
  user_id: string;
  session_id: string | null;
  reference_id: string | null;
  // The hash of the code that began the grant; all tokens of a grant share it.
  authorization_code_id: string | null;
  resources: string | null;
  requested_user_info_claims: string | null;
  scopes: JsonText<string[]>;
  auth_time: string | null;
  confirmation: string | null;
  revoked: string | null;
  rotated_at: string | null;
  rotation_replay_response: string | null;
  rotation_replay_expires_at: string | null;
  created_at: string;
  expires_at: string;
}

interface OAuthAccessTokenRow {
  id: string;
  token: string;
  client_id: string;
  user_id: string | null;
  session_id: string | null;
  refresh_id: string | null;
  reference_id: string | null;
  authorization_code_id: string | null;
  resources: string | null;
  requested_user_info_claims: string | null;
  scopes: JsonText<string[]>;
  confirmation: string | null;
  revoked: string | null;
  created_at: string;
  expires_at: string;
}

interface OAuthConsentRow {
  id: string;
  client_id: string;
  user_id: string | null;
  reference_id: string | null;
  resources: string | null;
  requested_user_info_claims: string | null;
  scopes: JsonText<string[]>;
  created_at: string;
  updated_at: string;
}

interface OAuthRevokedGrantRow {
  id: string;
  expires_at: string;
}

interface SigningKeyRow {
  id: string;
  public_key: string;
  // Encrypted with the service's secret.
  private_key: string;
  alg: string | null;
  crv: string | null;
  created_at: string;
  // When the key stops signing; it is published for a while longer.
  expires_at: string | null;
}

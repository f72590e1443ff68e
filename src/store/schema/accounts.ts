// Row types of accounts: who they are, how they prove it, and what they follow. Sessions, identities and verifications are
// written by the sign-in library.
import type { UserKeyScope } from '../../contract/account.ts';
import type { CredentialBound } from '../../contract/caller.ts';
import type { PrincipalType } from '../../contract/token.ts';
import type { JsonText } from '../json-text.ts';

export interface AccountTables {
  api_tokens: ApiTokenRow;
  users: UserRow;
  sessions: SessionRow;
  identities: IdentityRow;
  verifications: VerificationRow;
  api_keys: ApiKeyRow;
  operator_sessions: OperatorSessionRow;
  follows: FollowRow;
  feed_tokens: FeedTokenRow;
  address_changes: AddressChangeRow;
  known_devices: KnownDeviceRow;
}

export interface UserRow {
  id: string;
  name: string;
  email: string;
  email_verified: number;
  image: string | null;
  created_at: string;
  updated_at: string;
  disabled_at: string | null;
}

interface SessionRow {
  id: string;
  user_id: string;
  token: string;
  ip_address: string | null;
  user_agent: string | null;
  created_at: string;
  updated_at: string;
  expires_at: string;
}

// A way to sign in: a password (provider `credential`) or an account with another service.
interface IdentityRow {
  id: string;
  user_id: string;
  provider_id: string;
  account_id: string;
  password: string | null;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  scope: string | null;
  access_token_expires_at: string | null;
  refresh_token_expires_at: string | null;
  created_at: string;
  updated_at: string;
}

// Short-lived proofs: reset links, authorization codes, states of a sign-in with another service.
interface VerificationRow {
  id: string;
  identifier: string;
  value: string;
  created_at: string;
  updated_at: string;
  expires_at: string;
}

// A former address of an account, and the hash of the link that brings it back.
interface AddressChangeRow {
  token_hash: string;
  user_id: string;
  former_email: string;
  created_at: string;
  expires_at: string;
}

// A browser that has signed in to an account, by the hash of its cookie.
interface KnownDeviceRow {
  user_id: string;
  device_hash: string;
  last_used_at: string;
}

export interface ApiKeyRow {
  id: string;
  user_id: string;
  name: string;
  // The first characters, by which the owner recognizes the key.
  start: string;
  key_hash: string;
  scope: UserKeyScope;
  enabled: number;
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
}

export interface ApiTokenRow {
  id: string;
  lookup_id: string;
  secret_hash: string;
  name: string;
  scopes: JsonText<string[]>;
  principal_type: PrincipalType;
  principal_id: string | null;
  revoked_at: string | null;
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
  created_by: string;
  bound_type: CredentialBound['type'] | null;
  bound_id: string | null;
}

// Null token: opened with the root key, of which there is a fingerprint instead.
interface OperatorSessionRow {
  id_hash: string;
  token_id: string | null;
  root_fingerprint: string | null;
  created_at: string;
  last_used_at: string;
  expires_at: string;
}

interface FollowRow {
  user_id: string;
  target_type: string;
  target_id: string;
  created_at: string;
}

// The secret is encrypted and not hashed, because its owner may read the address again.
export interface FeedTokenRow {
  user_id: string;
  lookup_id: string;
  secret: string;
  created_at: string;
  last_used_at: string | null;
  // Hash of the document that was sent last, and when it changed.
  content_hash: string | null;
  modified_at: string | null;
}

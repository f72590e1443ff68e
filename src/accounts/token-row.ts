import { SCOPES, type Scope } from '../contract/caller.ts';
import type { TokenRow } from '../contract/token.ts';
import { parseJson } from '../store/json-text.ts';
import type { ApiTokenRow } from '../store/schema/accounts.ts';

export function isActive(row: Pick<ApiTokenRow, 'revoked_at' | 'expires_at'>, at: Date): boolean {
  return row.revoked_at === null && (row.expires_at === null || row.expires_at > at.toISOString());
}

// An unknown scope grants nothing.
export function scopesOf(row: Pick<ApiTokenRow, 'scopes'>): Scope[] {
  const stored: unknown = parseJson(row.scopes);
  return Array.isArray(stored) ? SCOPES.filter((scope) => stored.includes(scope)) : [];
}

export function toTokenRow(row: ApiTokenRow, at: Date): TokenRow {
  return {
    id: row.id,
    lookupId: row.lookup_id,
    name: row.name,
    scopes: scopesOf(row),
    principalType: row.principal_type,
    principalId: row.principal_id,
    active: isActive(row, at),
    revokedAt: row.revoked_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
    createdBy: row.created_by,
  };
}

// The form of a machine token and what its row grants. A token is `relk_`, 12 characters to look it up by, `_`, and a
// secret of 32 of which only a hash is stored.
import { type Caller, SCOPES, type Scope } from '../contract/caller.ts';
import type { TokenRow } from '../contract/token.ts';
import { randomBase62 } from '../domain/secret-text.ts';
import { parseJson } from '../store/json-text.ts';
import type { ApiTokenRow } from '../store/schema/accounts.ts';

const FORM = /^relk_(?<lookup>[0-9A-Za-z]{12})_(?<secret>[0-9A-Za-z]{32})$/;

export const MACHINE_PREFIX = 'relk_';

interface MachineToken {
  lookup: string;
  secret: string;
}

export function mintMachineToken(randomBytes: (size: number) => Uint8Array): MachineToken {
  return { lookup: randomBase62(12, randomBytes), secret: randomBase62(32, randomBytes) };
}

export function writeMachineToken({ lookup, secret }: MachineToken): string {
  return `${MACHINE_PREFIX}${lookup}_${secret}`;
}

export function readMachineToken(bearer: string): MachineToken | null {
  const { lookup, secret } = FORM.exec(bearer)?.groups ?? {};
  return lookup && secret ? { lookup, secret } : null;
}

export function isActive(row: Pick<ApiTokenRow, 'revoked_at' | 'expires_at'>, at: Date): boolean {
  return row.revoked_at === null && (row.expires_at === null || row.expires_at > at.toISOString());
}

// An unknown scope grants nothing.
function scopesOf(row: Pick<ApiTokenRow, 'scopes'>): Scope[] {
  const stored: unknown = parseJson(row.scopes);
  return Array.isArray(stored) ? SCOPES.filter((scope) => stored.includes(scope)) : [];
}

// A bound token holds its scope within its bound alone, and reads elsewhere.
export function tokenHolder(row: ApiTokenRow): Caller {
  const scope = highestScope(row);
  const caller: Caller = { kind: 'token', name: row.name, scope, tokenId: row.id, ip: '' };
  if (row.bound_type === null || row.bound_id === null) return caller;
  return { ...caller, scope: 'read', bound: { type: row.bound_type, id: row.bound_id, scope } };
}

function highestScope(row: Pick<ApiTokenRow, 'scopes'>): Scope | null {
  const held = scopesOf(row);
  return SCOPES.findLast((scope) => held.includes(scope)) ?? null;
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
    bound: row.bound_type && row.bound_id ? { type: row.bound_type, id: row.bound_id } : null,
  };
}

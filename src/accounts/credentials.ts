// Who stands behind a Bearer value. It is classified by its form before the database is asked anything.
import { type Context, queries } from '../context.ts';
import { type Caller, SCOPES, type Scope } from '../contract/caller.ts';
import type { ApiTokenRow } from '../store/schema.ts';
import { digest, MACHINE_PREFIX, readMachineToken, sameDigest } from './machine-token.ts';
import { isActive, scopesOf } from './token-row.ts';

const USE_NOTED_EVERY_MS = 60_000;
const NOBODY = digest('no token has this secret');

const ROOT: Caller = { kind: 'root', name: 'root', scope: 'admin', tokenId: null, ip: '' };

export interface Credentials {
  identify(bearer: string): Promise<Caller | null>;
  // Waits for the notes of use that are still being written.
  settle(): Promise<void>;
}

export function createCredentials(ctx: Context, rootKey: string | null): Credentials {
  const rootDigest = rootKey === null ? null : digest(rootKey);
  const use = createUseNotes(ctx);
  return {
    async identify(bearer) {
      if (rootDigest !== null && sameDigest(digest(bearer), rootDigest)) return ROOT;
      if (!bearer.startsWith(MACHINE_PREFIX)) return null;
      const row = await verifyMachineToken(ctx, bearer);
      if (row === null) return null;
      use.note(row);
      return { kind: 'token', name: row.name, scope: highestScope(row), tokenId: row.id, ip: '' };
    },
    settle: use.settle,
  };
}

async function verifyMachineToken(ctx: Context, bearer: string): Promise<ApiTokenRow | null> {
  const token = readMachineToken(bearer);
  if (token === null) return null;
  const row = await queries(ctx)
    .selectFrom('api_tokens')
    .selectAll()
    .where('lookup_id', '=', token.lookup)
    .executeTakeFirst();
  // An unknown token costs the same comparison as a known one.
  const matches = sameDigest(digest(token.secret), row?.secret_hash ?? NOBODY);
  return row && matches && isActive(row, ctx.clock()) ? row : null;
}

function highestScope(row: ApiTokenRow): Scope | null {
  const held = scopesOf(row);
  return SCOPES.findLast((scope) => held.includes(scope)) ?? null;
}

// A request never waits for the note of its credential's use, nor fails with it.
function createUseNotes(ctx: Context) {
  const notedAt = new Map<string, number>();
  const writing = new Set<Promise<void>>();

  async function write(id: string, at: Date): Promise<void> {
    try {
      await ctx.store.transaction(
        (tx) => tx.updateTable('api_tokens').set({ last_used_at: at.toISOString() }).where('id', '=', id).execute(),
        'bookkeeping',
      );
    } catch (error) {
      ctx.log.warn({ err: error, tokenId: id }, 'use of a token could not be noted');
    }
  }

  return {
    note(row: ApiTokenRow): void {
      const at = ctx.clock();
      const last = Math.max(notedAt.get(row.id) ?? 0, row.last_used_at === null ? 0 : Date.parse(row.last_used_at));
      if (at.getTime() - last < USE_NOTED_EVERY_MS) return;
      notedAt.set(row.id, at.getTime());
      const note = write(row.id, at).finally(() => writing.delete(note));
      writing.add(note);
    },
    async settle(): Promise<void> {
      await Promise.all(writing);
    },
  };
}

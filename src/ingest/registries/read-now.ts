// A package that is read while its operator waits.
import { sql } from 'kysely';
import { type Context, now, transact } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import type { PackageReading } from '../../contract/package-reading.ts';
import { type Ecosystem, normalizePackageName, packageKey } from '../../domain/published-package.ts';
import { addressOf, registryAddresses } from './addresses.ts';
import { readingOf } from './overview.ts';
import { readPackage } from './read-package.ts';

// One that was not known becomes known by it.
export async function readNow(ctx: Context, input: { ecosystem: Ecosystem; name: string }): Promise<PackageReading> {
  const named = { ecosystem: input.ecosystem, name: normalizePackageName(input.ecosystem, input.name) };
  const state = await wantPackage(ctx, { ...named, spelling: input.name });
  const registry = addressOf(await registryAddresses(ctx), state);
  if (!registry) throw notFound('package registry', state.registry ?? named.name);
  await readPackage(ctx, { state, registry });
  return readingOf(ctx, state.id);
}

// Somebody wants to know a package that no source may have. Its spelling counts where it was never listed.
async function wantPackage(
  ctx: Context,
  { ecosystem, name, spelling }: { ecosystem: Ecosystem; name: string; spelling: string },
) {
  const at = now(ctx);
  const id = packageKey({ ecosystem, name });
  return transact(
    ctx,
    async ({ tx }) => {
      await sql`INSERT INTO package_states (id, ecosystem, name, spelling, validators, outcome, next_read_at, wanted_at)
        VALUES (${id}, ${ecosystem}, ${name}, ${spelling.trim()}, 'null', 'never_read', ${at}, ${at})
        ON CONFLICT (id) DO UPDATE SET wanted_at = excluded.wanted_at,
          next_read_at = COALESCE(package_states.next_read_at, excluded.next_read_at),
          spelling = CASE WHEN package_states.listed_at IS NULL THEN excluded.spelling ELSE package_states.spelling END`.execute(
        tx,
      );
      return tx.selectFrom('package_states').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    },
    'derived',
  );
}

// What was learnt from a private registry goes with it. That its scope was private stays known, so that no other registry is
// told a name of it.

import { type RawBuilder, sql } from 'kysely';
import { forgetStackAnswers } from '../../accounts/stacks/forget-answers.ts';
import { type Context, now, queries, type WriteContext } from '../../context.ts';
import { packageKey, SCOPED_ECOSYSTEM } from '../../domain/ecosystems/index.ts';
import { PACKAGE_PARSER } from '../../domain/package-page.ts';
import { eraseSources } from '../../entities/sources/delete.ts';
import { inScope } from './addresses.ts';

export async function notePrivateScopes(ctx: WriteContext, scopes: Iterable<string>): Promise<void> {
  const rows = [...scopes].map((scope) => ({ scope, created_at: now(ctx) }));
  if (rows.length === 0) return;
  const insert = ctx.tx.insertInto('private_scopes').values(rows);
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
}

export async function notedScopes(ctx: Context): Promise<Set<string>> {
  const rows = await queries(ctx).selectFrom('private_scopes').select('scope').execute();
  return new Set(rows.map(({ scope }) => scope));
}

// Listings, comparisons, notes, and answers that are stored for accounts.
export async function forgetLearnt(ctx: WriteContext, scope: string): Promise<void> {
  await forgetPages(ctx, scope);
  for (const table of ['package_versions', 'evidence_pairs', 'evidence_orders'] as const) {
    await ctx.tx.deleteFrom(table).where(inScope(scope)).execute();
  }
  await ctx.tx.deleteFrom('evidence_ahead').where(hasKeyInScope('package_id', scope)).execute();
  await ctx.tx.deleteFrom('lookups').where(hasKeyInScope('coordinate', scope)).execute();
  await forgetStackAnswers(ctx, { packages: inScope(scope), admittedTo: null });
}

// Also which packages there are.
export async function forgetScope(ctx: WriteContext, scope: string): Promise<void> {
  await forgetLearnt(ctx, scope);
  await ctx.tx.deleteFrom('packages').where(inScope(scope)).execute();
  await ctx.tx.deleteFrom('package_states').where(inScope(scope)).execute();
}

function hasKeyInScope(column: string, scope: string): RawBuilder<boolean> {
  const start = packageKey({ ecosystem: SCOPED_ECOSYSTEM, name: `${scope}/` });
  return sql<boolean>`substr(${sql.ref(column)}, 1, ${sql.lit(start.length)}) = ${start}`;
}

// The notes inside of packages are stored as sources of their own.
async function forgetPages(ctx: WriteContext, scope: string): Promise<void> {
  const pages = await ctx.tx
    .selectFrom('sources')
    .select('id')
    .where('parser', '=', PACKAGE_PARSER)
    .where('is_hidden', '=', 1)
    .where('id', 'in', (eb) => eb.selectFrom('packages').select('source_id').where(inScope(scope)))
    .execute();
  await eraseSources(
    ctx,
    pages.map(({ id }) => id),
  );
}

// Who may see a package. Whatever is known of a package in the scope of a private registry is shown to machine tokens and
// to the accounts that the operator has admitted; for everybody else it does not exist. Every reader of package names asks
// here.
import { type RawBuilder, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { Caller } from '../../contract/caller.ts';
import { type PackageName, SCOPED_ECOSYSTEM, scopeOf } from '../../domain/ecosystems/index.ts';
import { ONE_PLAN } from '../../store/query-builder.ts';
import type { Queries } from '../../store/schema/index.ts';

// Held by whoever ends an admission, and by whoever stores what an account was shown because of one.
export const ADMISSIONS_LOCK = 'package admissions';

export interface PackageViewer {
  // Scopes of private registries.
  private: ReadonlySet<string>;
  // Those of them that this caller may not see.
  hidden: ReadonlySet<string>;
}

export async function packageViewer(ctx: Context): Promise<PackageViewer> {
  const scopes = await privateScopes(ctx);
  if (scopes.size === 0 || isMachine(ctx.caller)) return { private: scopes, hidden: new Set() };
  return { private: scopes, hidden: scopes.difference(await admittedScopes(ctx)) };
}

// All scopes that a private registry has or had: one that is no longer configured keeps its names to itself.
export async function privateScopes(ctx: Context): Promise<Set<string>> {
  return new Set([...ctx.config.packages.registries.keys(), ...(await storedScopes(queries(ctx)))]);
}

async function storedScopes(db: Queries): Promise<string[]> {
  const { rows } = await sql<{ scope: string }>`SELECT scope FROM private_scopes
    UNION SELECT scope FROM package_registries
    UNION SELECT DISTINCT registry FROM package_states WHERE registry IS NOT NULL ${ONE_PLAN}`.execute(db);
  return rows.map((row) => row.scope);
}

// A token that is bound to a part of the registry is given to somebody else than its operator.
function isMachine({ kind, bound }: Caller): boolean {
  return kind === 'root' || (kind === 'token' && bound === undefined) || kind === 'system';
}

async function admittedScopes(ctx: Context): Promise<Set<string>> {
  const userId = ctx.caller.account?.userId;
  if (userId === undefined) return new Set();
  const rows = await queries(ctx)
    .selectFrom('package_admissions')
    .select('scope')
    .where('user_id', '=', userId)
    .execute();
  return new Set(rows.map((row) => row.scope));
}

// The packages among these that the caller may see. An answer with a private one is for this caller alone.
export function seenPackages<T extends PackageName>(ctx: Context, viewer: PackageViewer, packages: readonly T[]): T[] {
  const seen = packages.filter((one) => !viewer.hidden.has(scopeOf(one) ?? ''));
  if (seen.some((one) => viewer.private.has(scopeOf(one) ?? ''))) ctx.answer.containsHidden = true;
  return seen;
}

// The same as a condition of a query; `alias` has the columns ecosystem and name.
export function seenPackage(hidden: ReadonlySet<string>, alias: string): RawBuilder<boolean> {
  const name = sql.ref(`${alias}.name`);
  const inScopes = [...hidden].map((scope) => sql`substr(${name}, 1, ${sql.lit(scope.length + 1)}) = ${`${scope}/`}`);
  if (inScopes.length === 0) return sql<boolean>`1 = 1`;
  return sql<boolean>`NOT (${sql.ref(`${alias}.ecosystem`)} = ${sql.lit(SCOPED_ECOSYSTEM)} AND (${sql.join(inScopes, sql` OR `)}))`;
}

// The packages among these that are in no private registry, for texts that are the same for all readers. Only names with a
// scope can be private.
export async function publicPackages<T extends PackageName>(
  ctx: Context,
  packages: readonly T[],
): Promise<readonly T[]> {
  if (packages.every(({ name }) => !name.startsWith('@'))) return packages;
  const viewer = await packageViewer(ctx);
  return packages.filter((one) => !viewer.private.has(scopeOf(one) ?? ''));
}

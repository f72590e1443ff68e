// Which registry has a package. A private one has a whole scope, and its token goes to the address that it was given for.
import { type RawBuilder, sql } from 'kysely';
import { type SealPurpose, unseal } from '../../accounts/sealing.ts';
import { type Context, queries } from '../../context.ts';
import { ECOSYSTEMS, type PackageName, SCOPED_ECOSYSTEM, scopeOf } from '../../domain/ecosystems/index.ts';
import { privateScopes } from '../../entities/packages/viewer.ts';
import type { RegistryAddress } from './contract.ts';

// The name of an ecosystem, or the scope of a private registry.
type RegistryId = string;

export function registryId({ ecosystem, scope }: Pick<RegistryAddress, 'ecosystem' | 'scope'>): RegistryId {
  return scope ?? ecosystem;
}

export interface RegistryAddresses {
  known: ReadonlyMap<RegistryId, RegistryAddress>;
  // Also of registries that are known no more.
  privateScopes: ReadonlySet<string>;
}

// All registries that are asked. What the environment names is not changed by a stored row.
export async function registryAddresses(ctx: Context): Promise<RegistryAddresses> {
  const { urls, registries } = ctx.config.packages;
  const found = ECOSYSTEMS.map((ecosystem): RegistryAddress => {
    return { ecosystem, scope: null, url: urls[ecosystem], token: null };
  });
  const rows = await queries(ctx).selectFrom('package_registries').selectAll().execute();
  const stored = new Map(rows.map((row) => [row.scope, row]));
  for (const scope of new Set([...registries.keys(), ...stored.keys()])) {
    const row = stored.get(scope);
    const url = registries.get(scope) ?? row?.url ?? '';
    const token = row?.url === url && row.token !== null ? openToken(ctx, row.scope, row.token) : null;
    found.push({ ecosystem: SCOPED_ECOSYSTEM, scope, url, token });
  }
  const known = new Map(found.map((one) => [registryId(one), one]));
  return { known, privateScopes: await privateScopes(ctx) };
}

// The rows of packages of a scope, in a query over one table with `ecosystem` and `name`.
export function inScope(scope: string): RawBuilder<boolean> {
  return sql<boolean>`ecosystem = ${sql.lit(SCOPED_ECOSYSTEM)} AND substr(name, 1, ${sql.lit(scope.length + 1)}) = ${`${scope}/`}`;
}

// Null for a package of a private registry that is not known any more: nobody else is told its name.
export function addressOf(
  { known, privateScopes }: RegistryAddresses,
  named: PackageName & { registry: string | null },
): RegistryAddress | null {
  const scope = scopeOf(named) ?? '';
  const scoped = known.get(scope);
  if (scoped) return scoped;
  return named.registry === null && !privateScopes.has(scope) ? (known.get(named.ecosystem) ?? null) : null;
}

// The token for an archive: only below the address that it was given for.
export function archiveToken({ token, url }: RegistryAddress, archiveUrl: string): string | null {
  const [base, asked] = [new URL(url), URL.parse(archiveUrl)];
  if (token === null || asked?.origin !== base.origin) return null;
  const folder = base.pathname.replace(/\/*$/, '/');
  const rest = asked.pathname.slice(folder.length);
  // Some servers decode a slash before they look where a path leads.
  const climbs = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?:$|[/\\]|%2f|%5c)/i.test(rest);
  return asked.pathname.startsWith(folder) && !climbs ? token : null;
}

export function tokenPurpose(scope: string): SealPurpose {
  return { info: 'package-registry/1', belongsTo: scope };
}

function openToken(ctx: Context, scope: string, sealed: string): string | null {
  const value = ctx.secrets === null ? null : unseal(ctx, tokenPurpose(scope), sealed);
  return value === null ? null : Buffer.from(value).toString();
}

// Which registry has a package. A private one has a whole scope, and its token goes to the address that it was given for.
import { type RawBuilder, sql } from 'kysely';
import { type SealPurpose, unseal } from '../../accounts/sealing.ts';
import { type Context, queries } from '../../context.ts';
import { scopeOf } from '../../domain/published-package.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import type { RegistryAddress } from './contract.ts';

// `npm`, `pypi`, or the scope of a private registry.
type RegistryId = string;

export function registryId({ ecosystem, scope }: Pick<RegistryAddress, 'ecosystem' | 'scope'>): RegistryId {
  return scope ?? ecosystem;
}

// All registries that are asked. What the environment names is not changed by a stored row.
export async function registryAddresses(ctx: Context): Promise<Map<RegistryId, RegistryAddress>> {
  const { npmUrl, pypiUrl, registries } = ctx.config.packages;
  const found: RegistryAddress[] = [
    { ecosystem: 'npm', scope: null, url: npmUrl, token: null },
    { ecosystem: 'pypi', scope: null, url: pypiUrl, token: null },
  ];
  const rows = await queries(ctx).selectFrom('package_registries').selectAll().execute();
  const stored = new Map(rows.map((row) => [row.scope, row]));
  for (const scope of new Set([...registries.keys(), ...stored.keys()])) {
    const row = stored.get(scope);
    const url = registries.get(scope) ?? row?.url ?? '';
    const token = row?.url === url && row.token !== null ? openToken(ctx, row.scope, row.token) : null;
    found.push({ ecosystem: 'npm', scope, url, token });
  }
  return new Map(found.map((one) => [registryId(one), one]));
}

// The rows of packages of a scope, in a query over one table with `ecosystem` and `name`.
export function inScope(scope: string): RawBuilder<boolean> {
  return sql<boolean>`ecosystem = 'npm' AND substr(name, 1, ${sql.lit(scope.length + 1)}) = ${`${scope}/`}`;
}

// Null for a package of a private registry that is not known any more: nobody else is told its name.
export function addressOf(
  addresses: ReadonlyMap<RegistryId, RegistryAddress>,
  named: PackageName & { registry: string | null },
): RegistryAddress | null {
  const scoped = addresses.get(scopeOf(named) ?? '');
  if (scoped) return scoped;
  return named.registry === null ? (addresses.get(named.ecosystem) ?? null) : null;
}

export function tokenPurpose(scope: string): SealPurpose {
  return { info: 'package-registry/1', belongsTo: scope };
}

function openToken(ctx: Context, scope: string, sealed: string): string | null {
  const value = ctx.secrets === null ? null : unseal(ctx, tokenPurpose(scope), sealed);
  return value === null ? null : Buffer.from(value).toString();
}

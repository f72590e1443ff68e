// What an operator sees: every registry with its state, and the packages with their last reading.

import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { PackageReading, PackageReadings, PackageRegistry } from '../../contract/package-reading.ts';
import { paginate } from '../../contract/pagination.ts';
import { SCOPED_ECOSYSTEM } from '../../domain/ecosystems/index.ts';
import type { Ecosystem, ListingOutcome } from '../../domain/published-package.ts';
import { containsFolded } from '../../entities/visible.ts';
import { type RegistryAddresses, registryAddresses } from './addresses.ts';
import type { RegistryAddress } from './contract.ts';
import { ofRegistry } from './due-packages.ts';

export async function listRegistries(ctx: Context): Promise<PackageRegistry[]> {
  const addresses = await registryAddresses(ctx);
  const stored = new Map(
    (await queries(ctx).selectFrom('package_registries').selectAll().execute()).map((row) => [row.scope, row]),
  );
  const admitted = await queries(ctx)
    .selectFrom('package_admissions as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.scope', 'u.id', 'u.email', 'u.email_verified'])
    .orderBy('u.email')
    .execute();
  const items: PackageRegistry[] = [];
  for (const address of [...addresses.known.values(), ...closedScopes(addresses)]) {
    const { scope, ecosystem, url, token } = address;
    const isFixed = scope !== null && ctx.config.packages.registries.has(scope);
    items.push({
      scope,
      ecosystem,
      url,
      origin: scope === null ? 'built_in' : isFixed ? 'environment' : url === '' ? 'removed' : 'operator',
      private: scope !== null,
      hasToken: token !== null,
      tokenHint: token === null ? null : (stored.get(scope ?? '')?.token_hint ?? null),
      ...(await figuresOf(ctx, address, addresses)),
      accounts: admitted
        .filter((one) => one.scope === scope)
        .map((one) => (one.email_verified === 1 ? one.email : one.id)),
    });
  }
  return items;
}

// Scopes whose registry is gone: asked for nowhere.
function closedScopes({ known, privateScopes }: RegistryAddresses): RegistryAddress[] {
  const closed = [...privateScopes].filter((scope) => !known.has(scope)).sort();
  return closed.map((scope) => ({ ecosystem: SCOPED_ECOSYSTEM, scope, url: '', token: null }));
}

type Figures = Pick<PackageRegistry, 'packages' | 'failing' | 'outcome' | 'reason' | 'failingSince' | 'answeredAt'>;

async function figuresOf(ctx: Context, address: RegistryAddress, addresses: RegistryAddresses): Promise<Figures> {
  const own = ofRegistry(address, addresses);
  const { rows } = await sql<{ packages: number; failing: number; answered: string | null }>`
    SELECT COUNT(*) AS packages, COUNT(failing_since) AS failing, MAX(listed_at) AS answered
    FROM package_states WHERE ${own}`.execute(queries(ctx));
  const last = await queries(ctx)
    .selectFrom('package_states')
    .select(['outcome', 'reason', 'failing_since'])
    .where(own)
    .where('checked_at', 'is not', null)
    .orderBy('checked_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    packages: Number(rows[0]?.packages ?? 0),
    failing: Number(rows[0]?.failing ?? 0),
    outcome: last?.outcome ?? null,
    reason: last?.reason ?? null,
    failingSince: last?.failing_since ?? null,
    answeredAt: rows[0]?.answered ?? null,
  };
}

interface ReadingsInput {
  q?: string;
  outcome?: ListingOutcome;
  failing?: boolean;
  ecosystem?: Ecosystem;
  page: number;
  limit: number;
}

const CURRENT_MS = 14 * 86_400_000;

export async function listReadings(ctx: Context, input: ReadingsInput): Promise<PackageReadings> {
  const rows = await readingRows(ctx, input)
    .select(READING_COLUMNS)
    .select(VERSION_COUNT)
    .orderBy('p.failing_since')
    .orderBy('p.id')
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
    .execute();
  const counted = await readingRows(ctx, input)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirst();
  const since = new Date(ctx.clock().getTime() - CURRENT_MS).toISOString();
  const totals = await sql<Record<keyof PackageReadings['totals'], number | null>>`SELECT COUNT(next_read_at) AS known,
      SUM(CASE WHEN listed_at >= ${since} THEN 1 ELSE 0 END) AS listed, COUNT(failing_since) AS failing,
      SUM(CASE WHEN next_read_at IS NOT NULL AND checked_at IS NULL THEN 1 ELSE 0 END) AS "neverRead" FROM package_states`.execute(
    queries(ctx),
  );
  const { known, listed, failing, neverRead } = totals.rows[0] ?? {};
  return {
    items: rows.map(toReading),
    pagination: paginate({ ...input, returned: rows.length, total: Number(counted?.total ?? 0) }),
    totals: {
      known: Number(known ?? 0),
      listed: Number(listed ?? 0),
      failing: Number(failing ?? 0),
      neverRead: Number(neverRead ?? 0),
    },
  };
}

const READING_COLUMNS = [
  'p.ecosystem',
  'p.name',
  'p.registry',
  'p.outcome',
  'p.reason',
  'p.failing_since as failingSince',
  'p.listed_at as listedAt',
  'p.checked_at as checkedAt',
  'p.next_read_at as nextReadAt',
  'p.latest',
] as const;

const VERSION_COUNT = sql<number>`(SELECT COUNT(*) FROM package_versions v
  WHERE v.ecosystem = p.ecosystem AND v.name = p.name)`.as('versions');

function readingRows(ctx: Context, { q, outcome, failing, ecosystem }: Omit<ReadingsInput, 'page' | 'limit'>) {
  let rows = queries(ctx).selectFrom('package_states as p');
  if (failing) rows = rows.where('p.failing_since', 'is not', null);
  if (outcome !== undefined) rows = rows.where('p.outcome', '=', outcome);
  if (ecosystem !== undefined) rows = rows.where('p.ecosystem', '=', ecosystem);
  if (q) rows = rows.where(containsFolded('p.name', q.toLowerCase()));
  return rows;
}

export async function readingOf(ctx: Context, id: string): Promise<PackageReading> {
  const row = await queries(ctx)
    .selectFrom('package_states as p')
    .select(READING_COLUMNS)
    .select(VERSION_COUNT)
    .where('p.id', '=', id)
    .executeTakeFirstOrThrow();
  return toReading(row);
}

function toReading(row: PackageReading): PackageReading {
  return { ...row, versions: Number(row.versions) };
}

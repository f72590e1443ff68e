// Which packages are known, and the jobs that read those that are due. Known are those that the package map has with a
// source that somebody wants to follow, those in a stack, and those that somebody has asked for.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { parseJson } from '../../store/json-text.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { JobOrder } from '../queue/job.ts';
import { addressOf, inScope, type RegistryAddresses, registryAddresses, registryId } from './addresses.ts';
import type { RegistryAddress } from './contract.ts';
import { notedScopes, notePrivateScopes } from './forget.ts';

// A source that an import has made, and that nobody has resumed since, makes nothing known.
const FOLLOWED = sql`s.deleted_at IS NULL AND NOT (s.fetch_priority = 'paused' AND s.last_fetched_at IS NULL)`;

const IN_MAP = sql<boolean>`EXISTS (SELECT 1 FROM packages m JOIN sources s ON s.id = m.source_id
  WHERE m.ecosystem = package_states.ecosystem AND m.name = package_states.name AND ${FOLLOWED})`;

const IN_STACK = sql<boolean>`EXISTS (SELECT 1 FROM stack_packages k
  WHERE k.ecosystem = package_states.ecosystem AND k.name = package_states.name)`;

// In a scope whose registry is gone, nothing is due.
function isWanted({ known, privateScopes }: RegistryAddresses): RawBuilder<boolean> {
  const closed = [...privateScopes].filter((scope) => !known.has(scope));
  const others = closed.map((scope) => sql` AND NOT (${inScope(scope)})`);
  const open = others.length > 0 ? sql.join(others, sql``) : sql``;
  return sql<boolean>`((wanted_at IS NOT NULL OR ${IN_MAP} OR ${IN_STACK})${open})`;
}

const MAX_ROWS = 2000;

// Writes down what has become known or unknown, and orders what is due. Returns how many packages are new.
export async function scheduleListings(ctx: Context): Promise<number> {
  const at = now(ctx);
  const addresses = await registryAddresses(ctx);
  const unnoted = new Set(ctx.config.packages.registries.keys()).difference(await notedScopes(ctx));
  const added = await transact(
    ctx,
    async (ctx) => {
      await notePrivateScopes(ctx, unnoted);
      const { numAffectedRows } = await sql`INSERT INTO package_states
        (id, ecosystem, name, spelling, validators, outcome, next_read_at)
        SELECT m.ecosystem || ':' || m.name, m.ecosystem, m.name, m.name, 'null', 'never_read', ${at}
        FROM packages m JOIN sources s ON s.id = m.source_id
        WHERE ${FOLLOWED} AND NOT EXISTS (SELECT 1 FROM package_states p WHERE p.ecosystem = m.ecosystem AND p.name = m.name)
        LIMIT ${sql.lit(MAX_ROWS)}
        ON CONFLICT DO NOTHING`.execute(ctx.tx);
      const stacked = await sql`INSERT INTO package_states
        (id, ecosystem, name, spelling, validators, outcome, next_read_at)
        SELECT DISTINCT k.ecosystem || ':' || k.name, k.ecosystem, k.name, k.name, 'null', 'never_read', ${at}
        FROM stack_packages k
        WHERE NOT EXISTS (SELECT 1 FROM package_states p WHERE p.ecosystem = k.ecosystem AND p.name = k.name)
        LIMIT ${sql.lit(MAX_ROWS)}
        ON CONFLICT DO NOTHING`.execute(ctx.tx);
      await follow(ctx, { at, wanted: isWanted(addresses) });
      return Number(numAffectedRows ?? 0) + Number(stacked.numAffectedRows ?? 0);
    },
    'bookkeeping',
  );
  const orders = await dueOrders(ctx, { at, addresses });
  if (orders.length > 0) await transact(ctx, (ctx) => order(ctx, orders), 'bookkeeping');
  return added;
}

interface Follow {
  at: string;
  wanted: RawBuilder<boolean>;
}

async function follow(ctx: WriteContext, { at, wanted }: Follow): Promise<void> {
  await sql`UPDATE package_states SET next_read_at = ${at}
    WHERE next_read_at IS NULL AND ${wanted}`.execute(ctx.tx);
  await sql`UPDATE package_states SET next_read_at = NULL
    WHERE next_read_at IS NOT NULL AND NOT ${wanted}`.execute(ctx.tx);
  // A package that has another source now is read in full, so that its versions find their releases.
  await sql`UPDATE package_states SET validators = 'null', next_read_at = ${at}
    WHERE listed_at IS NOT NULL AND validators <> 'null' AND EXISTS (SELECT 1 FROM packages m
      WHERE m.ecosystem = package_states.ecosystem AND m.name = package_states.name AND m.updated_at > listed_at)`.execute(
    ctx.tx,
  );
}

interface DueAt {
  at: string;
  addresses: RegistryAddresses;
}

async function dueOrders(ctx: Context, { at, addresses }: DueAt): Promise<JobOrder[]> {
  const orders: JobOrder[] = [];
  for (const address of addresses.known.values()) {
    const { rows } = await sql`SELECT 1 FROM package_states
      WHERE next_read_at <= ${at} AND ${ofRegistry(address, addresses)} LIMIT 1`.execute(ctx.store.read);
    if (rows.length > 0) orders.push(orderOf(address));
  }
  return orders;
}

// A job that runs looks for what is due before it ends, and a registry that asked to be left alone is not asked earlier
// because somebody wants to know.
async function order(ctx: WriteContext, orders: readonly JobOrder[]): Promise<void> {
  const rows = await ctx.tx
    .selectFrom('jobs')
    .select(['key', 'payload', 'lease_until'])
    .where(
      'key',
      'in',
      orders.map(({ key }) => key),
    )
    .execute();
  const at = now(ctx);
  const left = rows.filter(
    ({ payload, lease_until }) => (lease_until ?? '') > at || String(parseJson(payload).until ?? '') > at,
  );
  const waits = new Set(left.map(({ key }) => key));
  await enqueue(
    ctx,
    orders.filter(({ key }) => !waits.has(key)),
  );
}

const PREFIX = 'listings:';

function orderOf(address: RegistryAddress): JobOrder {
  return { key: `${PREFIX}${registryId(address)}`, kind: 'listings', host: new URL(address.url).host };
}

export function registryOfJob(key: string): string {
  return key.slice(PREFIX.length);
}

// The rows of packages that a registry has, in a query over `package_states`.
export function ofRegistry(
  { ecosystem, scope }: RegistryAddress,
  { privateScopes }: RegistryAddresses,
): RawBuilder<boolean> {
  if (scope !== null) return inScope(scope);
  // What a private registry had once is never asked for elsewhere.
  const others = [...privateScopes].map((one) => sql` AND NOT (${inScope(one)})`);
  return sql<boolean>`ecosystem = ${ecosystem} AND registry IS NULL${others.length > 0 ? sql.join(others, sql``) : sql``}`;
}

// A source has new releases: its packages are read at once.
export async function enqueueListings(ctx: WriteContext, sourceId: string): Promise<void> {
  const rows = await ctx.tx
    .selectFrom('package_states as p')
    .innerJoin('packages as m', (join) => join.onRef('m.ecosystem', '=', 'p.ecosystem').onRef('m.name', '=', 'p.name'))
    .select(['p.ecosystem', 'p.name', 'p.registry', 'p.next_read_at'])
    .where('m.source_id', '=', sourceId)
    .where('p.next_read_at', 'is not', null)
    .limit(MAX_ROWS)
    .execute();
  if (rows.length === 0) return;
  const addresses = await registryAddresses(ctx);
  const orders = rows.flatMap((row) => {
    const address = addressOf(addresses, row);
    return address ? [{ ...orderOf(address), dueAt: row.next_read_at ?? now(ctx) }] : [];
  });
  // The earliest of each registry comes last and stays.
  if (orders.length > 0) {
    await order(
      ctx,
      orders.sort((a, b) => (a.dueAt < b.dueAt ? 1 : -1)),
    );
  }
}

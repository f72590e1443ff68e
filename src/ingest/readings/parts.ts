// How each part of a reading is read, in the order in which it helps.

import { type Context, now, plainAnswer, transact } from '../../context.ts';
import { SYSTEM } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ReadingPart } from '../../contract/reading.ts';
import { ECOSYSTEM_WORDS, isComparedEcosystem, packageKey } from '../../domain/ecosystems/index.ts';
import { askerPriority } from '../../domain/readings/reading.ts';
import { evidenceOfRanges } from '../../packages/evidence/evidence-of-ranges.ts';
import { whatsChanged } from '../../packages/whats-changed/index.ts';
import type { EvidenceOrderRow } from '../../store/schema/evidence.ts';
import type { ReadingRow } from '../../store/schema/readings.ts';
import type { FetchTools } from '../adapters/adapter-context.ts';
import { type OrderTools, workOnOrder } from '../evidence/job.ts';
import { describePackage } from '../lookups/describe.ts';
import { remember } from '../lookups/remembered.ts';
import type { JobLease } from '../queue/job.ts';
import { registryAddresses } from '../registries/addresses.ts';
import { downloadRefusal } from './downloads.ts';
import { readNotesOf, repositoryOf } from './notes.ts';

export interface ReadingTools {
  lease: JobLease;
  signal: AbortSignal;
  model: FetchTools['model'];
  // Shows how far a part is.
  tell(part: ReadingPart): Promise<void>;
}

export interface PartResult extends Pick<ReadingPart, 'done' | 'of' | 'text'> {
  state: 'done' | 'nothing' | 'failed' | 'off';
  // Without it the other parts make no sense.
  ends?: true;
}

interface PartReader {
  part: ReadingPart['part'];
  text(row: ReadingRow): string;
  read(ctx: Context, row: ReadingRow, tools: ReadingTools): Promise<PartResult>;
}

export const READERS: readonly PartReader[] = [
  {
    part: 'listing',
    text: ({ ecosystem }) => `Reading its versions from ${ECOSYSTEM_WORDS[ecosystem]}`,
    read: readListing,
  },
  { part: 'comparison', text: () => 'Comparing the two packages', read: compareEnds },
  { part: 'notes', text: () => 'Looking for notes inside the package', read: readNotesOf },
  { part: 'repository', text: () => 'Looking for its repository', read: repositoryOf },
  { part: 'steps', text: () => 'Comparing the steps between', read: compareSteps },
];

async function readListing(ctx: Context, row: ReadingRow, { signal }: ReadingTools): Promise<PartResult> {
  const where = ECOSYSTEM_WORDS[row.ecosystem];
  const proof = await describePackage(ctx, row, signal);
  if (proof.verdict === 'refused') {
    // What the registry of a private scope says is no rule for others.
    await remember(ctx, packageKey(row), 'not_found');
    return { state: 'failed', text: `${where} has no package of this name`, ends: true };
  }
  if (proof.verdict === 'unreachable') return { state: 'failed', text: `${where} did not answer`, ends: true };
  await wantListed(ctx, row);
  return { state: 'done', text: `Its versions are read from ${where}` };
}

const AGAIN_MS = 24 * 3_600_000;

// Somebody wants to know it, so that it is read again by itself and may be compared.
async function wantListed(ctx: Context, { ecosystem, name }: ReadingRow): Promise<void> {
  const again = new Date(ctx.clock().getTime() + AGAIN_MS).toISOString();
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .updateTable('package_states')
        .set((eb) => ({ wanted_at: now(ctx), next_read_at: eb.fn.coalesce('next_read_at', eb.val(again)) }))
        .where('id', '=', packageKey({ ecosystem, name }))
        .execute(),
    'derived',
  );
}

// Comparisons of what is published, both ends first.

interface Ends {
  from: string;
  to: string;
}

// The versions that the question means, once the listing is known. Null when nothing lies between them.
async function endsOf(ctx: Context, row: ReadingRow): Promise<Ends | null> {
  const { ecosystem, from_version: from, to_version: to } = row;
  if (from === null || to === null) return null;
  const asked = { package: row.spelling, ecosystem, from, to };
  try {
    const { fromVersion, toVersion } = await whatsChanged(asService(ctx), asked);
    return fromVersion === null || toVersion === null || fromVersion === toVersion
      ? null
      : { from: fromVersion, to: toVersion };
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function asService(ctx: Context): Context {
  return { ...ctx, caller: SYSTEM, answer: plainAnswer() };
}

async function compareEnds(ctx: Context, row: ReadingRow, tools: ReadingTools): Promise<PartResult> {
  if (!isComparedEcosystem(row.ecosystem) || !ctx.config.evidence.on)
    return { state: 'off', text: 'Packages are not compared' };
  const ends = await endsOf(ctx, row);
  if (ends === null) return { state: 'nothing', text: 'Nothing to compare' };
  const before = await statusOfEnds(ctx, row, ends);
  if (before === 'pending') {
    const refused = await workOnRange(ctx, row, { ...tools, ends, most: 1 });
    if (refused !== null) return { state: 'failed', text: refused };
  }
  const status = before === 'pending' ? await statusOfEnds(ctx, row, ends) : before;
  const { from, to } = ends;
  if (status === 'compared' || status === 'no_types') return { state: 'done', text: `${from} and ${to} are compared` };
  return { state: status === 'pending' ? 'failed' : 'nothing', text: OTHER_ENDS[status] ?? 'They cannot be compared' };
}

const OTHER_ENDS: Record<string, string> = {
  pending: 'The packages could not be fetched',
  too_large: 'The packages are too large to be compared',
  not_available: 'One of the two versions cannot be had',
};

async function statusOfEnds(ctx: Context, { ecosystem, name }: ReadingRow, ends: Ends): Promise<string> {
  const [found] = await evidenceOfRanges(asService(ctx), [{ ecosystem, name, ...ends }]);
  return found?.evidence.status ?? 'not_available';
}

// Steps beyond this time are left to the job that compares everything else.
const STEPS_MS = 60_000;

async function compareSteps(ctx: Context, row: ReadingRow, tools: ReadingTools): Promise<PartResult> {
  if (!isComparedEcosystem(row.ecosystem) || !ctx.config.evidence.on)
    return { state: 'off', text: 'Packages are not compared' };
  const ends = await endsOf(ctx, row);
  // Asking orders what the range lacks.
  if (ends === null || (await statusOfEnds(ctx, row, ends)) === 'not_available') {
    return { state: 'nothing', text: 'Nothing to compare' };
  }
  const signal = AbortSignal.any([tools.signal, AbortSignal.timeout(STEPS_MS)]);
  let done = 0;
  for (;;) {
    const left = await ordersOfRange(ctx, row, ends);
    if (left.length === 0 || signal.aborted || (await givesWay(ctx, row))) return stepsResult(done, left.length);
    const of = done + left.length;
    await tools.tell({ part: 'steps', state: 'running', text: 'Comparing the steps between', done, of });
    if ((await workOnRange(ctx, row, { ...tools, signal, ends, most: 1 })) !== null)
      return stepsResult(done, left.length);
    done += 1;
  }
}

// What a list lacks is read of all its packages before the steps of one; the job that compares everything else has those.
async function givesWay(ctx: Context, { priority, id }: ReadingRow): Promise<boolean> {
  if (priority < askerPriority('list')) return false;
  const waiting = await ctx.store.read
    .selectFrom('readings')
    .select('id')
    .where('ended_at', 'is', null)
    .where('state', '=', 'waiting')
    .where('priority', '<=', priority)
    .where('id', '<>', id)
    .limit(1)
    .execute();
  return waiting.length > 0;
}

function stepsResult(done: number, left: number): PartResult {
  if (done + left === 0) return { state: 'nothing', text: 'No steps to compare' };
  const text = left === 0 ? 'The steps between are compared' : 'The other steps are compared later';
  return { state: 'done', text, done, of: done + left };
}

interface RangeWork extends ReadingTools {
  ends: Ends;
  most: number;
}

// Null, or why nothing was compared.
async function workOnRange(
  ctx: Context,
  row: ReadingRow,
  { ends, most, lease, signal }: RangeWork,
): Promise<string | null> {
  const refusal = await downloadRefusal(ctx, row);
  if (refusal !== null) return refusal;
  const addresses = await registryAddresses(ctx);
  const tools: OrderTools = { lease, signal, addresses, listings: new Map() };
  for (const order of (await ordersOfRange(ctx, row, ends)).slice(0, most)) {
    if (!(await holdOrder(ctx, order))) continue;
    const end = await workOnOrder(ctx, { ...order, anonymous: row.anonymous }, tools);
    if (end?.kind === 'later') return 'The packages could not be fetched';
  }
  return null;
}

function ordersOfRange(ctx: Context, { ecosystem, name }: ReadingRow, { from, to }: Ends): Promise<EvidenceOrderRow[]> {
  return ctx.store.read
    .selectFrom('evidence_orders')
    .selectAll()
    .where('ecosystem', '=', ecosystem)
    .where('name', '=', name)
    .where('range_from', '=', from)
    .where('range_to', '=', to)
    .where('due_at', '<=', now(ctx))
    .orderBy('priority')
    .orderBy('published_at', 'desc')
    .execute();
}

const HOLD_MS = 2 * 60_000;

// The job that compares everything else leaves it alone meanwhile.
async function holdOrder(ctx: Context, order: EvidenceOrderRow): Promise<boolean> {
  const due_at = new Date(ctx.clock().getTime() + HOLD_MS).toISOString();
  const held = await transact(
    ctx,
    ({ tx }) =>
      tx
        .updateTable('evidence_orders')
        .set({ due_at })
        .where('ecosystem', '=', order.ecosystem)
        .where('name', '=', order.name)
        .where('from_version', '=', order.from_version)
        .where('to_version', '=', order.to_version)
        .where('due_at', '=', order.due_at)
        .returning('name')
        .executeTakeFirst(),
    'bookkeeping',
  );
  return held !== undefined;
}

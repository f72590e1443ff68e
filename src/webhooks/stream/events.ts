// The events of a stream: where it begins and which events it carries. Events are read by number, which rises in commit
// order without gaps.

import { type Context, queries } from '../../context.ts';
import { badRequest } from '../../contract/errors.ts';
import { filtersMeaning, type MeaningFilter, passesMeaning } from '../../domain/meaning/passes-meaning.ts';
import { eventFacts } from '../../domain/webhooks/filters.ts';
import { resolveOrg, resolveProduct, resolveSourceByName } from '../../entities/resolve.ts';
import type { EventRow } from '../../store/schema/releases.ts';

export type StreamEvent = Pick<EventRow, 'id' | 'seq' | 'org_id' | 'product_id' | 'source_id' | 'payload'>;

// The number of the newest event, even if it is no longer stored; 0 before the first.
async function newestSeq(ctx: Context): Promise<number> {
  const row = await queries(ctx)
    .selectFrom('counters')
    .select('value')
    .where('name', '=', 'event_seq')
    .executeTakeFirst();
  return row?.value ?? 0;
}

async function oldestSeq(ctx: Context): Promise<number | null> {
  const row = await queries(ctx).selectFrom('events').select('seq').orderBy('seq').limit(1).executeTakeFirst();
  return row?.seq ?? null;
}

export function eventsAfter(ctx: Context, seq: number, limit: number): Promise<StreamEvent[]> {
  return queries(ctx)
    .selectFrom('events')
    .select(['id', 'seq', 'org_id', 'product_id', 'source_id', 'payload'])
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

interface Resume {
  // The id of the last event that the reader has seen.
  eventId?: string;
  // The number of that event; it counts when `eventId` is absent.
  since?: number;
}

export interface StreamStart {
  newest: number;
  // Events after this number are sent.
  after: number;
  // The reader has missed more events than can be sent, so the stream continues with new ones.
  gap: { since: number | null; oldestSeq: number } | null;
}

const MAX_BEHIND = 1000;

// The number after which a stream begins, and whether events were missed.
export async function streamStart(ctx: Context, { eventId, since }: Resume): Promise<StreamStart> {
  const named = eventId === undefined ? since : await seqOf(ctx, eventId);
  const oldest = await oldestSeq(ctx);
  // The newest number is read last, so that no number above is newer.
  const newest = await newestSeq(ctx);
  if (eventId === undefined && since === undefined) return { newest, after: newest, gap: null };
  const first = oldest ?? newest + 1;
  const reachable = named !== undefined && named + 1 >= first && named <= newest && newest - named <= MAX_BEHIND;
  if (reachable) return { newest, after: named, gap: null };
  return { newest, after: newest, gap: { since: named ?? null, oldestSeq: first } };
}

async function seqOf(ctx: Context, eventId: string): Promise<number | undefined> {
  const row = await queries(ctx).selectFrom('events').select('seq').where('id', '=', eventId).executeTakeFirst();
  return row?.seq;
}

interface StreamFilter {
  org?: string;
  product?: string;
  source?: string;
  type?: string;
}

export interface StreamScope {
  orgId: string | null;
  productId: string | null;
  sourceId: string | null;
  type: string | null;
  meaning: MeaningFilter;
}

// Names are resolved as in the feed of the latest releases; an unknown one is refused before the stream opens.
export async function streamScope(
  ctx: Context,
  { org, product, source, type }: StreamFilter,
): Promise<Omit<StreamScope, 'meaning'>> {
  if (source && org) throw badRequest('source', 'source and org exclude each other');
  return {
    productId: product ? (await resolveProduct(ctx, { prod: product }, { parameter: 'product' })).product.id : null,
    sourceId: source ? (await resolveSourceByName(ctx, source, 'source')).source.id : null,
    orgId: org ? (await resolveOrg(ctx, org, { parameter: 'org' })).id : null,
    type: type ?? null,
  };
}

export function isInScope(scope: StreamScope, event: StreamEvent): boolean {
  const { orgId, productId, sourceId, type, meaning } = scope;
  return (
    (orgId === null || orgId === event.org_id) &&
    (productId === null || productId === event.product_id) &&
    (sourceId === null || sourceId === event.source_id) &&
    (type === null || type === eventFacts(event.payload).type) &&
    (!filtersMeaning(meaning) || passesMeaning(meaning, eventFacts(event.payload)))
  );
}

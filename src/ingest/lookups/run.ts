// One lookup of one repository: stored source, check at the code host, new source.

import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import type { LookupStatus } from '../../contract/lookup-run.ts';
import { mayReadAgain } from '../../domain/fetching/on-demand.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import { isUnlisted, type SourceInOrg } from '../../entities/resolve.ts';
import { sourcesOfCoordinate } from '../../entities/sources/of-coordinate.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import type { Proof, Proofs } from '../adapters/proofs.ts';
import { requireNoTransaction } from '../outside-transaction.ts';
import type { AskedPackage } from './asked.ts';
import { createLookupSource, spendDaily } from './create-source.ts';
import { type Negative, recall, remember } from './remembered.ts';

export interface LookupFinding {
  status: LookupStatus;
  sourceId: string | null;
  // No answer comes from the code host at all, as in a network that it is not part of.
  isCutOff?: boolean;
}

export const NOT_FOUND: LookupFinding = { status: 'not_found', sourceId: null };

export async function runLookup(ctx: LookupContext, coordinate: string): Promise<LookupFinding> {
  const stored = await storedSource(ctx, coordinate);
  if (stored === 'hidden') return NOT_FOUND;
  const negative = await recall(ctx, coordinate);
  if (negative !== null) return { status: negative, sourceId: negative === 'empty' ? (stored?.id ?? null) : null };
  if (stored && (await hasReleases(ctx, stored.id))) return existing(ctx, stored);
  return askHost(ctx, coordinate, stored);
}

// A lookup reveals a hidden source to no caller.
export async function storedSource(ctx: Context, coordinate: string): Promise<SourceRow | 'hidden' | null> {
  const found = await sourcesOfCoordinate(ctx, coordinate);
  const shown = found.find((one) => one.visible) ?? found.find(isOnDemand);
  return shown?.source ?? (found.length > 0 ? 'hidden' : null);
}

export function isOnDemand({ source, org }: SourceInOrg): boolean {
  return isUnlisted(source) && (!org?.is_hidden || org.discovery === 'on_demand');
}

export async function hasReleases(ctx: LookupContext, sourceId: string): Promise<boolean> {
  const rows = queries(ctx).selectFrom('releases').select('id').where('source_id', '=', sourceId);
  return (await rows.where('suppressed', '=', 0).limit(1).executeTakeFirst()) !== undefined;
}

export async function existing(ctx: LookupContext, source: SourceRow): Promise<LookupFinding> {
  const stale = mayReadAgain(source.last_fetched_at, ctx.clock());
  await transact(
    ctx,
    async (inner) => {
      const stamp = { last_looked_up_at: now(ctx) };
      await inner.tx.updateTable('sources').set(stamp).where('id', '=', source.id).execute();
      if (stale) await ctx.lookups.refresh(inner, source);
    },
    'bookkeeping',
  );
  return { status: 'existing', sourceId: source.id };
}

async function askHost(ctx: LookupContext, coordinate: string, stored: SourceRow | null): Promise<LookupFinding> {
  requireNoTransaction(ctx);
  const sourceId = stored?.id ?? null;
  const proof = await ctx.lookups.repository(coordinate);
  if (proof.verdict === 'unreachable') {
    return { status: 'deferred', sourceId, isCutOff: proof.reason === 'unreachable' && !proof.status };
  }
  if (proof.verdict === 'refused') return settle(ctx, coordinate, { status: 'not_found', sourceId: null });
  if (proof.archived && !(await hasAnything(ctx, coordinate)))
    return settle(ctx, coordinate, { status: 'not_found', sourceId: null });
  // The repository was renamed, and may be stored under its current name.
  const current = githubCoordinate(proof.fullName) ?? coordinate;
  const known = stored ?? (current === coordinate ? null : await storedSource(ctx, current));
  if (known === 'hidden') return NOT_FOUND;
  if (known && known !== stored && (await hasReleases(ctx, known.id))) return existing(ctx, known);
  const source = known ?? (await newSource(ctx, coordinate, proof.fullName));
  // Another process may have created and read the source meanwhile.
  if (!known && (await hasReleases(ctx, source.id))) return { status: 'indexed', sourceId: source.id };
  if (!(await ctx.lookups.read(ctx, source))) return { status: 'deferred', sourceId: source.id };
  if (await hasReleases(ctx, source.id)) return { status: 'indexed', sourceId: source.id };
  return settle(ctx, coordinate, { status: 'empty', sourceId: source.id });
}

// An archived repository without releases gets no source.
async function hasAnything(ctx: LookupContext, coordinate: string): Promise<boolean> {
  const proof = await ctx.lookups.repository(coordinate, { items: true });
  return proof.verdict !== 'proven' || proof.items.length > 0;
}

async function newSource(ctx: LookupContext, coordinate: string, fullName: string): Promise<SourceRow> {
  await spendDaily(ctx);
  return createLookupSource(ctx, { coordinate, fullName });
}

export async function settle(
  ctx: LookupContext,
  coordinate: string,
  { status, sourceId }: { status: Negative; sourceId: string | null },
): Promise<LookupFinding> {
  await remember(ctx, coordinate, status);
  return { status, sourceId };
}

export interface LookupPorts {
  repository: Proofs['repository'];
  // Asks the package registry, and stores what it lists.
  describe(ctx: Context, asked: AskedPackage): Promise<Proof<{ repository: string | null }>>;
  // Reads the changelogs inside of the packages of a repository that has none.
  notes(ctx: Context, source: SourceRow): Promise<void>;
  // Reads the source now and stores what it finds, without events; what is left is a later job's. False: the code host
  // did not let itself be read.
  read(ctx: Context, source: SourceRow): Promise<boolean>;
  // Orders another reading, in the transaction of the caller.
  refresh(ctx: WriteContext, source: SourceRow): Promise<void>;
  // Resolves when a caller has waited long enough.
  patience(): { over: Promise<void>; cancel(): void };
}

export type LookupContext = Context & { lookups: LookupPorts };

// One lookup of one repository: stored source, check at the code host, new source.
import { consumeSharedLimit } from '../../accounts/limits.ts';
import { sourcesOfCoordinate } from '../../catalog/lookups/by-coordinate.ts';
import { lockOrgs } from '../../catalog/orgs/claims.ts';
import { insertOrg } from '../../catalog/orgs/create.ts';
import { isUnlisted, type SourceInOrg } from '../../catalog/resolve.ts';
import { createSource } from '../../catalog/sources/create.ts';
import { setFormerNames } from '../../catalog/sources/former-names.ts';
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { SYSTEM } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import type { LookupStatus } from '../../contract/lookup-run.ts';
import { mayReadAgain } from '../../domain/fetching/on-demand.ts';
import { deriveSlug, isReservedOrgSlug } from '../../domain/slugs.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import type { Proofs } from '../adapters/proofs.ts';
import { requireNoTransaction } from '../outside-transaction.ts';
import { findRelatedOrg } from './related-org.ts';
import { type Negative, recall, remember } from './remembered.ts';

export interface LookupFinding {
  status: LookupStatus;
  sourceId: string | null;
}

const DAY_MS = 24 * 3_600_000;
const NOT_FOUND: LookupFinding = { status: 'not_found', sourceId: null };

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

function isOnDemand({ source, org }: SourceInOrg): boolean {
  return isUnlisted(source) && (!org?.is_hidden || org.discovery === 'on_demand');
}

async function hasReleases(ctx: LookupContext, sourceId: string): Promise<boolean> {
  const rows = queries(ctx).selectFrom('releases').select('id').where('source_id', '=', sourceId);
  return (await rows.where('suppressed', '=', 0).limit(1).executeTakeFirst()) !== undefined;
}

async function existing(ctx: LookupContext, source: SourceRow): Promise<LookupFinding> {
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
  if (proof.verdict === 'unreachable') return { status: 'deferred', sourceId };
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
  const { daily } = ctx.config.lookups;
  const at = ctx.clock();
  const windowSeconds = Math.ceil((DAY_MS - (at.getTime() % DAY_MS)) / 1000);
  const key = `lookups:daily:${at.toISOString().slice(0, 10)}`;
  const { allowed, seconds } = await consumeSharedLimit(ctx, { key, limit: daily, windowSeconds });
  if (!allowed) {
    const details = { limit: daily, scope: 'installation' };
    const headers = { 'Retry-After': String(seconds) };
    throw new ApiError('limit_exceeded', `more than ${daily} new sources by lookup today`, details, headers);
  }
  return createLookupSource(ctx, { coordinate, fullName });
}

async function settle(
  ctx: LookupContext,
  coordinate: string,
  { status, sourceId }: { status: Negative; sourceId: string | null },
): Promise<LookupFinding> {
  await remember(ctx, coordinate, status);
  return { status, sourceId };
}

export interface LookupPorts {
  repository: Proofs['repository'];
  // Reads the source now and stores what it finds, without events; what is left is a later job's. False: the code host
  // did not let itself be read.
  read(ctx: Context, source: SourceRow): Promise<boolean>;
  // Orders another reading, in the transaction of the caller.
  refresh(ctx: WriteContext, source: SourceRow): Promise<void>;
  // Resolves when a caller has waited long enough.
  patience(): { over: Promise<void>; cancel(): void };
}

export type LookupContext = Context & { lookups: LookupPorts };

// Creates the hidden source of a repository that was looked up, and the hidden org that it may need.

interface LookedUp {
  // The requested name in lower case; a former name when the host has another one.
  coordinate: string;
  fullName: string;
}

// The source that another process has made meanwhile, or a new one.
async function createLookupSource(ctx: Context, { coordinate, fullName }: LookedUp): Promise<SourceRow> {
  const current = githubCoordinate(fullName) ?? coordinate;
  return transact(ctx, async (outer) => {
    // The source is created as the service: a lookup is no edit of the caller, and the source may join an org that the caller
    // cannot see.
    const inner = { ...outer, caller: SYSTEM };
    await lockOrgs(inner);
    const [known] = await sourcesOfCoordinate(inner, current);
    if (known) return known.source;
    const [owner = '', name = ''] = fullName.split('/');
    const { id } = await createSource(inner, {
      name,
      url: `https://github.com/${fullName}`,
      type: 'github',
      orgId: (await findRelatedOrg(inner, current))?.org.id ?? (await hiddenOrg(inner, owner)),
      isHidden: true,
      discovery: 'on_demand',
    });
    if (current !== coordinate) await setFormerNames(inner, id, [coordinate]);
    return inner.tx.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  });
}

// Reuses the hidden org that an earlier lookup of the same owner has created, or creates it.
async function hiddenOrg(ctx: WriteContext, owner: string): Promise<string> {
  const login = owner.toLowerCase();
  const earlier = await ctx.tx
    .selectFrom('orgs as o')
    .innerJoin('sources as s', 's.org_id', 'o.id')
    .select('o.id')
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 1)
    .where('o.discovery', '=', 'on_demand')
    .where('s.github_coordinate', '>=', `${login}/`)
    .where('s.github_coordinate', '<', `${login}0`)
    .orderBy('o.created_at')
    .executeTakeFirst();
  if (earlier) return earlier.id;
  const slug = await freeOrgSlug(ctx, login);
  return (await insertOrg(ctx, { slug, name: owner, domain: null, is_hidden: 1, discovery: 'on_demand' })).id;
}

async function freeOrgSlug(ctx: WriteContext, owner: string): Promise<string> {
  const wanted = deriveSlug(owner, 70) ?? 'owner';
  const taken = await ctx.tx
    .selectFrom('orgs')
    .select('slug')
    .where('slug', 'like', `${wanted}%`)
    .where('deleted_at', 'is', null)
    .execute();
  const slugs = new Set(taken.map(({ slug }) => slug));
  for (let number = 2, slug = wanted; ; number += 1) {
    if (!slugs.has(slug) && !isReservedOrgSlug(slug)) return slug;
    slug = `${wanted}-${number}`;
  }
}

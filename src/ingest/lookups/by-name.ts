// One lookup of a package by its name: what its registry says of it leads to its repository; without one that can be read,
// to a source on the page of the package, whose text is the changelog inside of its newest archive.

import { type Context, transact } from '../../context.ts';
import { mayReadAgain } from '../../domain/fetching/on-demand.ts';
import { isPackagePage } from '../../domain/package-page.ts';
import { packageKey, scopeOf } from '../../domain/published-package.ts';
import { partOfPackage } from '../../domain/upgrade/requested-package.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import { putPackage } from '../../entities/packages/put.ts';
import { packageViewer, seenPackages } from '../../entities/packages/viewer.ts';
import { partsOfSources } from '../../packages/whats-changed/package-sources.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { requireNoTransaction } from '../outside-transaction.ts';
import type { AskedPackage } from './asked.ts';
import { createPackageSource, mappedSource, spendDaily } from './create-source.ts';
import { forget, recall } from './remembered.ts';
import {
  existing,
  hasReleases,
  isOnDemand,
  type LookupContext,
  type LookupFinding,
  NOT_FOUND,
  runLookup,
  settle,
} from './run.ts';

// `private`: only those who are admitted to its registry may hear of it. Null for everybody else: it does not exist.
export async function visibilityOf(ctx: Context, asked: AskedPackage): Promise<'public' | 'private' | null> {
  const viewer = await packageViewer(ctx);
  if (seenPackages(ctx, viewer, [asked]).length === 0) return null;
  return viewer.private.has(scopeOf(asked) ?? '') ? 'private' : 'public';
}

interface NameLookup extends AskedPackage {
  isPrivate: boolean;
}

export async function runNameLookup(ctx: LookupContext, asked: NameLookup): Promise<LookupFinding> {
  requireNoTransaction(ctx);
  const stored = await storedPackageSource(ctx, asked);
  if (stored === 'hidden') return NOT_FOUND;
  const key = packageKey(asked);
  const negative = await recall(ctx, key);
  if (negative !== null) return { status: negative, sourceId: negative === 'empty' ? (stored?.id ?? null) : null };
  if (stored && (await hasReleases(ctx, stored.id))) {
    return (await movedToRepository(ctx, asked, stored)) ?? existing(ctx, stored);
  }
  const described = await ctx.lookups.describe(ctx, asked);
  if (described.verdict === 'unreachable') return { status: 'deferred', sourceId: stored?.id ?? null };
  if (described.verdict === 'refused') return settle(ctx, key, { status: 'not_found', sourceId: null });
  const coordinate = described.repository === null ? null : githubCoordinate(described.repository);
  const inRepository = coordinate === null ? NOT_FOUND : await readRepository(ctx, asked, coordinate);
  if (inRepository.status === 'not_found') return readPage(ctx, asked, stored);
  if (!inRepository.isCutOff) return inRepository;
  const inPackage = await readPage(ctx, asked, stored);
  // The repository may have notes, so nothing is remembered.
  if (inPackage.status === 'empty') await forget(ctx, key);
  return inPackage.status === 'empty' ? { ...inPackage, status: 'deferred' } : inPackage;
}

// A package whose repository could not be read may have one by now; once a day it is asked for.
async function movedToRepository(
  ctx: LookupContext,
  asked: NameLookup,
  stored: SourceRow,
): Promise<LookupFinding | null> {
  if (!isPackagePage(stored) || !mayReadAgain(stored.last_fetched_at, ctx.clock())) return null;
  const described = await ctx.lookups.describe(ctx, asked);
  const coordinate = described.verdict === 'proven' ? githubCoordinate(described.repository ?? '') : null;
  const found = coordinate === null ? NOT_FOUND : await readRepository(ctx, asked, coordinate);
  return found.status === 'indexed' || found.status === 'existing' ? found : null;
}

// What the package map knows already; a lookup reveals a hidden source to no caller.
export async function storedPackageSource(ctx: Context, asked: NameLookup): Promise<SourceRow | 'hidden' | null> {
  const mapped = await mappedSource(ctx, asked);
  if (!mapped) return null;
  return mapped.visible || isOnDemand(mapped) || asked.isPrivate ? mapped.source : 'hidden';
}

async function readRepository(ctx: LookupContext, asked: NameLookup, coordinate: string): Promise<LookupFinding> {
  const found = await runLookup(ctx, coordinate);
  const { sourceId } = found;
  if (sourceId === null || found.isCutOff) return found;
  await mapTo(ctx, asked, sourceId);
  if (found.status !== 'empty') return found;
  const source = await ctx.store.read.selectFrom('sources').selectAll().where('id', '=', sourceId).executeTakeFirst();
  // A repository with nothing to tell may publish a package that has notes. Those of a private one are not the repository's.
  if (source && !asked.isPrivate) await ctx.lookups.notes(ctx, source);
  if (!(await hasReleases(ctx, sourceId))) return found;
  await forget(ctx, coordinate);
  return { status: 'indexed', sourceId };
}

// The part of a repository of several packages is what their tags begin with.
async function mapTo(ctx: LookupContext, { ecosystem, spelling }: NameLookup, sourceId: string): Promise<void> {
  await transact(ctx, async (inner) => {
    const { parts } = (await partsOfSources(inner, [sourceId])).get(sourceId) ?? { parts: [] };
    const packagePart = partOfPackage(parts, { name: spelling, folder: '' });
    await putPackage(inner, { ecosystem, name: spelling, sourceId, packagePart, origin: 'ingest' });
  });
}

async function readPage(ctx: LookupContext, asked: NameLookup, stored: SourceRow | null): Promise<LookupFinding> {
  if (!stored) await spendDaily(ctx);
  const source = stored ?? (await createPackageSource(ctx, asked));
  if (!(await ctx.lookups.read(ctx, source)) && !(await isRefused(ctx, source.id))) {
    return { status: 'deferred', sourceId: source.id };
  }
  if (await hasReleases(ctx, source.id)) return { status: 'indexed', sourceId: source.id };
  return settle(ctx, packageKey(asked), { status: 'empty', sourceId: source.id });
}

// An archive that is refused today is refused in a minute, too.
async function isRefused(ctx: LookupContext, sourceId: string): Promise<boolean> {
  const rows = ctx.store.read.selectFrom('sources').select('last_outcome').where('id', '=', sourceId);
  return (await rows.executeTakeFirst())?.last_outcome === 'malformed';
}

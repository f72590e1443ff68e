// One release that its author, or an operator, publishes: matched by its version, whatever was stored of it before.
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { badRequest, notFound, validationFailed } from '../../contract/errors.ts';
import type { PublishInput, PublishResult } from '../../contract/publish.ts';
import { normalizePackageName } from '../../domain/published-package.ts';
import { elementAt } from '../../domain/records.ts';
import { type ItemKeys, identityKeys } from '../../domain/release-identity.ts';
import { isPlaceholderVersion, versionIdentity } from '../../domain/versions/index.ts';
import { recordAudit } from '../../entities/audit.ts';
import { lockSourceById, resolveSource, type SourceInOrg } from '../../entities/resolve.ts';
import { holdToEnd } from '../../store/pipeline.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { onRequestThread } from '../../threads/documents.ts';
import { authorsOf, markAuthored } from '../authored.ts';
import { releaseRowShape } from '../detail.ts';
import { isLong } from '../release-columns.ts';
import { VERSION_SECTION_READING } from './changelog-section.ts';
import type { Draft } from './draft.ts';
import { prepareTexts } from './prepare-texts.ts';
import { ownAddresses, writeDrafts } from './write-drafts.ts';

export async function publishRelease(ctx: Context, input: PublishInput): Promise<PublishResult> {
  if (input.dryRun && ctx.tx) throw badRequest('dryRun', 'a dry run is not repeated: leave out Idempotency-Key');
  const sourceInOrg = await publishedSource(ctx, input);
  const draft = await publishedDraft(ctx, sourceInOrg, input);
  const keys = identityKeys([draft], ownAddresses(sourceInOrg.source));
  const ahead = isLong(draft) ? await prepareTexts(ctx, { sourceInOrg, drafts: [draft], keys }) : ctx;
  const write = (ctx: WriteContext) => writePublication(ctx, { sourceId: sourceInOrg.source.id, draft });
  if (!input.dryRun) return transact(ahead, write);
  return { ...(await undone(ahead, write)), dryRun: true };
}

// The source that is named, or that has the releases of a package.
export async function publishedSource(
  ctx: Context,
  { source, ecosystem, package: name }: Pick<PublishInput, 'source' | 'ecosystem' | 'package'>,
): Promise<SourceInOrg> {
  if ((source === undefined) === (name === undefined) || (name === undefined) !== (ecosystem === undefined)) {
    throw validationFailed([{ path: 'source', reason: 'name a source, or ecosystem and package' }]);
  }
  if (source !== undefined) return resolveSource(ctx, { src: source }, { field: 'source' });
  const row = await queries(ctx)
    .selectFrom('packages')
    .select('source_id')
    .where('ecosystem', '=', ecosystem ?? 'npm')
    .where('name', '=', normalizePackageName(ecosystem ?? 'npm', name ?? ''))
    .executeTakeFirst();
  if (!row) throw notFound('package', name ?? '', { field: 'package' });
  return resolveSource(ctx, { src: row.source_id }, { field: 'package' });
}

async function publishedDraft(
  ctx: Context,
  { source, org, product }: SourceInOrg,
  input: PublishInput,
): Promise<Draft> {
  const version = oneOfTwo(input, 'version', 'tag_name')?.replace(/^v(?=\d)/, '');
  if (version === undefined || isPlaceholderVersion(version)) {
    throw validationFailed([{ path: 'version', reason: 'a version is required' }]);
  }
  const given = oneOfTwo(input, 'content', 'body');
  if ((given === undefined) === (input.changelog === undefined)) {
    throw validationFailed([{ path: 'content', reason: 'send content or changelog, and not both' }]);
  }
  const names = [org?.name, product?.name, source.name].filter((name) => name !== undefined);
  const section = input.changelog === undefined ? null : await sectionOf(ctx, input.changelog, { version, names });
  return {
    version,
    title: oneOfTwo(input, 'title', 'name') ?? '',
    content: given ?? section?.content ?? '',
    url: input.url ?? null,
    guid: null,
    publishedAt: input.publishedAt ?? section?.date ?? null,
    prerelease: input.prerelease,
    origin: 'api',
    given: { breakingAtLeast: input.breaking },
  };
}

function oneOfTwo<A extends keyof PublishInput, B extends keyof PublishInput>(
  input: PublishInput,
  field: A,
  otherWord: B,
): PublishInput[A] | PublishInput[B] {
  if (input[field] !== undefined && input[otherWord] !== undefined) {
    throw validationFailed([{ path: otherWord, reason: `says the same as ${field}: send one` }]);
  }
  return input[field] ?? input[otherWord];
}

async function sectionOf(ctx: Context, text: string, { version, names }: { version: string; names: string[] }) {
  const options = { names, now: ctx.clock() };
  const { section, known } = await onRequestThread(VERSION_SECTION_READING, { text, version, options });
  if (section) return section;
  const has = known.length > 0 ? `its newest are ${known.join(', ')}` : 'no section of it names a version';
  throw validationFailed([{ path: 'changelog', reason: `has no section for ${version}; ${has}` }]);
}

async function writePublication(
  ctx: WriteContext,
  { sourceId, draft }: { sourceId: string; draft: Draft },
): Promise<PublishResult> {
  const sourceInOrg = await lockSourceById(ctx, sourceId);
  const stored = await storedVersion(ctx, sourceId, draft.version ?? '');
  // What is left out stays as it is; a new release without a date was published now.
  const publishedAt = draft.publishedAt ?? stored?.published_at ?? now(ctx);
  const title = draft.title || stored?.title || draft.version || '';
  const address = { url: draft.url ?? stored?.url ?? null, guid: stored?.guid ?? null };
  const drafts = [{ ...draft, title, publishedAt, ...address }];
  const keys = stored ? [keysOfStored(stored)] : identityKeys(drafts, ownAddresses(sourceInOrg.source));
  const { items } = await writeDrafts(ctx, {
    sourceInOrg,
    isLocked: true,
    drafts,
    keys,
    writtenBy: 'operator',
    isPublication: true,
  });
  const { outcome, id, reason } = elementAt(items, 0);
  if (id === null) return { outcome, ...(reason && { reason }), release: null };
  const isByAuthor = ctx.caller.bound !== undefined;
  const isKnown = outcome === 'unchanged' && (await authorsOf(ctx, [id])).has(id);
  if (isByAuthor && !isKnown) await markAuthored(ctx, { id, source_id: sourceId });
  if (outcome !== 'unchanged') {
    const stamp = { releases_written_at: now(ctx) };
    holdToEnd(ctx.tx, [ctx.tx.updateTable('sources').set(stamp).where('id', '=', sourceId).compile()]);
    const after = { outcome, version: draft.version, byAuthor: isByAuthor };
    await recordAudit(ctx, { action: 'release.publish', targetType: 'release', targetId: id, after });
  }
  return { outcome, release: await releaseRowShape(ctx, id) };
}

// The newest that has the version, as a tag or without its mark.
async function storedVersion(ctx: WriteContext, sourceId: string, version: string): Promise<ReleaseRow | null> {
  const row = await ctx.tx
    .selectFrom('releases')
    .selectAll()
    .where('source_id', '=', sourceId)
    .where('version', 'in', [version, `v${version}`])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

function keysOfStored({ identity_key, guid, version }: ReleaseRow): ItemKeys {
  return { key: identity_key, guid, versionKey: `v:${versionIdentity(version ?? '')}`, hasAddress: true };
}

class Undone extends Error {}

// The result of a transaction that is not kept.
async function undone<T>(ctx: Context, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
  const kept: T[] = [];
  await transact(ctx, async (ctx) => {
    kept.push(await work(ctx));
    throw new Undone();
  }).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
  return elementAt(kept, 0);
}

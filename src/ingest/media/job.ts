// Copies the images of new releases, for an installation that stores them. One job for each source, after everything that
// readers wait for.

import { createHash } from 'node:crypto';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import type { MediaItem } from '../../contract/release.ts';
import { type ImageExtension, imageExtension } from '../../domain/net/image-type.ts';
import { findSource } from '../../entities/resolve.ts';
import { parseJson, toJson } from '../../store/json-text.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { createAdapterContext } from '../adapters/adapter-context.ts';
import type { AdapterContext } from '../adapters/contract.ts';
import { hostOf } from '../adapters/index.ts';
import { type Failure, mayPass, readableAnswer } from '../adapters/outcomes.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { ClaimedJob, JobSurroundings } from '../queue/job.ts';
import { complete, handBack } from '../queue/lease.ts';
import { beginMark, behind, type ProgressMark, readMark, storeMark } from '../state/progress.ts';

const WORK = 'media';
const RELEASES_A_RUN = 10;
const PAUSE_MS = 3_600_000;
const TRIES = 3;

// Called in the transaction that inserted releases; does nothing when no media store is configured.
export async function enqueueMedia(ctx: WriteContext, sourceId: string, since: number): Promise<void> {
  if (ctx.config.mediaStore === null) return;
  const source = await ctx.tx.selectFrom('sources').selectAll().where('id', '=', sourceId).executeTakeFirst();
  if (!source) return;
  await beginMark(ctx, sourceId, { work: WORK, since: since });
  const host = hostOf(source, ctx.config.upstream);
  await enqueue(ctx, { key: `media:${sourceId}`, kind: 'media', sourceId, host });
}

export async function runMedia(ctx: Context, job: ClaimedJob, { signal, tools }: JobSurroundings): Promise<void> {
  const { lease, sourceId, payload } = job;
  const { mediaStore: folder } = ctx.config;
  const sourceInOrg = sourceId === null ? null : await findSource(ctx, { src: sourceId });
  const mark = sourceInOrg ? await readMark(ctx.store.read, sourceInOrg.source.id, WORK) : null;
  if (!sourceInOrg || mark === null || folder === null) {
    return transact(ctx, (ctx) => complete(ctx, lease, null), 'bookkeeping');
  }
  const waiting = await newReleases(ctx, sourceInOrg.source.id, mark);
  const outside = createAdapterContext(ctx, { model: tools.model, signal });
  const copied: { row: ReleaseWithMedia; media: MediaItem[] }[] = [];
  let stopped: ReleaseWithMedia | null = null;
  for (const row of waiting.slice(0, RELEASES_A_RUN)) {
    const media = await copyImages(ctx, { outside, folder, media: parseJson(row.media) });
    if (signal.aborted) return handBack(ctx, lease);
    if ('outcome' in media) {
      stopped = row;
      break;
    }
    copied.push({ row, media });
  }
  const failures = stopped ? (payload.failures ?? 0) + 1 : 0;
  const isGivenUp = stopped !== null && failures >= TRIES;
  await transact(
    ctx,
    async (ctx) => {
      for (const { row, media } of copied) await storeMedia(ctx, row, media);
      // After too many failures a release is passed over.
      const last = isGivenUp ? stopped : copied.at(-1)?.row;
      if (last) await storeMark(ctx, last.source_id, { [WORK]: { at: last.updated_at, seq: last.seq } });
      const isDone = stopped === null && waiting.length <= RELEASES_A_RUN;
      const dueAt = stopped ? new Date(ctx.clock().getTime() + PAUSE_MS).toISOString() : now(ctx);
      await complete(ctx, lease, isDone ? null : { dueAt, payload: isGivenUp ? {} : { failures } });
    },
    'derived',
  );
}

type ReleaseWithMedia = Pick<ReleaseRow, 'id' | 'seq' | 'source_id' | 'media' | 'updated_at'>;

function newReleases(ctx: Context, sourceId: string, mark: ProgressMark): Promise<ReleaseWithMedia[]> {
  return ctx.store.read
    .selectFrom('releases')
    .select(['id', 'seq', 'source_id', 'media', 'updated_at'])
    .where('source_id', '=', sourceId)
    .where('media', '<>', toJson([]))
    .where('suppressed', '=', 0)
    .where(behind(mark))
    .orderBy('updated_at')
    .orderBy('seq')
    .limit(RELEASES_A_RUN + 1)
    .execute();
}

// Stores the copies without changing the time or the revisions of the release. A release that was updated meanwhile is copied
// again by its own job.
async function storeMedia(ctx: WriteContext, row: ReleaseWithMedia, media: readonly MediaItem[]): Promise<void> {
  await ctx.tx
    .updateTable('releases')
    .set({ media: toJson(media) })
    .where('id', '=', row.id)
    .where('media', '=', row.media)
    .execute();
}

const MAX_BYTES = 8 * 1024 * 1024;

interface ImagesToCopy {
  outside: Pick<AdapterContext, 'fetch' | 'now'>;
  folder: string;
  media: readonly MediaItem[];
}

// Returns the same media with the addresses of their copies. An image that cannot be fetched, or is none, has no copy.
async function copyImages(ctx: Context, { outside, folder, media }: ImagesToCopy): Promise<MediaItem[] | Failure> {
  const result: MediaItem[] = [];
  for (const item of media) {
    if (item.type === 'video' || item.r2Key !== undefined) {
      result.push(item);
      continue;
    }
    const answer = readableAnswer(await outside.fetch({ url: item.url, limits: { maxBytes: MAX_BYTES } }), outside.now);
    const failed = 'outcome' in answer;
    if (failed && mayPass(answer)) return answer;
    const extension = failed ? null : imageExtension(answer.body);
    if (failed || extension === null) result.push(item);
    else {
      const r2Key = await storeCopy(ctx, folder, { bytes: answer.body, extension });
      result.push({ ...item, r2Key, r2Url: `${ctx.config.baseUrl}/${r2Key}` });
    }
  }
  return result;
}

// A copy is stored under the hash of its bytes, so that each image is stored once. Returns its key, `media/<sha256>.<ext>`.
async function storeCopy(
  ctx: Pick<Context, 'randomBytes'>,
  folder: string,
  { bytes, extension }: { bytes: Uint8Array; extension: ImageExtension },
): Promise<string> {
  const key = `media/${createHash('sha256').update(bytes).digest('hex')}.${extension}`;
  const path = join(folder, key);
  if (await exists(path)) return key;
  await mkdir(join(folder, 'media'), { recursive: true });
  // Written to a temporary name first, so that readers never see half a file and concurrent writers do not collide.
  const draft = `${path}.${Buffer.from(ctx.randomBytes(6)).toString('hex')}`;
  await writeFile(draft, bytes);
  await rename(draft, path);
  return key;
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

// Reads the articles of feeds that contain only teasers, a few at a time, after the items were stored. The progress is stored
// in the state of the source.

import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import { findSource } from '../../entities/resolve.ts';
import { fillBody, prepareBody } from '../../releases/write/fill-body.ts';
import { ownAddresses } from '../../releases/write/write-drafts.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { withResults } from '../../threads/results.ts';
import { TaskStopped } from '../../threads/task.ts';
import { createAdapterContext } from '../adapters/adapter-context.ts';
import { ARTICLES_PER_RUN, type Article, readArticle } from '../adapters/feed/articles.ts';
import { SOURCE_TYPE_DESCRIPTORS } from '../adapters/index.ts';
import { type Failure, mayPass } from '../adapters/outcomes.ts';
import { enqueueMedia } from '../media/job.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { ClaimedJob, JobSurroundings } from '../queue/job.ts';
import { complete, handBack, type NextRun } from '../queue/lease.ts';
import { beginMark, behind, type ProgressMark, readMark, storeMark } from '../state/progress.ts';
import { type Finished, recordStopped } from './follow-ups.ts';

const WORK = 'articles';
const HOUR_MS = 3_600_000;
const TRIES = 6;

// Called in the transaction of a fetch that inserted or updated releases.
export async function enqueueArticles(ctx: WriteContext, { run, result, host }: Finished): Promise<void> {
  const { subject, startedAt } = run;
  if (!SOURCE_TYPE_DESCRIPTORS[subject.reader].onlyAnnounces?.(result.items)) return;
  const sourceId = subject.source.id;
  await beginMark(ctx, sourceId, { work: WORK, since: startedAt });
  const page = result.items.find(({ url }) => url !== null)?.url;
  const articleHost = URL.parse(page ?? '')?.host || host;
  await enqueue(ctx, { key: `articles:${sourceId}`, kind: 'articles', sourceId, host: articleHost });
}

export async function runArticles(ctx: Context, job: ClaimedJob, { signal, tools }: JobSurroundings): Promise<void> {
  const { lease, sourceId, payload } = job;
  const sourceInOrg = sourceId === null ? null : await findSource(ctx, { src: sourceId });
  const mark = sourceInOrg ? await readMark(ctx.store.read, sourceInOrg.source.id, WORK) : null;
  if (!sourceInOrg || mark === null || sourceInOrg.org?.fetch_paused) {
    return transact(ctx, (ctx) => complete(ctx, lease, null), 'bookkeeping');
  }
  const waiting = await newItems(ctx, sourceInOrg.source.id, mark);
  const adapterCtx = createAdapterContext(ctx, { model: tools.model, signal });
  const own = ownAddresses(sourceInOrg.source);
  const read: { row: AnnouncedItem; article: Article | null }[] = [];
  let failure: Failure | null = null;
  let stopped: TaskStopped | null = null;
  for (const row of waiting.slice(0, ARTICLES_PER_RUN)) {
    const reading = hasPage(row, own)
      ? readArticle(adapterCtx, { url: row.url ?? '', content: row.content })
      : Promise.resolve(null);
    const found = await reading.catch((error: unknown) => {
      if (!(error instanceof TaskStopped)) throw error;
      // The teaser of this one stays, and the articles after it are read.
      stopped = error;
      return null;
    });
    if (signal.aborted) return handBack(ctx, lease);
    const failed = found !== null && 'outcome' in found ? found : null;
    if (failed && mayPass(failed)) {
      failure = failed;
      break;
    }
    read.push({ row, article: failed ? null : (found as Article | null) });
  }
  const failures = failure ? (payload.failures ?? 0) + 1 : 0;
  const fillings = read.flatMap(({ row: { id, source_id, content }, article }) =>
    article ? [{ sourceId: source_id, releaseId: id, teaser: content, ...article }] : [],
  );
  const ahead = withResults(ctx);
  for (const filling of fillings) await prepareBody(ahead, filling);
  await transact(
    ahead,
    async (ctx) => {
      for (const filling of fillings) await fillBody(ctx, filling);
      if (stopped) await recordStopped(ctx, job, stopped);
      const last = read.at(-1)?.row;
      if (last) {
        await storeMark(ctx, last.source_id, { [WORK]: { at: last.updated_at, seq: last.seq } });
        await enqueueMedia(ctx, last.source_id, ctx.clock().getTime());
      }
      const isDone = failure === null && waiting.length <= ARTICLES_PER_RUN;
      await complete(ctx, lease, isDone ? null : nextTry(ctx, failure, failures));
    },
    'derived',
  );
}

// A site that does not answer is tried again; after that the next fetch with changes continues at the same release.
function nextTry(ctx: Context, failure: Failure | null, failures: number): NextRun | null {
  if (failure === null) return { dueAt: now(ctx), payload: {} };
  if (failures >= TRIES) return null;
  const soon = new Date(ctx.clock().getTime() + 2 ** (failures - 1) * HOUR_MS).toISOString();
  const dueAt = failure.retryAt !== null && failure.retryAt > soon ? failure.retryAt : soon;
  return { dueAt, payload: { failures } };
}

type AnnouncedItem = Pick<ReleaseRow, 'id' | 'seq' | 'source_id' | 'url' | 'content' | 'updated_at'>;

// Releases in the order in which they were inserted or changed. Equal hashes mean that no article was filled in yet.
function newItems(ctx: Context, sourceId: string, mark: ProgressMark): Promise<AnnouncedItem[]> {
  return ctx.store.read
    .selectFrom('releases')
    .select(['id', 'seq', 'source_id', 'url', 'content', 'updated_at'])
    .where('source_id', '=', sourceId)
    .where('origin', '=', 'feed')
    .where('suppressed', '=', 0)
    .where((eb) => eb('content_hash', '=', eb.ref('source_hash')))
    .where(behind(mark))
    .orderBy('updated_at')
    .orderBy('seq')
    .limit(ARTICLES_PER_RUN + 1)
    .execute();
}

// A fragment of a page, or the page of the source itself, is no article.
function hasPage({ url }: AnnouncedItem, own: ReadonlySet<string>): boolean {
  const address = URL.parse(url ?? '');
  return address !== null && address.hash === '' && !own.has(normalizeUrl(address.href) ?? '');
}

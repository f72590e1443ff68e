// What a fetch of each type of source, an evaluation of an address and a lookup block, whatever the outside sends.

import type { Context } from '../../src/context.ts';
import { createSource } from '../../src/entities/sources/create.ts';
import { createAdapterContext } from '../../src/ingest/adapters/adapter-context.ts';
import { withProofs } from '../../src/ingest/adapters/probe.ts';
import { refreshChangelogFiles } from '../../src/ingest/changelog-files/refresh.ts';
import { evaluateUrl } from '../../src/ingest/evaluate/evaluate.ts';
import { lookUp } from '../../src/ingest/lookups/look-up.ts';
import { withLookups } from '../../src/ingest/lookups/outside.ts';
import { refreshPackageMap } from '../../src/ingest/package-map/refresh.ts';
import { fetchSource } from '../../src/ingest/pipeline/fetch-source.ts';
import { TaskStopped } from '../../src/threads/task.ts';
import type { Figure } from '../figures.ts';
import { SOURCE_DOCUMENTS, type SourceDocument } from './documents.ts';
import { longestBlock } from './event-loop.ts';
import { type Block, blockFigures } from './figures.ts';
import type { Outside } from './outside.ts';

// What the guarded fetch takes at most is a little more.
const LARGE = 9_900_000;
// An evaluation reads a document several times, so most are shorter there.
const EVALUATED = 1_000_000;
const WARM_UP = 64_000;
const EVALUATION = 'an evaluation';

// One document of each type and content.
const FIRST: ReadonlySet<SourceDocument> = new Set(
  SOURCE_DOCUMENTS.filter(({ type, name }, index) => {
    const earlier = SOURCE_DOCUMENTS.findIndex((other) => other.type === type);
    return index === earlier || name === 'markdown prose' || name === 'JSON of short items';
  }),
);

export async function benchFetches(ctx: Context, outside: Outside): Promise<Figure[]> {
  await blocksOf(ctx, outside, { size: WARM_UP, does: (_, document) => FIRST.has(document) });
  const evaluated = await blocksOf(ctx, outside, { size: EVALUATED, does: (work) => work === EVALUATION });
  const does = (work: string, document: SourceDocument) => work !== EVALUATION || FIRST.has(document);
  const large = await blocksOf(ctx, outside, { size: LARGE, does });
  return [
    ...[...evaluated].map(([name, found]) => blockFigures(`${name}, ${EVALUATED / 1_000_000} MB`, found)),
    ...[...large].map(([name, found]) => blockFigures(`${name}, ${LARGE / 1_000_000} MB`, found)),
  ];
}

// Those of which most is stored.
const STORED = ['long entries', 'JSON of short items', 'many tags', 'a long changelog'];

// The other engine differs in what is stored alone.
export async function benchStoring(ctx: Context, outside: Outside, engine: string): Promise<Figure[]> {
  const does = (work: string, { name }: SourceDocument) => work !== EVALUATION && STORED.includes(name);
  await blocksOf(ctx, outside, { size: WARM_UP, does });
  const blocks = await blocksOf(ctx, outside, { size: LARGE, does });
  return [...blocks].map(([name, found]) => blockFigures(`${name}, ${LARGE / 1_000_000} MB, ${engine}`, found));
}

interface Round {
  size: number;
  does(work: string, document: SourceDocument): boolean;
}

async function blocksOf(ctx: Context, outside: Outside, { size, does }: Round): Promise<Map<string, Block[]>> {
  const blocks = new Map<string, Block[]>();
  for (const [index, document] of SOURCE_DOCUMENTS.entries()) {
    const key = size + index;
    const works = worksOf(ctx, document, document.address(outside.url, key)).filter(([name]) => does(name, document));
    if (works.length === 0) continue;
    for (const page of document.pages(size, key)) await outside.serve(page);
    for (const [name, work] of works) {
      const { result, ...block } = await longestBlock(work);
      blocks.set(name, [...(blocks.get(name) ?? []), { ...block, kind: `${document.name}: ${result}` }]);
    }
  }
  return blocks;
}

// Says how it ended.
type Work = [name: string, work: () => Promise<string>];

function worksOf(ctx: Context, { type, name }: SourceDocument, url: string): Work[] {
  let sourceId = '';
  const fetched: Work = [
    `a fetch of a ${type} source`,
    async () => {
      const made = await createSource(ctx, { name: `${name} ${url}`, url, type: type as 'feed' });
      sourceId = made.id;
      return fetchOnce(ctx, sourceId);
    },
  ];
  const evaluated: Work = [EVALUATION, () => evaluate(ctx, url)];
  if (type !== 'github') return [fetched, evaluated];
  const refresh = (work: typeof refreshChangelogFiles | typeof refreshPackageMap) => async () => {
    const sources = ctx.store.read.selectFrom('sources').selectAll().where('id', '=', sourceId);
    const source = await sources.executeTakeFirstOrThrow();
    return work(ctx, createAdapterContext(ctx), source).then(({ outcome }) => outcome, stopped);
  };
  const coordinate = url.replace('https://github.com/', '');
  return [
    ['a lookup', async () => (await lookUp(withLookups(ctx), { provider: 'github', coordinate })).status],
    evaluated,
    fetched,
    ['the changelog files of a repository', refresh(refreshChangelogFiles)],
    ['the manifests of a repository', refresh(refreshPackageMap)],
    ['a fetch after them', () => fetchOnce(ctx, sourceId)],
  ];
}

// A document that takes too long is given up, which blocks nobody.
function stopped(error: unknown): string {
  if (error instanceof TaskStopped) return error.message;
  throw error;
}

async function fetchOnce(ctx: Context, sourceId: string): Promise<string> {
  const { status, releasesFound, error } = await fetchSource(ctx, sourceId, { trigger: 'manual' });
  return error ?? `${status} with ${releasesFound} releases`;
}

async function evaluate(ctx: Context, url: string): Promise<string> {
  return evaluateUrl(withProofs(ctx), { url }).then(
    ({ recommendedMethod }) => recommendedMethod,
    (error: Error) => error.message,
  );
}

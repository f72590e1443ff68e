// Asks all legs at the same time, and for the rows behind what each finds as soon as it has found it. A leg that looks
// for meaning may fail, and the search goes on without it; without the index of words there is no search.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { SearchMode } from '../../contract/search.ts';
import type {
  DegradedReason,
  LexicalAnswer,
  LexicalHit,
  SearchFilter,
  VectorAnswer,
} from '../../domain/search-legs.ts';
import type { VectorKind } from '../../ports.ts';
import { searchChunks, searchReleases } from '../lexical/index.ts';
import { chunksByKey, chunksBySeq } from './found-chunks.ts';
import { releasesByKey, releasesBySeq } from './found-releases.ts';
import type { Found, Legs, WordHit } from './fused-list.ts';
import { warnOncePerMinute } from './warn.ts';

export interface LegAnswers extends Omit<Legs, 'entity'> {
  ranking: LexicalAnswer['ranking'];
  /** Why legs that look for meaning did not answer. */
  degraded: DegradedReason | null;
  /** What the search was in the end. */
  mode: SearchMode;
}

export interface LegInput {
  q: string;
  mode: SearchMode;
  filter: SearchFilter;
  limit: number;
  chunks: boolean;
}

export async function runLegs(ctx: Context, input: LegInput): Promise<LegAnswers> {
  if (input.mode === 'lexical') return { ...NOTHING, ...(await lexicalLegs(ctx, { ...input, chunks: false })) };
  if (input.mode === 'hybrid') {
    const [words, meaning] = await Promise.all([lexicalLegs(ctx, input), vectorLegs(ctx, input)]);
    return { ...words, ...meaning, mode: meaning.answered ? 'hybrid' : 'lexical' };
  }
  const meaning = await vectorLegs(ctx, input);
  if (meaning.answered) return { ...NOTHING, ...meaning, mode: 'semantic' };
  return { ...(await lexicalLegs(ctx, input)), ...meaning, mode: 'lexical' };
}

const NOTHING: LegAnswers = {
  lexical: [],
  vector: [],
  lexicalChunks: [],
  vectorChunks: [],
  ranking: 'full',
  degraded: null,
  mode: 'lexical',
};

type LexicalPart = Pick<LegAnswers, 'lexical' | 'lexicalChunks' | 'ranking'>;

async function lexicalLegs(ctx: Context, { q, filter, limit, chunks }: LegInput): Promise<LexicalPart> {
  try {
    const [releases, lexicalChunks] = await Promise.all([
      searchReleases(ctx, { q, filter, limit }).then(async ({ hits, ranking }) => {
        return { lexical: await wordHits(hits, (keys) => releasesByKey(ctx, keys, filter)), ranking };
      }),
      chunks
        ? searchChunks(ctx, { q, filter, limit }).then(({ hits }) =>
            wordHits(hits, (keys) => chunksByKey(ctx, keys, filter)),
          )
        : [],
    ]);
    return { ...releases, lexicalChunks };
  } catch (error) {
    warnOncePerMinute(ctx, 'lexical', error);
    throw new ApiError('service_unavailable', 'the search index does not answer', undefined, { 'Retry-After': '5' });
  }
}

type Rows<T> = (keys: readonly number[]) => Promise<ReadonlyMap<number, T>>;

async function wordHits(hits: readonly LexicalHit[], rows: Rows<Found>): Promise<WordHit[]> {
  const found = await rows(hits.map(({ docKey }) => docKey));
  return hits.flatMap(({ docKey, pass }) => {
    const one = found.get(docKey);
    return one ? [{ found: one, loose: pass === 'some' }] : [];
  });
}

type VectorPart = Pick<LegAnswers, 'vector' | 'vectorChunks' | 'degraded'> & { answered: boolean };

async function vectorLegs(ctx: Context, { q, filter, limit, chunks }: LegInput): Promise<VectorPart> {
  const { since: _, until: __, ...everyTime } = filter;
  const [releases, parts] = await Promise.all([
    vectorLeg(ctx, { kind: 'release', text: q, filter, limit }).then((answer) =>
      withRows(answer, (seqs) => releasesBySeq(ctx, seqs, filter)),
    ),
    chunks
      ? vectorLeg(ctx, { kind: 'chunk', text: q, filter: everyTime, limit }).then((answer) =>
          withRows(answer, (seqs) => chunksBySeq(ctx, seqs, filter)),
        )
      : null,
  ]);
  const answers = parts === null ? [releases.answer] : [releases.answer, parts.answer];
  return {
    vector: releases.found,
    vectorChunks: parts?.found ?? [],
    degraded: reasonOf(answers),
    answered: answers.some((answer) => 'hits' in answer),
  };
}

async function vectorLeg(
  ctx: Context,
  leg: { kind: VectorKind; text: string; filter: SearchFilter; limit: number },
): Promise<VectorAnswer> {
  try {
    return await ctx.ports.vectors.search(ctx, leg);
  } catch (error) {
    warnOncePerMinute(ctx, 'vector', error);
    return { degraded: 'index_unavailable' };
  }
}

async function withRows<T>(answer: VectorAnswer, rows: Rows<T>): Promise<{ answer: VectorAnswer; found: T[] }> {
  if (!('hits' in answer)) return { answer, found: [] };
  const found = await rows(answer.hits.map(({ key }) => key));
  return { answer, found: answer.hits.flatMap(({ key }) => found.get(key) ?? []) };
}

// A registry without changelog files has no vectors of chunks, and lacks nothing.
function reasonOf(answers: readonly VectorAnswer[]): DegradedReason | null {
  const reasons = answers.flatMap((answer) => ('degraded' in answer ? [answer.degraded] : []));
  const serious = reasons.find((reason) => reason !== 'index_empty');
  return serious ?? (reasons.length === answers.length ? (reasons[0] ?? null) : null);
}

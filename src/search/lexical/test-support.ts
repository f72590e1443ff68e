// A registry for the tests of this folder: releases go in through the one write path and come back by their titles.
import { createSource, postReleases } from '../../../test/support/factories.ts';
import type { Context } from '../../context.ts';
import type { ReleaseInput } from '../../contract/release-input.ts';
import type { LexicalAnswer, LexicalPass, SearchFilter } from '../../domain/retrieval/retrievers.ts';
import { describeQuery } from '../../domain/search-text/search-query.ts';
import { isIdentifierMissing } from './index-counts.ts';
import { searchChunks, searchReleases } from './search.ts';

export const NOW = '2026-06-01T12:00:00.000Z';

let published = 0;

// Writes releases into a source of their own, or the one given, oldest first unless they say otherwise.
export async function publish(
  ctx: Context,
  rows: readonly Partial<ReleaseInput>[],
  sourceId?: string,
): Promise<string> {
  const source = sourceId ?? (await createSource(ctx)).id;
  const complete = rows.map((row): ReleaseInput => {
    published += 1;
    return {
      title: `Release ${published}`,
      content: '',
      url: `https://releases.example/${published}`,
      publishedAt: new Date(Date.parse('2026-01-01T00:00:00.000Z') + published * 60_000).toISOString(),
      ...row,
    };
  });
  await postReleases(ctx, source, complete, { silent: true });
  return source;
}

interface LexicalQuestion {
  q: string;
  filter?: Partial<SearchFilter>;
}

// What the retriever of releases answers, by keys.
export async function askReleases(ctx: Context, requested: LexicalQuestion): Promise<FoundDocuments> {
  return byKeys(await searchReleases(ctx, searchOf(ctx, requested)));
}

export async function askChunks(ctx: Context, requested: LexicalQuestion): Promise<FoundDocuments> {
  return byKeys(await searchChunks(ctx, searchOf(ctx, requested)));
}

export interface FoundDocuments extends Omit<LexicalAnswer<unknown>, 'hits'> {
  hits: { docKey: number; score: number; pass: LexicalPass }[];
}

function searchOf(ctx: Context, { q, filter }: LexicalQuestion) {
  const query = describeQuery(q);
  const all: SearchFilter = { includePrereleases: query.prerelease, includeCoverage: false, ...filter };
  return { query, filter: all, identifierMissing: isIdentifierMissing(ctx, query) };
}

function byKeys({ hits, ...rest }: LexicalAnswer<{ docKey: number }>): FoundDocuments {
  return { ...rest, hits: hits.map(({ candidate, score, pass }) => ({ docKey: candidate.docKey, score, pass })) };
}

type FoundDocument = { title: string; pass: LexicalPass };

// What a search finds, best first.
export async function search(ctx: Context, q: string, filter: Partial<SearchFilter> = {}): Promise<FoundDocument[]> {
  const { hits } = await askReleases(ctx, { q, filter });
  const keys = hits.map(({ docKey }) => docKey);
  const rows = await ctx.store.read
    .selectFrom('releases')
    .select(['doc_key', 'title'])
    .where('doc_key', 'in', [...keys, -1])
    .execute();
  const titles = new Map(rows.map((row) => [row.doc_key, row.title]));
  return hits.map(({ docKey, pass }) => ({ title: titles.get(docKey) ?? '', pass }));
}

// The titles that match every word.
export async function titles(ctx: Context, q: string, filter: Partial<SearchFilter> = {}): Promise<string[]> {
  return (await search(ctx, q, filter)).filter(({ pass }) => pass === 'every').map(({ title }) => title);
}

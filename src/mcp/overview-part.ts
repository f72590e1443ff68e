// The written overview of an org or product, with the releases that back it.
import { z } from 'zod';
import type { Overview } from '../contract/overview.ts';
import { count } from '../contract/pagination.ts';
import { timestamp } from '../contract/scalars.ts';
import { bullets, day, facts, lines } from './markdown.ts';
import { link, quoted, shortened } from './quoting.ts';

export const overviewPart = z.object({
  content: z.string().describe('Markdown, made of what releases say.'),
  releaseCount: count,
  generatedAt: timestamp,
  citations: z.array(
    z.object({
      releaseId: z.string().nullable(),
      title: z.string().nullable(),
      sourceUrl: z.string(),
      startIndex: count.describe('Where the cited passage of `content` begins.'),
      endIndex: count.describe('Where it ends.'),
    }),
  ),
});

type OverviewPart = z.infer<typeof overviewPart>;

export function toOverviewPart(overview: Overview | null): OverviewPart | null {
  return overview && overviewPart.parse(overview);
}

// An excerpt keeps the citations of what it shows.
export function excerptOverview(overview: OverviewPart, length: number): OverviewPart {
  if (overview.content.length <= length) return overview;
  const content = shortened(overview.content, length);
  return { ...overview, content, citations: overview.citations.filter(({ endIndex }) => endIndex < content.length) };
}

export function overviewText(overview: OverviewPart): string {
  const cited = overview.citations.map(({ releaseId, sourceUrl }) => facts(releaseId, link(sourceUrl)));
  return lines(
    facts(`of ${day(overview.generatedAt)}`, `${overview.releaseCount} releases`),
    quoted(overview.content),
    cited.length > 0 && `Cited:\n${bullets([...new Set(cited)])}`,
  );
}

import { informativeTitle } from '../domain/notes/index.ts';
import type { SourceDraft } from './sources.ts';
import { iso } from './sources.ts';
import { MARKUP, statementsOf } from './statements.ts';
import { DAY_MS } from './timeline.ts';
import type { DemoCitation, DemoOverview, DemoRelease } from './types.ts';

type OverviewInput = {
  scope: 'org' | 'product';
  orgSlug: string;
  productSlug: string | null;
  name: string;
  // Sources of the scope.
  drafts: SourceDraft[];
  // Keys of the rows that other releases cover.
  covered: ReadonlySet<string>;
  today: number;
};

type Candidate = { draft: SourceDraft; row: number; release: DemoRelease; at: number };

const MAX_PARAGRAPHS = 4;
const MAX_STATEMENTS = 4;

// Text made of statements that occur word for word in a release, each with its span; null with too little to say.
export function buildOverview(input: OverviewInput): DemoOverview | null {
  const candidates = recentReleases(input, 30);
  const selected = candidates.length >= 5 ? candidates : recentReleases(input, 90);
  const days = candidates.length >= 5 ? 30 : 90;
  if (selected.length < 2) return null;

  const breaking = selected.filter(({ release }) => release.breaking === 'major').length;
  const text = createText(
    `${input.name} published ${selected.length} releases in the last ${days} days` +
      `${breaking > 0 ? `, ${breaking} of them with breaking changes` : ''}.`,
  );
  const bySource = [...Map.groupBy(selected, ({ draft }) => draft)]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, MAX_PARAGRAPHS);
  for (const [draft, releases] of bySource) writeParagraph(text, draft, releases);
  if (text.citations.length === 0) return null;

  const cited = selected.filter(({ draft, row }) =>
    text.citations.some(({ release }) => release.source === draft.source.key && release.row === row),
  );
  return {
    scope: input.scope,
    orgSlug: input.orgSlug,
    productSlug: input.productSlug,
    content: text.content,
    releaseCount: selected.length,
    lastContributingReleaseAt: iso(Math.max(...cited.map(({ at }) => at))),
    generatedAt: iso(input.today),
    citations: text.citations,
  };
}

// Newest first.
function recentReleases(input: OverviewInput, days: number): Candidate[] {
  const { today, covered } = input;
  return input.drafts
    .flatMap((draft) =>
      draft.source.releases.map((release, row) => ({ draft, row, release, at: Date.parse(release.publishedAt ?? '') })),
    )
    .filter(({ at }) => at > today - days * DAY_MS && at <= today)
    .filter(({ draft, row, release }) => !release.prerelease && !covered.has(`${draft.source.key}#${row}`))
    .sort((a, b) => b.at - a.at)
    .slice(0, 50);
}

type OverviewText = { content: string; citations: DemoCitation[] };

function createText(opening: string): OverviewText {
  return { content: opening, citations: [] };
}

function writeParagraph(text: OverviewText, draft: SourceDraft, releases: Candidate[]): void {
  // One statement of each release first; quiet sources may speak a second time. Without list entries the title speaks,
  // if it says something.
  const statements = releases.map((candidate) => {
    const found = statementsOf(candidate.release);
    return { candidate, texts: found.length > 0 ? found : titleOf(draft, candidate) };
  });
  const quoted = new Set<string>();
  const found = [0, 1].flatMap((round) =>
    statements.flatMap(({ candidate, texts }) => {
      const statement = texts[round];
      if (!statement || MARKUP.test(statement) || quoted.has(statement)) return [];
      quoted.add(statement);
      return [{ candidate, statement }];
    }),
  );
  if (found.length === 0) return;

  text.content += `\n\n**${draft.source.name}:** `;
  found.slice(0, MAX_STATEMENTS).forEach(({ candidate, statement }, index) => {
    if (index > 0) text.content += '; ';
    const startIndex = text.content.length;
    text.content += statement;
    text.citations.push({
      release: { source: draft.source.key, row: candidate.row },
      sourceUrl: candidate.release.url ?? draft.source.url,
      title: candidate.release.title,
      startIndex,
      endIndex: text.content.length,
      citedText: statement,
    });
    const { version } = candidate.release;
    if (version && statement !== candidate.release.title) text.content += ` (${version})`;
  });
  text.content += '.';
}

function titleOf({ source, org }: SourceDraft, { release }: Candidate): string[] {
  const names = [org?.name ?? '', source.name].filter(Boolean);
  const { title, version } = release;
  return informativeTitle({ title, version: version ?? null, names }) === null ? [] : [title];
}

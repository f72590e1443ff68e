import type { SourceDraft } from './sources.ts';
import { iso } from './sources.ts';
import { statementsOf } from './statements.ts';
import { DAY_MS } from './timeline.ts';
import type { DemoRelease, DemoSummary } from './types.ts';
import { MONTHS } from './vocabulary.ts';

const MAX_CHARS = 600;

/** One rolling row and one row for each past month with releases. `hidden` rows are not told about. */
export function buildSummaries(draft: SourceDraft, hidden: ReadonlySet<number>, today: number): DemoSummary[] {
  const shown = draft.source.releases.filter(
    (release, row) => !hidden.has(row) && release.publishedAt !== undefined && Date.parse(release.publishedAt) <= today,
  );
  const newest = shown.at(-1);
  if (!newest) return [];
  const recent = shown.filter((release) => Date.parse(release.publishedAt as string) > today - 30 * DAY_MS);
  const generatedAt = new Date(today);
  const rolling: DemoSummary = {
    type: 'rolling',
    year: generatedAt.getUTCFullYear(),
    month: generatedAt.getUTCMonth() + 1,
    windowDays: 30,
    summary: recent.length > 0 ? tell(recent, 'in the last 30 days') : quiet(newest),
    releaseCount: recent.length,
    generatedAt: iso(today),
  };

  const thisMonth = iso(today).slice(0, 7);
  const months = Map.groupBy(shown, (release) => (release.publishedAt as string).slice(0, 7));
  const monthly = [...months.entries()]
    .filter(([month]) => month < thisMonth)
    .map(([key, releases]): DemoSummary => {
      const [year = 0, month = 1] = key.split('-').map(Number);
      return {
        type: 'monthly',
        year,
        month,
        windowDays: null,
        summary: tell(releases, `in ${MONTHS[month - 1]} ${year}`),
        releaseCount: releases.length,
        generatedAt: iso(Date.UTC(year, month, 1, 3)),
      };
    });
  return [rolling, ...monthly];
}

function tell(releases: DemoRelease[], period: string): string {
  const versions = releases.flatMap((release) => (release.version ? [release.version] : []));
  const span = versions.length > 1 ? `, from ${versions[0]} to ${versions.at(-1)}` : '';
  let text = `${releases.length} ${releases.length === 1 ? 'release' : 'releases'} ${period}${span}.`;
  const ranked = [...releases].sort((a, b) => b.content.length - a.content.length).slice(0, 4);
  for (const release of ranked) {
    const [statement] = statementsOf(release);
    const piece = statement ? ` ${statement}${release.version ? ` (${release.version})` : ''}.` : ` ${release.title}.`;
    if (text.length + piece.length <= MAX_CHARS) text += piece;
  }
  return text;
}

function quiet(newest: DemoRelease): string {
  const day = newest.publishedAt?.slice(0, 10);
  return `No releases in the last 30 days; the latest was ${newest.version ?? newest.title} on ${day}.`;
}

import { periodSummary, quietSummary } from '../domain/digest/period-summary.ts';
import type { SourceDraft } from './sources.ts';
import { iso } from './sources.ts';
import { DAY_MS } from './timeline.ts';
import type { DemoRelease, DemoSummary } from './types.ts';

// Older months are left to the worker, which writes what is missing.
const MONTHS_TOLD = 6;

// One rolling row and one row for each of the last months with releases. `hidden` rows are not told about.
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
    summary: recent.length > 0 ? tell(draft, recent) : quiet(newest),
    releaseCount: recent.length,
    generatedAt: iso(today),
  };

  const thisMonth = iso(today).slice(0, 7);
  const months = Map.groupBy(shown, (release) => (release.publishedAt as string).slice(0, 7));
  const monthly = [...months.entries()]
    .filter(([month]) => month < thisMonth)
    .slice(-MONTHS_TOLD)
    .map(([key, releases]): DemoSummary => {
      const [year = 0, month = 1] = key.split('-').map(Number);
      return {
        type: 'monthly',
        year,
        month,
        windowDays: null,
        summary: tell(draft, releases),
        releaseCount: releases.length,
        generatedAt: iso(Date.UTC(year, month, 1, 3)),
      };
    });
  return [rolling, ...monthly];
}

// Told by the rules of the service itself, so that a text reads the same after its releases change.
function tell({ source, org }: SourceDraft, releases: DemoRelease[]): string {
  const names = [org?.name ?? '', source.name].filter(Boolean);
  return periodSummary({
    count: releases.length,
    versions: releases.flatMap(({ version }) => version ?? []),
    releases: releases.map(({ title, content, version, publishedAt }, index) => ({
      id: String(index).padStart(6, '0'),
      title,
      content,
      version: version ?? null,
      breaking: 'unknown',
      importance: null,
      feedAt: publishedAt ?? '',
      names,
    })),
  });
}

function quiet({ version, title, publishedAt }: DemoRelease): string {
  return quietSummary(30, { version: version ?? null, title, feedAt: publishedAt ?? '' });
}

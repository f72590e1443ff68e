// What a source did in a period, in a few lines.
import { shownVersion } from '../notes/index.ts';
import { compareVersionKeys, parseVersion } from '../versions/index.ts';
import { byWeight, packageCount, type SummarizedRelease, statementsOf, versionMark } from './statements.ts';

const MAX_LENGTH = 600;
const MAX_ITEMS = 8;

interface PeriodMaterial {
  count: number;
  // The versions of all releases of the period.
  versions: readonly string[];
  // The most important releases of the period.
  releases: readonly SummarizedRelease[];
}

export const MAX_STATEMENTS = MAX_ITEMS;

export function periodSummary({ count, versions, releases }: PeriodMaterial): string {
  let text = `${count} ${count === 1 ? 'release' : 'releases'}${versionSpan(versions)}.`;
  let items = '';
  for (const { statement, mark } of topStatements(releases, count === 1, packageCount(versions) > 1)) {
    const next = items === '' ? ` ${statement}${mark}` : `${items}; ${statement}${mark}`;
    if (text.length + next.length + 1 > MAX_LENGTH) continue;
    items = next;
  }
  if (items !== '') text += `${items}.`;
  return text;
}

// What is known of a window without a dated release.
interface QuietWindow {
  windowDays: number;
  // The begin of the window, as a time.
  from: string;
  // When the source was last read; null: never.
  checkedAt: string | null;
  // A release without a date arrived in the window, so it may have been published in it.
  hasUndated: boolean;
}

type QuietState = 'quiet' | 'undated' | 'not checked' | 'never checked';

// That nothing was released can only be said of a source that was read, and whose releases have dates.
export function quietState({ from, checkedAt, hasUndated }: Omit<QuietWindow, 'windowDays'>): QuietState {
  if (checkedAt === null) return 'never checked';
  if (checkedAt < from) return 'not checked';
  return hasUndated ? 'undated' : 'quiet';
}

// The summary of a source without a dated release in the window. `latest` is the highest version.
export function quietSummary(
  window: QuietWindow,
  latest: Pick<SummarizedRelease, 'version' | 'title' | 'feedAt'>,
): string {
  const { windowDays } = window;
  const name = latest.version ?? cutTitle(latest.title);
  const day = latest.feedAt === '' ? null : latest.feedAt.slice(0, 10);
  const stored = `the latest stored release is ${name}${day === null ? '' : `, from ${day}`}`;
  switch (quietState(window)) {
    case 'quiet':
      return `No releases in the last ${windowDays} days; the latest was ${name}${day === null ? '' : ` on ${day}`}.`;
    case 'undated':
      return `Releases without a date arrived in the last ${windowDays} days; ${stored}.`;
    case 'not checked':
      return `Not checked in the last ${windowDays} days; ${stored}.`;
    case 'never checked':
      return `Never checked for new releases; ${stored}.`;
  }
}

// The versions in words. When several packages share the source, there is no first and last version of all.
function versionSpan(versions: readonly string[]): string {
  const packages = packageCount(versions);
  if (packages > 1) return ` of ${packages} packages`;
  const keys = new Map(versions.map((version) => [version, parseVersion(version)?.sortKey ?? '']));
  const rising = [...versions].sort((a, b) => compareVersionKeys(keys.get(a) ?? '', keys.get(b) ?? ''));
  const [first, last] = [rising[0], rising.at(-1)].map((version) => version && shownVersion(version));
  if (!first || !last) return '';
  return first === last ? `: ${first}` : `: ${first} to ${last}`;
}

// The best statement of each release in turn, the most important release first.
function topStatements(
  releases: readonly SummarizedRelease[],
  alone: boolean,
  withPackage: boolean,
): { statement: string; mark: string }[] {
  const queues = [...releases]
    .sort(byWeight)
    .slice(0, MAX_ITEMS)
    .map((release) => ({ mark: alone ? '' : versionMark(release, withPackage), statements: statementsOf(release) }));
  const chosen: { statement: string; mark: string }[] = [];
  for (let turn = 0; turn < MAX_ITEMS && chosen.length < MAX_ITEMS; turn += 1) {
    for (const { mark, statements } of queues) {
      const found = statements[turn];
      const statement = found && found.lead + found.text;
      if (statement === undefined || chosen.some((one) => isSame(one.statement, statement))) continue;
      chosen.push({ statement, mark });
    }
  }
  return chosen.slice(0, MAX_ITEMS);
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function cutTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  return line.length <= 200 ? line : `${line.slice(0, 199).trimEnd()}…`;
}

// What a source did in a period, in a few lines.
import { shownVersion } from '../notes/index.ts';
import { compareVersionKeys, parseVersion } from '../versions/index.ts';
import { byWeight, type DigestRelease, packageCount, statementsOf, versionMark } from './statements.ts';

const LONGEST = 600;
const MOST_ITEMS = 8;

interface PeriodMaterial {
  count: number;
  // The versions of all releases of the period.
  versions: readonly string[];
  // The most important releases of the period.
  releases: readonly DigestRelease[];
}

export const MOST_STATEMENTS = MOST_ITEMS;

export function periodSummary({ count, versions, releases }: PeriodMaterial): string {
  let text = `${count} ${count === 1 ? 'release' : 'releases'}${versionSpan(versions)}.`;
  let items = '';
  for (const { statement, mark } of topStatements(releases, count === 1, packageCount(versions) > 1)) {
    const next = items === '' ? ` ${statement}${mark}` : `${items}; ${statement}${mark}`;
    if (text.length + next.length + 1 > LONGEST) continue;
    items = next;
  }
  if (items !== '') text += `${items}.`;
  return text;
}

// The summary of a source without a release in the window.
export function quietSummary(windowDays: number, latest: Pick<DigestRelease, 'version' | 'title' | 'feedAt'>): string {
  const latestName = latest.version ?? cutTitle(latest.title);
  const when = latest.feedAt === '' ? '' : ` on ${latest.feedAt.slice(0, 10)}`;
  return `No releases in the last ${windowDays} days; the latest was ${latestName}${when}.`;
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
  releases: readonly DigestRelease[],
  alone: boolean,
  withPackage: boolean,
): { statement: string; mark: string }[] {
  const queues = [...releases]
    .sort(byWeight)
    .slice(0, MOST_ITEMS)
    .map((release) => ({ mark: alone ? '' : versionMark(release, withPackage), statements: statementsOf(release) }));
  const chosen: { statement: string; mark: string }[] = [];
  for (let turn = 0; turn < MOST_ITEMS && chosen.length < MOST_ITEMS; turn += 1) {
    for (const { mark, statements } of queues) {
      const statement = statements[turn]?.text;
      if (statement === undefined || chosen.some((one) => isSame(one.statement, statement))) continue;
      chosen.push({ statement, mark });
    }
  }
  return chosen.slice(0, MOST_ITEMS);
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function cutTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  return line.length <= 200 ? line : `${line.slice(0, 199).trimEnd()}…`;
}

// What a source did in a period, in a few lines.
import { shownVersion } from '../notes/index.ts';
import { byWeight, type DigestRelease, statementsOf, versionMark } from './statements.ts';

const LONGEST = 600;
const MOST_ITEMS = 8;

export interface PeriodMaterial {
  count: number;
  /** Of all releases of the period, oldest first. */
  versions: readonly string[];
  /** The weightiest ones. */
  releases: readonly DigestRelease[];
}

export const MOST_TOLD = MOST_ITEMS;

export function periodSummary({ count, versions, releases }: PeriodMaterial): string {
  let text = `${count} ${count === 1 ? 'release' : 'releases'}${versionSpan(versions)}.`;
  let items = '';
  for (const { statement, mark } of topStatements(releases, count === 1)) {
    const next = items === '' ? ` ${statement}${mark}` : `${items}; ${statement}${mark}`;
    if (text.length + next.length + 1 > LONGEST) continue;
    items = next;
  }
  if (items !== '') text += `${items}.`;
  return text;
}

/** Of a source that was quiet for the whole window. */
export function quietSummary(windowDays: number, latest: Pick<DigestRelease, 'version' | 'title' | 'feedAt'>): string {
  const what = latest.version ?? cutTitle(latest.title);
  const when = latest.feedAt === '' ? '' : ` on ${latest.feedAt.slice(0, 10)}`;
  return `No releases in the last ${windowDays} days; the latest was ${what}${when}.`;
}

function versionSpan(versions: readonly string[]): string {
  const [first, last] = [versions[0], versions.at(-1)].map((version) => version && shownVersion(version));
  if (!first || !last) return '';
  return first === last ? `: ${first}` : `: ${first} to ${last}`;
}

// The best of each release in turn, the weightiest release first.
function topStatements(releases: readonly DigestRelease[], alone: boolean): { statement: string; mark: string }[] {
  const queues = [...releases]
    .sort(byWeight)
    .slice(0, MOST_ITEMS)
    .map((release) => ({ mark: alone ? '' : versionMark(release), statements: statementsOf(release) }));
  const chosen: { statement: string; mark: string }[] = [];
  for (let turn = 0; turn < MOST_ITEMS && chosen.length < MOST_ITEMS; turn += 1) {
    for (const { mark, statements } of queues) {
      const statement = statements[turn]?.text;
      if (statement !== undefined && !chosen.some((one) => one.statement === statement))
        chosen.push({ statement, mark });
    }
  }
  return chosen.slice(0, MOST_ITEMS);
}

function cutTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  return line.length <= 200 ? line : `${line.slice(0, 199).trimEnd()}…`;
}

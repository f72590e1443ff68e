// A picture of what is coming for a list of packages: a tower each, the riskiest first, as high as the versions that lie
// between.
import { GROUP_WORDS, groupOf } from '../upgrade/report/groups.ts';
import type { ReportRow } from '../upgrade/report/row.ts';
import { countWords, formatted } from '../upgrade/report/words.ts';

type Level = 'major' | 'minor' | 'unknown' | 'none';

interface Skyline {
  // The outline of the towers of each level, in a box of these sizes.
  width: number;
  height: number;
  outlines: { level: Level; path: string }[];
  // The same in words, a sentence each level.
  words: string[];
}

const WIDTH = 1000;
const HEIGHT = 100;
const MAX_TOWERS = 240;
const LEVELS: readonly Level[] = ['major', 'minor', 'unknown', 'none'];
const MAX_NAMED = 3;

interface Tower {
  level: Level;
  versions: number;
}

// Null where nothing comes. Of a security fix, what it breaks decides.
export function skylineOf(rows: readonly ReportRow[]): Skyline | null {
  const coming = rows.flatMap((row) => {
    const level = levelOf(row);
    return level === null ? [] : [{ row, level, versions: Math.max(1, row.counts.versions) }];
  });
  if (coming.length === 0) return null;
  const byLevel = new Map(LEVELS.map((level) => [level, coming.filter((one) => one.level === level)]));
  const perTower = Math.ceil(coming.length / MAX_TOWERS);
  const towers = LEVELS.flatMap((level) => joined(byLevel.get(level) ?? [], perTower));
  const highest = Math.max(...towers.map(({ versions }) => versions));
  const step = WIDTH / towers.length;
  const outlines = LEVELS.flatMap((level) => {
    const path = towers
      .map((tower, at) => (tower.level === level ? box(at * step, step, heightOf(tower.versions, highest)) : ''))
      .join('');
    return path === '' ? [] : [{ level, path }];
  });
  const words = LEVELS.flatMap((level) => {
    const own = byLevel.get(level) ?? [];
    return own.length === 0 ? [] : [sentenceOf(level, own)];
  });
  return { width: WIDTH, height: HEIGHT, outlines, words };
}

function levelOf(row: ReportRow): Level | null {
  if (row.judgement === null || row.ignored || row.done) return null;
  const { level } = GROUP_WORDS[row.judgement];
  return groupOf(row) === 'up_to_date' || level === 'out' ? null : level;
}

// Where there are more packages than towers, a tower is as high as the highest of its packages.
function joined(own: readonly { level: Level; versions: number }[], perTower: number): Tower[] {
  const towers: Tower[] = [];
  const sorted = own.toSorted((a, b) => b.versions - a.versions);
  for (let start = 0; start < sorted.length; start += perTower) {
    const first = sorted[start];
    if (first) towers.push({ level: first.level, versions: first.versions });
  }
  return towers;
}

// A package with a thousand versions leaves the others some height.
function heightOf(versions: number, highest: number): number {
  return Math.max(6, (HEIGHT * Math.log2(1 + versions)) / Math.log2(1 + highest));
}

function box(x: number, step: number, height: number): string {
  const width = step > 3 ? step * 0.82 : step;
  return `M${x.toFixed(1)} ${HEIGHT}v${(-height).toFixed(1)}h${width.toFixed(1)}v${height.toFixed(1)}z`;
}

const GROUP_OF = { major: 'breaks', minor: 'may_break', unknown: 'not_known', none: 'no_sign' } as const;

function sentenceOf(level: Level, own: readonly { row: ReportRow; versions: number }[]): string {
  const most = own.toSorted((a, b) => b.versions - a.versions).slice(0, MAX_NAMED);
  const named = most
    .filter(({ row }) => row.counts.versions > 0)
    .map(({ row, versions }) => `${row.package} (${formatted(versions)} ${versions === 1 ? 'version' : 'versions'})`);
  const furthest = named.length === 0 ? '' : `; most versions lie between with ${named.join(', ')}`;
  return `${countWords(GROUP_OF[level], own.length)}${furthest}.`;
}

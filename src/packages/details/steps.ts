// The last steps between the versions of a package, each with the answer that its notes give.
import type { Breaking } from '../../contract/enums.ts';
import { BY_VERSION_WORDS } from '../../domain/upgrade/judgement.ts';
import type { VersionOfPackage } from './versions.ts';

export interface PackageStep {
  from: string;
  to: string;
  answer: Breaking;
  // What the answer rests on, in words of the notes or about them.
  because: string;
}

const MAX_MAJORS = 4;

// The newest step, the way through the newest line, and the steps from line to line, newest first. `falling` are all
// versions, highest first.
export function lastSteps(falling: readonly VersionOfPackage[]): PackageStep[] {
  const all = falling.filter(({ key, withdrawn }) => key !== null && !withdrawn).reverse();
  const rising = all.filter(({ prerelease }) => !prerelease);
  const last = rising.length - 1;
  if (last < 1) return [];
  const lines = rising.flatMap((version, index) =>
    index === 0 || majorOf(version) !== majorOf(rising[index - 1]) ? index : [],
  );
  const start = lines.at(-1) ?? 0;
  const spans: [number, number][] = [[last - 1, last]];
  if (start < last - 1) spans.push([start, last]);
  for (const first of lines.slice(1).slice(-MAX_MAJORS).reverse()) spans.push([first - 1, first]);
  const distinct = new Map(spans.map((span) => [span.join(), span]));
  return [...distinct.values()].map(([from, to]) => stepOf({ all, rising }, from, to));
}

// From the newest version of the line before to the newest one; null where there is one line alone.
export function lastMajorStep(falling: readonly VersionOfPackage[]): { from: string; to: string } | null {
  return majorSteps(falling)[0] ?? null;
}

// The ways from the newest version of a line to the newest of the next, newest first.
export function majorSteps(falling: readonly VersionOfPackage[]): { from: string; to: string }[] {
  const stable = falling.filter(({ key, withdrawn, prerelease }) => key !== null && !withdrawn && !prerelease);
  const newest = stable.filter((version, index) => index === 0 || majorOf(version) !== majorOf(stable[index - 1]));
  return newest.flatMap((to, index) => {
    const from = newest[index + 1];
    return from ? [{ from: from.version, to: to.version }] : [];
  });
}

function majorOf(version: VersionOfPackage | undefined): string {
  return /^\D*(\d+)/.exec(version?.version ?? '')?.[1] ?? '';
}

// The title without the name and the version before what it tells.
export function toldTitle({ title, version }: Pick<VersionOfPackage, 'title' | 'version'>): string {
  const at = title?.indexOf(version) ?? -1;
  if (!title || at === -1) return title ?? '';
  const [before, after] = [title.slice(0, at), title.slice(at + version.length)];
  return /^(?:\S+[\s@])?v?$/.test(before) && /^(?:[:\s]|$)/.test(after) ? after.replace(/^[:\s–—-]+/, '') : title;
}

interface Versions {
  all: readonly VersionOfPackage[];
  // Without pre-releases.
  rising: readonly VersionOfPackage[];
}

function stepOf({ all, rising }: Versions, from: number, to: number): PackageStep {
  const between = rising.slice(from + 1, to + 1);
  const [start, end] = [rising[from], rising[to]].map((version) => (version ? all.indexOf(version) : 0));
  // The number of a pre-release says nothing that the final version does not; what it broke is seldom told again.
  const told = all.slice((start ?? 0) + 1, (end ?? 0) + 1).filter((one) => !one.prerelease || !one.byVersion);
  const breaks = [...told.filter(({ byVersion }) => !byVersion), ...told.filter(({ byVersion }) => byVersion)];
  const bounds = { from: rising[from]?.version ?? '', to: rising[to]?.version ?? '' };
  for (const level of ['major', 'minor'] as const) {
    const first = breaks.find(({ breaking }) => breaking === level);
    if (first) return { ...bounds, answer: level, because: breakWords(first) };
  }
  const silent = between.filter(({ noted }) => !noted);
  if (silent.length > 0) {
    const [first] = silent;
    const because =
      silent.length === 1
        ? `${first?.version} has no notes`
        : `${silent.length} of ${between.length} versions have no notes`;
    return { ...bounds, answer: 'unknown', because };
  }
  const unjudged = between.find(({ breaking }) => breaking !== 'none');
  if (unjudged) return { ...bounds, answer: 'unknown', because: `The notes of ${unjudged.version} do not say enough` };
  return {
    ...bounds,
    answer: 'none',
    because: between.length === 1 ? 'Its notes show no break' : `The notes of ${between.length} versions show no break`,
  };
}

function breakWords(first: VersionOfPackage): string {
  if (first.byVersion) return `${first.version} is ${BY_VERSION_WORDS}`;
  return `${first.version}: ${toldTitle(first) || 'its notes say so'}`;
}

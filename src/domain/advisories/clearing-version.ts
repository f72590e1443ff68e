// The smallest published version above an installed one that no advisory at hand covers, and when the cooldown of the reader lets it through.
import { factsOfEcosystem, type PackageName } from '../ecosystems/index.ts';
import { coverageOfVersion } from './affected-version.ts';
import type { Advisory } from './osv-record.ts';

export interface PublishedVersion {
  version: string;
  publishedAt: string | null;
  // Yanked or gone from the registry.
  isWithdrawn: boolean;
}

interface ClearingQuestion extends PackageName {
  installed: string;
  advisories: readonly Advisory[];
  published: readonly PublishedVersion[];
  // How old a version has to be, in minutes: null where the setting could not be read. Versions may be excepted.
  cooldown: (version: string) => number | null;
  now: Date;
}

interface ClearingAnswer {
  affectedBy: readonly Advisory[];
  // Advisories whose ranges cannot be put in order with the installed version.
  unreadable: readonly Advisory[];
  smallest: string | null;
  smallestInLine: string | null;
  smallestOutOfCooldown: string | null;
  // When `smallest` leaves the cooldown; null when it has left, or when that cannot be told.
  readyAt: string | null;
}

export function findClearingVersion(question: ClearingQuestion): ClearingAnswer {
  const { ecosystem, name, installed, advisories, published, now } = question;
  const facts = factsOfEcosystem(ecosystem);
  const own = advisories.map((one) => ({
    one,
    coverage: coverageOfVersion(one, { ecosystem, name, version: installed }),
  }));
  const affectedBy = own.filter(({ coverage }) => coverage === 'affected').map(({ one }) => one);
  const unreadable = own.filter(({ coverage }) => coverage === 'unknown').map(({ one }) => one);
  const none = { smallest: null, smallestInLine: null, smallestOutOfCooldown: null, readyAt: null };
  if (affectedBy.length === 0) return { affectedBy, unreadable, ...none };
  const isClear = (version: string) =>
    advisories.every((one) => coverageOfVersion(one, { ecosystem, name, version }) === 'clear');
  const above = published
    .filter(({ version, isWithdrawn }) => !isWithdrawn && facts.isStableVersion(version))
    .filter(({ version }) => (facts.compareVersions(installed, version) ?? 0) < 0)
    .filter(({ version }) => isClear(version))
    .sort((a, b) => facts.compareVersions(a.version, b.version) ?? 0);
  const smallest = above[0] ?? null;
  const line = facts.releaseLine(installed);
  const readyTime = (one: PublishedVersion): number | null => {
    const minutes = question.cooldown(one.version);
    if (minutes === 0) return Number.NEGATIVE_INFINITY;
    return minutes === null || one.publishedAt === null ? null : Date.parse(one.publishedAt) + minutes * 60_000;
  };
  const isOut = (one: PublishedVersion) => {
    const time = readyTime(one);
    return time !== null && time <= now.getTime();
  };
  const ready = smallest === null || isOut(smallest) ? null : readyTime(smallest);
  return {
    affectedBy,
    unreadable,
    smallest: smallest?.version ?? null,
    smallestInLine: above.find(({ version }) => facts.releaseLine(version) === line)?.version ?? null,
    smallestOutOfCooldown: above.find(isOut)?.version ?? null,
    readyAt: ready === null ? null : new Date(ready).toISOString(),
  };
}

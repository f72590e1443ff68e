// What the answer on an upgrade cannot know, and why, in words for people.
import type { UpgradeEntry, WhatsChanged } from '../../contract/whats-changed.ts';
import { compareVersionKeys, versionSort } from '../../domain/versions/index.ts';
import { relative } from './time.ts';
import { bareVersion, missingBound, unnotedSentence } from './verdict.ts';

export function hasNotes({ summary, excerpt }: UpgradeEntry): boolean {
  return summary !== '' || (excerpt ?? '') !== '';
}

// Names of a list, the first ones and how many follow.
export function listed(names: readonly string[], most: number): string {
  const shown = names.length > most ? names.slice(0, most - 1) : names;
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

const NO_NOTES = 'The package registry has them, and nothing that is read here tells what they changed.';

// The stored versions without notes that a listing does not already name.
export function silentEntries({ entries, history }: WhatsChanged): UpgradeEntry[] {
  return history?.published == null ? entries.filter((entry) => !hasNotes(entry)) : [];
}

interface MissingVersions {
  what: string;
  why: string;
}

// The part of the range that no stored version covers; null when the history is complete.
export function missingVersions(answer: WhatsChanged, now: number): MissingVersions | null {
  const { history, reason } = answer;
  if (!history || history.complete) return null;
  const unnoted = unnotedSentence(answer);
  if (unnoted !== null) return { what: `${unnoted[0]?.toUpperCase()}${unnoted.slice(1)}`, why: NO_NOTES };
  const [from, to] = [bareVersion(answer.fromVersion ?? answer.from), bareVersion(answer.toVersion ?? answer.to)];
  const why = reading(history, now);
  if (history.lowest === null || history.highest === null) return { what: 'No version is stored', why };
  const [lowest, highest] = [bareVersion(history.lowest), bareVersion(history.highest)];
  if (reason === 'history_gap')
    return { what: `Version ${missingBound(answer)} is not stored`, why: 'Others of this range may be missing too.' };
  const ranges = [
    isBelow(from, lowest) ? `between ${from} and ${lowest}` : '',
    reason === 'history_begins'
      ? ''
      : answer.to === 'latest' || !isBelow(highest, to)
        ? `above ${highest}`
        : `from ${highest} to ${to}`,
  ].filter(Boolean);
  return { what: `Versions ${listed(ranges, 2) || `around ${from} and ${to}`}`, why };
}

function isBelow(one: string, other: string): boolean {
  const [left, right] = [versionSort(one), versionSort(other)];
  return left !== null && right !== null && compareVersionKeys(left, right) < 0;
}

function reading({ checkedAt, tracked }: NonNullable<WhatsChanged['history']>, now: number): string {
  const last =
    checkedAt === null
      ? 'Its source was never read for newer ones'
      : `Its source was last read ${relative(checkedAt, now)}`;
  return tracked ? `${last}, and is read again soon.` : `${last}, and is not read regularly.`;
}

// The verdict on an upgrade as a sentence. When the registry lacks the data, the sentence never claims that nothing
// breaks.
import type { Breaking } from '../../contract/enums.ts';
import type { WhatsChanged } from '../../contract/whats-changed.ts';
import { BY_VERSION_WORDS, isByVersionAlone } from '../../domain/upgrade/judgement.ts';
import { levelOf } from '../../domain/upgrade/report/answer.ts';
import { lackOfPackage } from '../../domain/upgrade/report/reasons.ts';
import { compareVersionKeys, versionSort } from '../../domain/versions/index.ts';
import { type Html, plural } from './html.ts';
import { icon } from './icon.ts';
import { splitVersion, VERDICT_ICONS } from './marks.ts';

export function verdictSentence(answer: WhatsChanged): string {
  const { summary, history, total } = answer;
  const { major, minor, unknown } = summary.breaking;
  const level = levelOf(answer);
  if (answer.status !== 'resolved') {
    if (level === 'major') return 'Yes, it breaks: the package itself shows it';
    return level === 'minor' ? 'It may break: the package itself makes it likely' : unansweredSentence(answer);
  }
  const of = (count: number) => `${count} of ${plural(total, 'version')}`;
  if (level === 'major' && isByVersionAlone(answer)) {
    return major > 1
      ? `${major} new major versions; their notes say nothing of what breaks`
      : `${BY_VERSION_WORDS.charAt(0).toUpperCase()}${BY_VERSION_WORDS.slice(1)}`;
  }
  const left =
    answer.worst === level && answer.omittedBreaking?.find((one) => one.prerelease && one.breaking === level);
  if (left && summary.breaking[level] === 0) {
    const name = `${bareVersion(left.version ?? '')}, a pre-release in between`;
    return level === 'major' ? `Yes, it breaks: ${name}, has breaking changes` : `It may break: look at ${name}`;
  }
  if (level === 'major' && major === 0) {
    return answer.undocumented
      ? 'Yes, it breaks: the package shows it, and the notes do not mention it'
      : 'Yes, it breaks: the package itself shows it';
  }
  if (level === 'major') {
    const first = answer.entries.find(({ breaking, judgedBy }) => breaking === 'major' && !judgedBy)?.version;
    if (major > 1) return `Yes, it breaks: ${of(major)} have breaking changes`;
    return first ? `Yes, it breaks: ${bareVersion(first)} has breaking changes` : 'Yes, it breaks';
  }
  if (level === 'minor' && minor === 0) return 'It may break: the package itself makes it likely';
  if (level === 'minor')
    return `It may break: ${minor === 1 && total === 1 ? 'look at the one version' : `${of(minor)} ${minor === 1 ? 'needs' : 'need'} a look`}`;
  if (isAhead(answer)) return 'Your version is newer than the latest one known';
  if (level === 'none' && answer.reason === 'up_to_date')
    return `You have the latest version known, ${bareVersion(answer.toVersion ?? answer.to)}`;
  if (level === 'none')
    return total === 0 ? 'Nothing changed in this range' : `No sign of a break in ${plural(total, 'version')}`;
  if (history?.complete !== true) {
    const unnoted = unnotedSentence(answer);
    if (unnoted !== null) return `Not known: ${unnoted}`;
    if (!history?.highest) return 'Not known: no version is stored';
    if (answer.reason === 'history_gap') return `Not known: ${missingBound(answer)} is not stored`;
    return answer.reason === 'history_begins' && history.lowest
      ? `Not known: the stored versions begin at ${bareVersion(history.lowest)}`
      : `Not known: the stored versions end at ${bareVersion(history.highest)}`;
  }
  if (total === 0) return 'Not known: no version of this range is stored';
  const lack = lackOfPackage(answer);
  if (lack !== null) return `Not known${answer.evidence?.status === 'pending' ? ' yet' : ''}: ${lack}`;
  return `Not known: the notes of ${of(unknown)} ${unknown === 1 ? 'does' : 'do'} not say`;
}

// The published versions of a range that have no notes: one by its name, more by their number.
export function unnotedSentence({ history }: WhatsChanged): string | null {
  if (!history?.published || history.withoutNotesCount === 0) return null;
  const { published, withoutNotes, withoutNotesCount } = history;
  if (withoutNotesCount === 1) return `${withoutNotes[0]} has no notes`;
  return `${withoutNotesCount} of ${plural(published, 'version')} have no notes`;
}

function unansweredSentence({ package: name, reason, reasonDetail }: WhatsChanged): string {
  if (reasonDetail === 'package_required') return `Which package of ${name}?`;
  if (reason === 'ambiguous' || reasonDetail === 'ecosystem_required') return `Which ${name}?`;
  if (reason === 'no_releases') return `Not known: no version of ${name} is stored`;
  return `Not known: the notes of ${name} are not tracked here`;
}

// The bound of a range inside the stored versions that is not stored itself.
export function missingBound({ entries, from, to, fromVersion, toVersion }: WhatsChanged): string {
  const upper = bareVersion(toVersion ?? to);
  const last = entries.at(-1)?.version ?? null;
  const isStored = last !== null && versionSort(bareVersion(last)) === versionSort(upper);
  return isStored ? bareVersion(fromVersion ?? from) : upper;
}

// Whether the reader runs a version above all that are stored and above the one that `latest` means.
function isAhead({ fromVersion, toVersion, history }: WhatsChanged): boolean {
  const [own, ...known] = [fromVersion, history?.highest, toVersion].map((version) => version && versionSort(version));
  return Boolean(own && known[0] && known.every((key) => !key || compareVersionKeys(own, key) > 0));
}

// A version without the package that precedes it, for places that name the package already.
export function bareVersion(version: string): string {
  const { prefix, before, moved, after } = splitVersion(version);
  return prefix.length > 1 ? `${before}${moved}${after}` : version;
}

export function verdictGlyph(level: Breaking): Html {
  return icon(VERDICT_ICONS[level]);
}

// What breaks a package, or why it is not known: one line in words for people, no call of an interface, no parameter.
import { migrationSteps } from '../../notes/steps.ts';
import { BY_VERSION_WORDS, isByVersionAlone } from '../judgement.ts';
import { type AnsweredUpgrade, shownFindings } from './answer.ts';
import type { NotesVerdict } from './row.ts';

export function reasonOf(answer: AnsweredUpgrade, risk: NotesVerdict): string {
  const reason = ownReason(answer, risk);
  const fix = securityWords(answer);
  if (fix === null || reason.includes(fix.replace(/^Fixes /, ''))) return reason;
  const isOurs = risk !== 'major' && risk !== 'minor';
  return `${fix}; ${isOurs ? reason.charAt(0).toLowerCase() + reason.slice(1) : reason}`;
}

const ADVISORY = /\b(?:CVE-\d{4}-\d{4,7}|GHSA(?:-[a-z0-9]{4}){3})\b/gi;

// What the notes of a range repair, by the names of its advisories; null when they tell of no security problem.
function securityWords({ entries, summary }: AnsweredUpgrade): string | null {
  const told = entries.filter(({ security }) => security === true);
  if (told.length === 0 && (summary.security ?? 0) === 0) return null;
  const texts = told.flatMap((entry) => [entry.title, entry.summary, entry.excerpt ?? '', entry.migrationNotes ?? '']);
  const [first, ...more] = new Set(texts.join('\n').match(ADVISORY) ?? []);
  if (first === undefined) return 'Has a security fix';
  return `Fixes ${first}${more.length > 0 ? ` and ${more.length} more` : ''}`;
}

function ownReason(answer: AnsweredUpgrade, risk: NotesVerdict): string {
  if (risk === 'not_tracked') return 'Its notes are not tracked here';
  if (risk === 'none')
    return answer.total === 0 ? nothingNew(answer) : `No sign of a break in ${versions(answer.total)}`;
  return risk === 'major' || risk === 'minor' ? breakReason(answer, risk) : unknownReason(answer);
}

// What the package shows is named before what the notes tell, because it names what is gone.
function breakReason(answer: AnsweredUpgrade, risk: 'major' | 'minor'): string {
  const { entries, omittedBreaking = [], steps = [], undocumented } = answer;
  const [finding] = shownFindings(answer).filter(({ certainty }) => risk === 'minor' || certainty === 'proven');
  const left = omittedBreaking.filter(({ breaking }) => breaking === risk);
  const worst = entries.filter(({ breaking, judgedBy }) => breaking === risk && judgedBy === undefined);
  const [seen] = steps.filter(({ from }) => from === 'package');
  const isNoted = worst.length + left.length > 0;
  const shown = finding?.text ?? (isNoted ? undefined : seen?.text);
  if (shown) return undocumented ? `${shown}; the notes do not mention it` : shown;
  if (isByVersionAlone(answer)) return BY_VERSION_WORDS.charAt(0).toUpperCase() + BY_VERSION_WORDS.slice(1);
  const notes = [...left.map(({ step }) => step), ...worst.map(({ migrationNotes }) => migrationNotes)];
  const [step] = notes.flatMap((text) => (text ? migrationSteps(text) : []));
  const [first] = worst;
  // A step names the break; a summary may begin with something else.
  const text = step ?? (first?.summary || first?.excerpt || first?.title || left[0]?.title);
  return text || 'The notes call it breaking and do not say why';
}

function nothingNew({ reason, toVersion, to }: AnsweredUpgrade): string {
  return reason === 'up_to_date' ? `${toVersion ?? to} is the latest version known` : 'Nothing changed in this range';
}

// The published versions of a range without notes; null when there are none. Servers of before do not tell.
export function unnotedWords(history: AnsweredUpgrade['history'], most = 4): string | null {
  const { published, withoutNotes = [], withoutNotesCount = 0 } = history ?? {};
  if (!published || withoutNotesCount === 0) return null;
  const named = withoutNotes.slice(0, most);
  const more = withoutNotesCount - named.length;
  const names = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
  return `${withoutNotesCount} of ${versions(published)} ${withoutNotesCount === 1 ? 'has' : 'have'} no notes: ${names}`;
}

function unknownReason(answer: AnsweredUpgrade): string {
  const { history, reason, total, summary } = answer;
  const unnoted = unnotedWords(history);
  if (unnoted !== null) return unnoted;
  if (reason === 'ambiguous') return 'Several sources have this name';
  if (reason === 'no_releases' || (history && history.highest === null)) return 'No version of it is stored yet';
  if (answer.status !== 'resolved') return 'Nothing of it could be compared';
  if (history?.complete !== true && history?.lowest && history.highest) {
    return `Stored versions reach from ${history.lowest} to ${history.highest} only`;
  }
  if (total === 0) return 'No version of this range is stored';
  const lack = lackOfPackage(answer);
  if (lack !== null) return `The notes show no break; ${lack}`;
  return `The notes of ${summary.breaking.unknown} of ${versions(total)} do not say`;
}

type Judged = Pick<AnsweredUpgrade, 'history' | 'total' | 'summary' | 'status' | 'evidence'>;

const WAITING: Partial<Record<NonNullable<AnsweredUpgrade['evidence']>['status'], string>> = {
  pending: 'the packages are being compared',
  too_large: 'the packages are too large to compare',
  not_available: 'a package cannot be had to compare it',
};

// Only what a package registry lists can be downloaded.
const UNLISTED = 'its published versions are not listed here yet, so the packages were not compared';

// Why an answer is not known where its notes are complete and show no break; null when something else is missing than the
// packages.
export function lackOfPackage({ status, history, total, summary: { breaking }, evidence }: Judged): string | null {
  const isQuiet = breaking.unknown === 0 && breaking.major + breaking.minor === 0;
  if (status !== 'resolved' || history?.complete !== true || total === 0 || !isQuiet) return null;
  if (evidence?.status === 'not_available' && (history.published ?? null) === null) return UNLISTED;
  return (evidence && WAITING[evidence.status]) ?? 'the packages were not compared';
}

function versions(count: number): string {
  return `${count} ${count === 1 ? 'version' : 'versions'}`;
}

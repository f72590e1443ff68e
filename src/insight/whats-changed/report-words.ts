// What a report on a project says of one package, in words for people: no call of an interface, no name of a parameter.
import type { WhatsChanged } from '../../contract/whats-changed.ts';
import { migrationSteps } from '../../domain/notes/steps.ts';
import type { OtherChange } from '../../domain/upgrade/lockfiles/upgrades.ts';
import { lackOfPackage } from './judgement-words.ts';
import type { ReportRow } from './report.ts';

export const OTHER_WORDS: Record<OtherChange['reason'], string> = {
  added: 'added',
  removed: 'removed',
  lowered: 'is a downgrade',
  elsewhere: 'is not from a registry',
  any_version: 'admits every version',
  unreadable: 'has no version that can be compared',
};

export function breaks({ risk }: Pick<ReportRow, 'risk'>): boolean {
  return risk === 'major' || risk === 'minor';
}

// Why a row has no verdict, or what breaks it.
export function rowNote(row: ReportRow): string {
  const { risk, answer } = row;
  if (answer === null) return 'The two versions cannot be put in order';
  if (risk === 'not_tracked') return 'Its notes are not tracked here';
  if (risk === 'none')
    return answer.total === 0 ? nothingNew(answer) : `No sign of a break in ${versions(answer.total)}`;
  if (!breaks(row)) return unknownNote(answer);
  const left = (answer.omittedBreaking ?? []).filter(({ breaking }) => breaking === risk);
  const worst = answer.entries.filter(({ breaking }) => breaking === risk);
  const notes = [...left.map(({ step }) => step), ...worst.map(({ migrationNotes }) => migrationNotes)];
  const [step] = notes.flatMap((text) => (text ? migrationSteps(text) : []));
  const [first] = worst;
  const [shown] = answer.steps.filter(({ from }) => from === 'package');
  if (worst.length + left.length === 0 && shown) return `${shown.text}; the notes do not mention it`;
  // A step names the break; a summary may begin with something else.
  const text = step ?? (first?.summary || first?.excerpt || first?.title || left[0]?.title);
  return text || 'The notes call it breaking and do not say why';
}

function nothingNew({ reason, toVersion, to }: WhatsChanged): string {
  return reason === 'up_to_date' ? `${toVersion ?? to} is the latest version known` : 'Nothing changed in this range';
}

// The published versions of a range without notes; null when there are none. Servers of before do not tell.
export function unnotedWords(history: WhatsChanged['history'], most = 4): string | null {
  const { published, withoutNotes = [], withoutNotesCount = 0 } = history ?? {};
  if (!published || withoutNotesCount === 0) return null;
  const named = withoutNotes.slice(0, most);
  const more = withoutNotesCount - named.length;
  const names = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
  return `${withoutNotesCount} of ${versions(published)} ${withoutNotesCount === 1 ? 'has' : 'have'} no notes: ${names}`;
}

function unknownNote(answer: WhatsChanged): string {
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

function versions(count: number): string {
  return `${count} ${count === 1 ? 'version' : 'versions'}`;
}

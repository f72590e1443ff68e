// What a whats-changed answer comes to. When the registry lacks data, it never says that nothing breaks.

import type { WhatsChanged } from '../../../contract/whats-changed.ts';
import { BY_VERSION_WORDS, isByVersionAlone } from '../../../domain/upgrade/judgement.ts';
import { riskOf, shownRisk } from '../../../domain/upgrade/report/answer.ts';
import { lackOfPackage, unnotedWords } from '../../../domain/upgrade/report/reasons.ts';
import type { NotesVerdict as Risk } from '../../../domain/upgrade/report/row.ts';
import { verdictWord } from '../../../domain/upgrade/verdict-words.ts';
import type { Tone } from '../color.ts';

interface UpgradeVerdict {
  // By the notes alone; `--fail-on` goes by it.
  risk: Risk;
  // By the judgement of the answer, as it is shown.
  level: Risk;
  text: string;
}

const REASONS: Partial<Record<NonNullable<WhatsChanged['reason']>, string>> = {
  ambiguous: 'several sources have this name',
  no_releases: 'no release of it is known',
  no_entries_in_range: 'no release of this range is known',
};

const BREAKS: Record<Risk, string> = {
  major: verdictWord('major'),
  minor: verdictWord('minor'),
  unknown: verdictWord('unknown'),
  not_tracked: 'not tracked by this registry',
  none: verdictWord('none'),
};

// Servers of before do not judge.
type JudgedAnswer = Pick<WhatsChanged, 'status' | 'worst' | 'reason' | 'history'> &
  Partial<Pick<WhatsChanged, 'judgement' | 'judgedBy' | 'undocumented' | 'total' | 'summary' | 'evidence'>>;

export function verdictOf(answer: JudgedAnswer): UpgradeVerdict {
  const [risk, level] = [riskOf(answer), shownRisk(answer)];
  return { risk, level, text: textOf(answer, level) };
}

function textOf(answer: JudgedAnswer, level: Risk): string {
  if (level === 'not_tracked') return BREAKS.not_tracked;
  const doubt = doubtOf(answer);
  if (level === 'unknown') return doubt ? `not known: ${doubt}` : BREAKS.unknown;
  if (answer.reason === 'same_version') return 'the same version';
  if (answer.reason === 'up_to_date') return 'up to date';
  const words = wordsOf(answer, level);
  return doubt ? `${words}; ${doubt}` : words;
}

// What breaks by the package alone is said as that.
function wordsOf(answer: JudgedAnswer, level: Risk): string {
  const { worst, undocumented, judgedBy } = answer;
  if (level === 'major' && isByVersionAlone(answer)) return BY_VERSION_WORDS;
  if (level === 'major' && worst !== 'major') {
    return `breaks: the package shows it${undocumented ? ', the notes do not mention it' : ''}`;
  }
  if (level === 'minor' && worst !== 'minor') return 'may break: the package makes it likely';
  const isAlone = level === 'none' && judgedBy !== undefined && !judgedBy.includes('package');
  return isAlone ? `${BREAKS.none} in the notes` : BREAKS[level];
}

// The reason why the answer is incomplete.
function doubtOf(answer: JudgedAnswer): string | null {
  const { status, worst, reason, history, total = 0, summary } = answer;
  if (status === 'unknown') return (reason && REASONS[reason]) ?? 'not answered';
  if (history?.complete !== true) return reachOf(history, reason);
  const isSilent = answer.judgement === 'not_known' && summary !== undefined;
  const lack = isSilent ? lackOfPackage({ ...answer, total, summary }) : null;
  if (lack !== null) return lack;
  return worst === null ? ((reason && REASONS[reason]) ?? 'no release of this range is known') : null;
}

function reachOf(history: WhatsChanged['history'], reason: WhatsChanged['reason']): string {
  const unnoted = unnotedWords(history);
  if (unnoted !== null) return unnoted;
  if (reason === 'history_gap' || reason === 'up_to_date') return 'the registry has not seen a version of this range';
  if (!history?.lowest || !history.highest) return 'the stored history is incomplete';
  return `the registry knows ${history.lowest} to ${history.highest} only`;
}

export function riskTone(risk: Risk): Tone | null {
  if (risk === 'major') return 'red';
  if (risk === 'minor') return 'yellow';
  return risk === 'none' ? 'green' : 'dim';
}

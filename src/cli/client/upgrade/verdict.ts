// The verdict of a whats-changed answer. When the registry lacks data, the verdict is never "no break".
import type { WhatsChanged } from '../../../contract/whats-changed.ts';
import { riskOf } from '../../../insight/whats-changed/report.ts';
import { unnotedWords } from '../../../insight/whats-changed/report-words.ts';
import type { Tone } from '../color.ts';

// `not_tracked` is the same word as the reason of the answer.
export type Risk = 'major' | 'minor' | 'unknown' | 'not_tracked' | 'none';

export const RISK_WORDS: Record<Risk, string> = {
  major: 'major',
  minor: 'minor',
  unknown: 'unknown',
  not_tracked: 'not tracked',
  none: 'none',
};

interface UpgradeVerdict {
  risk: Risk;
  text: string;
}

const REASONS: Partial<Record<NonNullable<WhatsChanged['reason']>, string>> = {
  ambiguous: 'several sources have this name',
  no_releases: 'no release of it is known',
  no_entries_in_range: 'no release of this range is known',
};

const BREAKS: Record<Risk, string> = {
  major: 'major break',
  minor: 'minor break',
  unknown: 'unknown',
  not_tracked: 'not tracked by this registry',
  none: 'no break',
};

type JudgedAnswer = Pick<WhatsChanged, 'status' | 'worst' | 'reason' | 'history'>;

export function verdictOf(answer: JudgedAnswer): UpgradeVerdict {
  const risk = riskOf(answer);
  if (risk === 'not_tracked') return { risk, text: BREAKS.not_tracked };
  const doubt = doubtOf(answer);
  if (risk === 'unknown') return { risk, text: doubt ? `unknown: ${doubt}` : BREAKS.unknown };
  if (answer.reason === 'same_version') return { risk, text: 'the same version' };
  if (answer.reason === 'up_to_date') return { risk, text: 'up to date' };
  return { risk, text: doubt ? `${BREAKS[risk]}; ${doubt}` : BREAKS[risk] };
}

// The reason why the answer is incomplete.
function doubtOf({ status, worst, reason, history }: JudgedAnswer): string | null {
  if (status === 'unknown') return (reason && REASONS[reason]) ?? 'not answered';
  if (history?.complete !== true) return reachOf(history, reason);
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

// What an answer to an upgrade question comes to. What the registry cannot back is never "no break".
import type { WhatsChanged } from '../../../contract/whats-changed.ts';
import type { Tone } from '../color.ts';

export type Risk = 'major' | 'minor' | 'unknown' | 'none';

interface UpgradeVerdict {
  risk: Risk;
  text: string;
}

const REASONS: Partial<Record<NonNullable<WhatsChanged['reason']>, string>> = {
  not_tracked: 'not tracked by this registry',
  ambiguous: 'several sources have this name',
  no_releases: 'no release of it is known',
  no_entries_in_range: 'no release of this range is known',
};

const BREAKS: Record<Risk, string> = {
  major: 'major break',
  minor: 'minor break',
  unknown: 'unknown',
  none: 'no break',
};

type Answer = Pick<WhatsChanged, 'status' | 'worst' | 'reason' | 'history'>;

export function verdictOf({ status, worst, reason, history }: Answer): UpgradeVerdict {
  if (status === 'unknown') return unknown((reason && REASONS[reason]) ?? 'not answered');
  if (history?.complete !== true) {
    const reach = reachOf(history);
    if (worst === 'major' || worst === 'minor') return { risk: worst, text: `${BREAKS[worst]}; ${reach}` };
    return unknown(reach);
  }
  if (worst !== null) return { risk: worst, text: BREAKS[worst] };
  if (reason === 'same_version') return { risk: 'none', text: 'the same version' };
  if (reason === 'up_to_date') return { risk: 'none', text: 'up to date' };
  return unknown((reason && REASONS[reason]) ?? 'no release of this range is known');
}

function unknown(why: string): UpgradeVerdict {
  return { risk: 'unknown', text: `unknown: ${why}` };
}

function reachOf(history: WhatsChanged['history']): string {
  if (!history?.lowest || !history.highest) return 'the stored history is incomplete';
  return `the registry knows ${history.lowest} to ${history.highest} only`;
}

export function riskTone(risk: Risk): Tone | null {
  if (risk === 'major') return 'red';
  if (risk === 'minor') return 'yellow';
  return risk === 'none' ? 'green' : 'dim';
}

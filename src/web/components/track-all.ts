// The button that has all packages of a report read whose notes nobody tracks, and what came of it.

import { packageKey } from '../../domain/published-package.ts';
import type { AnsweredUpgradeRow, UpgradeReport } from '../../insight/whats-changed/report.ts';
import { formatCount, type Html, html, plural } from './html.ts';
import { noticeBox } from './parts.ts';

export interface TrackTally {
  read: number;
  later: number;
  // Without notes, or unknown to their registry.
  without: number;
  // Not asked for, because the limit of the reader was reached.
  left: number;
  // The registry takes no more new sources today.
  isFull: boolean;
  isClosed: boolean;
  // The keys of the packages that were asked for; others come first, so these are not asked for again.
  tried: readonly string[];
}

// `tried` are the keys of packages that were asked for a moment ago. Direct dependencies come first.
export function untrackedRows({ rows }: UpgradeReport, tried: readonly string[]): AnsweredUpgradeRow[] {
  const asked = new Set(tried);
  const untracked = rows.filter((row) => isUnread(row) && !asked.has(packageKey(row)));
  return [...untracked.filter(({ direct }) => direct === true), ...untracked.filter(({ direct }) => direct !== true)];
}

// Nobody tracks it, or nothing of its source was read yet.
function isUnread({ risk, answer }: AnsweredUpgradeRow): boolean {
  if (answer?.reason === 'no_releases') return true;
  return risk === 'not_tracked' && answer?.reason !== 'ambiguous';
}

// The form of the report that draws it again, with its files as they were read.
export const REPORT_FORM = 'again';

export function trackAllButton(report: UpgradeReport, tried: readonly string[]): Html {
  const { length } = untrackedRows(report, tried);
  if (length === 0) return '';
  const words = length === 1 ? 'Track this one' : `Track these ${formatCount(length)}`;
  return html`<p class="actions track-all"><button class="btn" type="submit" form="${REPORT_FORM}" name="track" value="1">${words}</button></p>`;
}

export function trackAllNote(tally: TrackTally | null): Html {
  if (tally === null) return '';
  const { read, later, without, left, isFull, isClosed } = tally;
  if (isClosed) return noticeBox('warning', 'Only operators can add repositories here. Ask one of them.');
  const words = [
    read > 0 ? `${plural(read, 'package was', 'packages were')} read.` : '',
    later > 0 ? `${plural(later, 'package is', 'packages are')} still being read.` : '',
    without > 0 ? `${plural(without, 'package has', 'packages have')} no notes anywhere.` : '',
    isFull ? 'This registry can add no more repositories today. Try again tomorrow.' : '',
    left > 0 && !isFull
      ? `${plural(left, 'package', 'packages')} can be tracked in a minute: your limit was reached.`
      : '',
  ].filter(Boolean);
  return noticeBox(read > 0 || later > 0 ? 'info' : 'warning', words.join(' '));
}

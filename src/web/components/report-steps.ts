// What to do first for a whole project: the steps of all packages that break, each once, with the packages that ask for it.

import { totalsOf } from '../../domain/upgrade/report/groups.ts';
import { isBreak, type ReportRow } from '../../domain/upgrade/report/row.ts';
import { projectSteps } from '../../domain/upgrade/steps/project-steps.ts';
import { type Html, html, plural } from './html.ts';
import { icon } from './icon.ts';
import { inlineCode } from './prose.ts';
import { listed } from './upgrade-gaps.ts';

const SHOWN_STEPS = 5;
const MAX_STEPS = 40;
const MAX_NAMED = 4;

// How the answer over all packages is coloured.
export function worstLevel(rows: readonly ReportRow[]) {
  const totals = totalsOf(rows);
  if (totals.breaks + totals.breaks_used > 0 || rows.some((row) => isOpenBreak(row))) return 'major';
  if (totals.may_break + totals.may_break_used > 0) return 'minor';
  return totals.no_sign > 0 && totals.not_known + totals.elsewhere + totals.security === 0 ? 'none' : 'unknown';
}

function isOpenBreak({ judgement, ignored, done }: ReportRow): boolean {
  return judgement === 'breaks' && !ignored && !done;
}

export function reportSteps(rows: readonly ReportRow[]): Html {
  const broken = rows.filter((row) => isBreak(row) && !row.ignored && !row.done);
  if (broken.length === 0) return '';
  const merged = projectSteps(
    broken.map((row) => ({
      entry: row,
      breaking: row.judgement === 'breaks' ? 'major' : 'minor',
      steps: row.steps.map(({ text }) => text),
    })),
  );
  if (merged.length === 0) {
    return html`<div class="todo"><h2>What to do</h2><p class="small">No steps were found in the notes. Read the versions that break before you update.</p></div>`;
  }
  const [shown, more] = [merged.slice(0, SHOWN_STEPS), merged.slice(SHOWN_STEPS, MAX_STEPS)];
  const left = merged.length - shown.length - more.length;
  const step = ({ text, entries }: (typeof merged)[number]) =>
    html`<li><span>${inlineCode(text)}<span class="src">${listed([...new Set(entries.map((row) => row.package))], MAX_NAMED)}</span></span></li>`;
  const title =
    more.length > 0
      ? `Start with these ${shown.length} of ${merged.length} steps`
      : `What to do: ${plural(merged.length, 'step')}`;
  return html`<div class="todo"><h2>${title}</h2><ol>${shown.map(step)}</ol>${
    more.length > 0
      ? html`<details class="fold"><summary>${icon('chevron')}${plural(more.length + left, 'more step')}</summary><ol start="${SHOWN_STEPS + 1}">${more.map(step)}</ol>${left > 0 ? html`<p class="who">${plural(left, 'more step is', 'more steps are')} with the packages below.</p>` : ''}</details>`
      : ''
  }</div>`;
}

// The report on the upgrades of a project: an answer as a sentence, what to do first, then the packages by risk.
import type { ProjectUpgrades } from '../../domain/upgrade/lockfiles/upgrades.ts';
import type { UpgradeReport } from '../../insight/whats-changed/report.ts';
import { upgradeMarkdown } from '../../insight/whats-changed/report-markdown.ts';
import { FILES_PATH, type FilesFormState, filesForm } from '../components/files-form.ts';
import { formatCount, type Html, html, plural, raw } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import { inputTabs, PROJECT_FILES_PATH } from '../components/input-tabs.ts';
import { GROUPS, type RiskGroup, reportGroups } from '../components/report-groups.ts';
import { reportSteps } from '../components/report-steps.ts';
import { REPORT_FORM, type TrackTally, trackAllButton, trackAllNote } from '../components/track-all.ts';
import { verdictGlyph } from '../components/verdict.ts';
import type { WebPage } from '../frame/document.ts';
import type { Shell } from '../frame/shell.ts';

interface ReportView {
  report: UpgradeReport;
  // The parsed upgrades, which link to the same report in another format.
  read: ProjectUpgrades;
  breakingOnly: boolean;
  // What came of having packages read; null when that was not asked for.
  tracked: TrackTally | null;
}

const head = {
  title: 'What’s changed',
  description: 'What changed in the packages of a project, by risk.',
  robots: 'noindex, follow',
} as const;

export function showFilesProblem(state: FilesFormState): WebPage {
  return {
    name: 'whats-changed',
    head,
    body: html`<h1>What’s changed</h1>${inputTabs('files')}<div class="sp-top">${filesForm(state)}</div>`,
  };
}

// `isOpen`: whether this registry lets its readers have packages read.
export function showReport(view: ReportView, shell: Shell, isOpen: boolean): WebPage {
  const { report, breakingOnly, tracked } = view;
  const level = worstOf(report);
  return {
    name: 'whats-changed',
    head,
    body: html`<h1>What’s changed</h1>${inputTabs('files')}${trackAllNote(tracked)}
<section class="answer" data-level="${level}" aria-labelledby="vh"><div class="say"><h2 id="vh">${verdictGlyph(level)}<span>${sentence(report)}</span></h2><p class="lede">${subject(report)}</p></div>
${reportSteps(report)}${counts(report)}${exportsOf(view, shell)}</section>
${markdownCopy(report, breakingOnly)}
<div class="report">${filters(report, breakingOnly)}${reportGroups(report, isOpen ? trackAllButton(report) : '')}</div>
${report.omitted > 0 ? html`<p class="cut">${plural(report.omitted, 'more changed package is', 'more changed packages are')} not part of this report, because it holds ${formatCount(report.rows.length)} at most. Compare the files in parts to see the rest.</p>` : ''}`,
  };
}

function worstOf({ totals: { major, minor, none }, rows }: UpgradeReport) {
  if (major > 0) return 'major';
  if (minor > 0) return 'minor';
  return rows.length > 0 && none === rows.length ? 'none' : 'unknown';
}

// The sentence never claims that nothing breaks while packages are unknown or not tracked.
function sentence({ totals: { major, minor, none, unknown, not_tracked }, rows }: UpgradeReport): string {
  if (rows.length === 0) return 'No package goes to a higher version';
  const all = plural(rows.length, 'changed package');
  const direct = rows.filter((row) => row.risk === 'major' && row.direct === true).length;
  const ofThem = direct === 0 ? '' : major === 1 ? ', a direct dependency' : `, ${direct} of them direct dependencies`;
  if (major > 0) return `${formatCount(major)} of ${all} ${major === 1 ? 'breaks' : 'break'}${ofThem}`;
  if (minor > 0) return `${formatCount(minor)} of ${all} may break`;
  if (none === rows.length) return `No sign of a break in ${all}`;
  return `Not known for ${formatCount(unknown + not_tracked)} of ${all}`;
}

const KIND_WORDS: Record<UpgradeReport['kind'], string> = {
  diff: 'A diff',
  two_states: 'Two lockfiles compared',
  manifest: 'Your versions, compared with the newest ones stored here',
  lockfile: 'Your lockfile, compared with the newest versions stored here',
};

function subject({ kind, rows, releases, totals }: UpgradeReport): Html {
  const between = `${plural(releases, 'version')} ${releases === 1 ? 'lies' : 'lie'} between`;
  const changed = `${plural(rows.length, 'package')} ${rows.length === 1 ? 'changes' : 'change'}`;
  const caution = totals.none > 0 ? ' “No sign of a break” is not a promise: behaviour can change without a word.' : '';
  return html`<b>${KIND_WORDS[kind]}</b>: ${changed}, ${between}.${caution}`;
}

// All changes on a bar, and their counts as links to the groups below.
function counts(report: UpgradeReport): Html {
  const present = GROUPS.map((group) => ({ group, count: group.count(report) })).filter(({ count }) => count > 0);
  if (present.length === 0) return '';
  return html`<div>${bar(present)}<ul class="risks">${present.map(
    ({ group: { id, level, glyph, words }, count }) =>
      html`<li class="${level}"><a href="#${id}">${icon(glyph)}<b>${formatCount(count)}</b><span>${words}</span></a></li>`,
  )}</ul></div>`;
}

function bar(present: readonly { group: RiskGroup; count: number }[]): Html {
  const all = present.reduce((sum, { count }) => sum + count, 0);
  let x = 0;
  const parts = present.map(({ group, count }) => {
    const width = (100 * count) / all;
    const part = `<rect class="p-${group.level}" x="${x.toFixed(2)}%" y="1" width="${Math.max(0.4, width - 0.4).toFixed(2)}%" height="12" rx="2"/>`;
    x += width;
    return part;
  });
  const words = present.map(({ group, count }) => `${formatCount(count)} ${group.words}`).join(', ');
  return html`<svg class="riskbar" role="img" aria-label="${words}">${raw(parts.join(''))}</svg>`;
}

function exportsOf({ read, breakingOnly }: ReportView, shell: Shell): Html {
  const csrf = shell.account ? html`<input type="hidden" name="csrf" value="${shell.csrf(FILES_PATH)}">` : '';
  return html`<form class="over actions" id="${REPORT_FORM}" data-form="whats-changed-again" method="post" action="${FILES_PATH}">${csrf}<input type="hidden" name="read" value="${JSON.stringify(read, withoutDefaults)}">${breakingOnly ? html`<input type="hidden" name="breaking" value="1">` : ''}<button class="btn" type="submit" name="format" value="md">${icon('page')}Markdown</button><button class="btn" type="submit" name="format" value="json">JSON</button><a class="btn quiet" href="${PROJECT_FILES_PATH}">Compare something else</a></form>`;
}

// What is not said of a package is left out, because a report of thousands of packages is sent with its page.
function withoutDefaults(key: string, value: unknown): unknown {
  const isDefault = value === null || (key === 'source' && value === 'registry');
  return isDefault || (key === 'as' && Array.isArray(value) && value.length === 0) ? undefined : value;
}

// The longest comment that code hosts take.
const LONGEST_COMMENT = 60_000;

function markdownCopy(report: UpgradeReport, breakingOnly: boolean): Html {
  const text = upgradeMarkdown(report, { breakingOnly });
  if (report.rows.length === 0 || text.length > LONGEST_COMMENT) return '';
  return html`<details class="fold"><summary>${icon('chevron')}Markdown for the pull request</summary><div class="copy-out"><div class="field"><label for="md">Select all and copy</label><textarea class="textarea mono tall" id="md" readonly>
${text}</textarea></div></div></details>`;
}

function filters({ rows }: UpgradeReport, breakingOnly: boolean): Html {
  if (rows.length === 0) return '';
  const knowsDirect = rows.some(({ direct }) => direct !== null);
  return html`<p class="cluster row-filters">${knowsDirect ? html`<label class="check"><input type="checkbox" data-only-direct> Direct dependencies only</label>` : ''}<label class="check"><input type="checkbox"${breakingOnly ? html` checked` : ''} data-only-breaking> Breaks and may break only</label></p>`;
}

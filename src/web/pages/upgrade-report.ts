// The report on the upgrades of a project: an answer as a sentence, what to do first, then the packages by risk.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isProposal, type ProjectUpgrades } from '../../domain/upgrade/lockfiles/upgrades.ts';
import { totalsOf } from '../../domain/upgrade/report/groups.ts';
import { reportMarkdown } from '../../domain/upgrade/report/markdown.ts';
import type { ReportRow } from '../../domain/upgrade/report/row.ts';
import { changedRows, summarySentence } from '../../domain/upgrade/report/words.ts';
import { shownRows, type UpgradeReport } from '../../insight/whats-changed/report.ts';
import { type FilesFormState, filesForm } from '../components/files-form.ts';
import { postForm, textField } from '../components/form.ts';
import { formatCount, type Html, html, plural, raw } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import { inputTabs, PROJECT_FILES_PATH } from '../components/input-tabs.ts';
import { reportCounts, reportGroups } from '../components/report-groups.ts';
import { reportSteps } from '../components/report-steps.ts';
import { REPORT_FORM, type TrackTally, trackAllButton, trackAllNote } from '../components/track-all.ts';
import { verdictGlyph } from '../components/verdict.ts';
import type { WebPage } from '../frame/document.ts';
import type { Shell } from '../frame/shell.ts';
import { FILES_PATH } from '../links.ts';

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

// `isOpen`: whether this registry lets its readers have packages read. Other requests are read between its parts, because
// a report of thousands of packages takes a tenth of a second.
export async function showReport(view: ReportView, shell: Shell, isOpen: boolean): Promise<WebPage> {
  const { report, breakingOnly, tracked } = view;
  await nextTurn();
  const rows = await shownRows(report);
  const proposed = { isProposal: isProposal(report.kind) };
  await nextTurn();
  const level = worstOf(rows);
  const track = isOpen ? trackAllButton(report, tracked?.tried ?? []) : '';
  await nextTurn();
  const exported = exportsOf(view, shell);
  await nextTurn();
  const copy = markdownCopy(rows, { breakingOnly, ...proposed });
  await nextTurn();
  const groups = await reportGroups(rows, { track, othersOmitted: report.othersOmitted });
  await nextTurn();
  return {
    name: 'whats-changed',
    head,
    body: html`<h1>What’s changed</h1>${inputTabs('files')}${trackAllNote(tracked)}
<section class="answer" data-level="${level}" aria-labelledby="vh"><div class="say"><h2 id="vh">${verdictGlyph(level)}<span>${summarySentence(rows, proposed)}</span></h2><p class="lede">${subject(report, rows)}</p>${report.rows.length > 0 ? html`<p class="small muted">Run ${COMMAND} in your project to see whether you use what changed.</p>` : ''}</div>
${reportSteps(rows)}${reportCounts(rows)}${exported}</section>
${copy}${keepForm(view, shell)}
<div class="report">${filters(report, breakingOnly)}${groups}</div>
${report.omitted > 0 ? html`<p class="cut">${plural(report.omitted, 'more changed package is', 'more changed packages are')} not part of this report, because it holds ${formatCount(report.rows.length)} at most. Compare the files in parts to see the rest.</p>` : ''}`,
  };
}

function worstOf(rows: readonly ReportRow[]) {
  const totals = totalsOf(rows);
  if (rows.some(({ judgement }) => judgement === 'breaks')) return 'major';
  if (totals.may_break + totals.may_break_used > 0) return 'minor';
  return totals.no_sign > 0 && totals.not_known + totals.elsewhere + totals.security === 0 ? 'none' : 'unknown';
}

// A page does not see the code of the reader.
const COMMAND: Html = html`<code>registry check</code>`;

const KIND_WORDS: Record<UpgradeReport['kind'], string> = {
  diff: 'A diff',
  two_states: 'Two lockfiles compared',
  manifest: 'Your versions, compared with the newest ones stored here',
  lockfile: 'Your lockfile, compared with the newest versions stored here',
};

function subject({ kind, releases }: UpgradeReport, rows: readonly ReportRow[]): Html {
  // Where no version is known, nobody can say how many lie between.
  const between = releases === 0 ? '' : `, ${plural(releases, 'version')} ${releases === 1 ? 'lies' : 'lie'} between`;
  const { length } = changedRows(rows);
  const verb = length === 1 ? ' changes' : ' change';
  const changed = `${plural(length, 'package')}${isProposal(kind) ? '' : verb}`;
  const caution =
    totalsOf(rows).no_sign > 0 ? ' “No sign of a break” is not a promise: behaviour can change without a word.' : '';
  return html`<b>${KIND_WORDS[kind]}</b>: ${changed}${between}.${caution}`;
}

function exportsOf({ read, breakingOnly, tracked }: ReportView, shell: Shell): Html {
  const csrf = shell.account ? html`<input type="hidden" name="csrf" value="${shell.csrf(FILES_PATH)}">` : '';
  return html`<form class="over actions" id="${REPORT_FORM}" data-form="whats-changed-again" method="post" action="${FILES_PATH}">${csrf}<input type="hidden" name="read" value='${jsonAttribute(JSON.stringify(read, withoutDefaults))}'>${breakingOnly ? html`<input type="hidden" name="breaking" value="1">` : ''}${tracked && tracked.tried.length > 0 ? html`<input type="hidden" name="tried" value="${tracked.tried.join('\n')}">` : ''}<button class="btn" type="submit" name="format" value="md">${icon('page')}Markdown</button><button class="btn" type="submit" name="format" value="json">JSON</button><a class="btn quiet" href="${PROJECT_FILES_PATH}">Compare something else</a></form>`;
}

// The versions in use become a stack of the reader's account.
function keepForm({ read }: ReportView, shell: Shell): Html {
  if (read.upgrades.length === 0) return '';
  const sentence = 'Hear about updates that break what you have installed.';
  if (!shell.account) {
    return html`<details class="fold"><summary>${icon('chevron')}Keep as a stack</summary><p class="section-note">${sentence}</p><p><a class="btn" href="/login?next=%2Faccount%2Fstacks">Sign in to keep a stack</a></p></details>`;
  }
  const kept = read.upgrades.map(({ ecosystem, name, from }) => `${ecosystem} ${name} ${from.replaceAll(' ', '')}`);
  return html`<details class="fold"><summary>${icon('chevron')}Keep as a stack</summary><p class="section-note">${sentence} Only names and versions are stored.</p>${postForm(
    shell,
    { name: 'keep-stack', action: '/account/stacks', values: { kept: kept.join('\n') }, className: 'form' },
    html`${textField({ name: 'name', label: 'Name', help: 'Letters, digits and dashes. It is part of the address.', more: html`maxlength="64"` })}<div class="actions"><button class="btn primary" type="submit">Keep as a stack</button></div>`,
  )}</details>`;
}

// Between single quotes, because JSON of thousands of packages is half double quotes.
function jsonAttribute(json: string): Html {
  return raw(json.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('<', '&lt;'));
}

// What is not said of a package is left out, because a report of thousands of packages is sent with its page.
function withoutDefaults(key: string, value: unknown): unknown {
  const isDefault = value === null || (key === 'source' && value === 'registry');
  return isDefault || (key === 'as' && Array.isArray(value) && value.length === 0) ? undefined : value;
}

function markdownCopy(
  rows: readonly ReportRow[],
  options: Pick<ReportView, 'breakingOnly'> & { isProposal: boolean },
): Html {
  if (rows.length === 0) return '';
  return html`<details class="fold"><summary>${icon('chevron')}Markdown for the pull request</summary><div class="copy-out"><div class="field"><label for="md">Select all and copy</label><textarea class="textarea mono tall" id="md" readonly>
${reportMarkdown(rows, options)}</textarea></div></div></details>`;
}

function filters({ rows }: UpgradeReport, breakingOnly: boolean): Html {
  if (rows.length === 0) return '';
  const knowsDirect = rows.some(({ direct }) => direct !== null);
  return html`<p class="cluster row-filters">${knowsDirect ? html`<label class="check"><input type="checkbox" data-only-direct> Direct dependencies only</label>` : ''}<label class="check"><input type="checkbox"${breakingOnly ? html` checked` : ''} data-only-breaking> Breaks and may break only</label></p>`;
}

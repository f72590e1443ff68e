// The report on the upgrades of a project: totals, then the packages by risk with their migration steps.
import type { UpgradeEntry } from '../../contract/whats-changed.ts';
import type { ProjectUpgrades } from '../../domain/upgrade/lockfiles/upgrades.ts';
import type { ReportRow, UpgradeReport } from '../../insight/whats-changed/report.ts';
import { breaks, OTHER_WORDS, rowNote } from '../../insight/whats-changed/report-markdown.ts';
import { verdictBadge } from '../components/badge.ts';
import { FILES_PATH, filesForm } from '../components/files-form.ts';
import { type Html, html, plural } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import { inputTabs } from '../components/input-tabs.ts';
import { inlineCode } from '../components/prose.ts';
import { steps } from '../components/steps.ts';
import { upgradeEntries } from '../components/upgrade-entries.ts';
import { totals, verdictGlyph } from '../components/verdict.ts';
import { versionMark, versionRange } from '../components/version.ts';
import type { WebPage } from '../frame/document.ts';

const SHOWN_STEPS = 5;

interface ReportView {
  report: UpgradeReport;
  // The parsed upgrades, which link to the same report in another format.
  read: ProjectUpgrades;
  breakingOnly: boolean;
}

const head = {
  title: 'What’s changed',
  description: 'What changed in the packages of a project, by risk.',
  robots: 'noindex, follow',
} as const;

export function showFilesProblem(problem: string): WebPage {
  return {
    name: 'whats-changed',
    head,
    body: html`<h1>What’s changed</h1>${inputTabs('files')}<div class="sp-top">${filesForm(problem)}</div>`,
  };
}

export function showReport({ report, read, breakingOnly }: ReportView): WebPage {
  const level = worstOf(report);
  const { not_tracked: untracked, ...counts } = report.totals;
  return {
    name: 'whats-changed',
    head,
    body: html`<h1>What’s changed</h1>${inputTabs('files')}
<section class="verdict" data-level="${level}" aria-labelledby="vh"><h2 id="vh">${verdictGlyph(level)}<span>${sentence(report)}</span></h2><p class="lede">${plural(report.releases, 'release')} of ${plural(report.rows.length, 'changed package')} lie in these ranges.</p>${totals(counts, untracked)}</section>
${report.rows.length > 0 ? table(report.rows, { read, breakingOnly }) : html`<p>No package goes from a lower to a higher version.</p>`}
${report.omitted > 0 ? html`<p class="cut">${plural(report.omitted, 'more changed package is', 'more changed packages are')} not part of this report, because it holds ${report.rows.length} at most. Give the files in parts to see the rest.</p>` : ''}
${others(report)}<details class="fold block"><summary>${icon('chevron')}Compare other files</summary>${filesForm()}</details>`,
  };
}

function worstOf({ totals: { major, minor, none, unknown }, rows }: UpgradeReport) {
  if (major > 0) return 'major';
  if (minor > 0) return 'minor';
  return unknown === 0 && none === rows.length ? 'none' : 'unknown';
}

// The sentence never claims that nothing breaks while packages are unknown or untracked.
function sentence({ totals: { major, minor, none, unknown, not_tracked: untracked }, rows }: UpgradeReport): string {
  const all = plural(rows.length, 'package');
  if (rows.length === 0) return 'Nothing to compare';
  if (major > 0) return `${major} of ${all} ${major === 1 ? 'breaks' : 'break'}`;
  if (minor > 0) return `${minor} of ${all} ${minor === 1 ? 'has' : 'have'} a small break`;
  if (none === rows.length) return `No break that the notes of ${all} tell of`;
  return `Not known for ${unknown + untracked} of ${all}`;
}

function table(rows: readonly ReportRow[], { read, breakingOnly }: Pick<ReportView, 'read' | 'breakingOnly'>): Html {
  return html`<section class="report"><div class="spread"><h2>By risk</h2><form class="cluster small" data-form="whats-changed-again" method="post" action="${FILES_PATH}"><input type="hidden" name="read" value="${JSON.stringify(read)}"><label class="check"><input type="checkbox" name="breaking" value="1"${breakingOnly ? html` checked` : ''} data-only-breaking> Breaking only</label><button class="btn small" type="submit" name="format" value="md">Markdown for a pull request</button><button class="btn small" type="submit" name="format" value="json">JSON</button></form></div>
<table class="table risk stacked"><thead><tr><th scope="col">Verdict</th><th scope="col">Package</th><th scope="col">Range</th><th scope="col" class="num">Releases</th><th scope="col">What to do</th></tr></thead><tbody>${rows.map(tableRow)}</tbody></table></section>`;
}

function tableRow(row: ReportRow): Html {
  const { name, ecosystem, from, to, direct, risk, answer } = row;
  const address = `/whats-changed?${new URLSearchParams({ package: name, from, to, ecosystem })}`;
  const badge = risk === 'not_tracked' ? html`<span class="badge line">Not tracked</span>` : verdictBadge(risk);
  return html`<tr data-level="${risk}"><td class="nowrap">${badge}</td><th scope="row"><a class="plain mono" href="${address}">${name}</a>${direct === false ? html` <span class="muted small">indirect</span>` : ''}</th><td class="nowrap">${versionRange(answer?.fromVersion ?? from, answer?.toVersion ?? to)}</td><td class="num" data-th="Releases">${answer ? answer.total : ''}</td><td class="plainly">${migrationSteps(row)}${answer && answer.entries.length > 0 ? entries(row, answer.entries, address) : ''}</td></tr>
`;
}

function migrationSteps(row: ReportRow): Html {
  const list = breaks(row) ? (row.answer?.entries ?? []).flatMap(steps) : [];
  if (list.length === 0) return html`<span class="muted">${rowNote(row)}</span>`;
  const more = list.length - SHOWN_STEPS;
  return html`<ul class="steps">${list.slice(0, SHOWN_STEPS).map((step) => html`<li>${inlineCode(step)}</li>`)}</ul>${more > 0 ? html`<span class="muted">${plural(more, 'more step')} below</span>` : ''}`;
}

function entries({ answer }: ReportRow, list: readonly UpgradeEntry[], address: string): Html {
  const omitted = answer?.omitted ?? 0;
  return html`<details class="fold"><summary>${icon('chevron')}${plural(list.length, 'release')}, oldest first</summary>${upgradeEntries(list)}${omitted > 0 ? html`<p class="cut">${plural(omitted, 'older release is', 'older releases are')} left out here. <a href="${address}">See the whole range</a></p>` : ''}</details>`;
}

function others({ others: list, othersOmitted }: UpgradeReport): Html {
  if (list.length === 0) return '';
  const rows = list.map(
    ({ name, from, to, reason }) =>
      html`<li><span class="mono">${name}</span> ${OTHER_WORDS[reason]} ${from !== null && to !== null ? versionRange(from, to) : versionMark(to ?? from)}</li>`,
  );
  return html`<section class="block"><details class="fold"><summary>${icon('chevron')}${plural(list.length + othersOmitted, 'package is', 'packages are')} not compared</summary><ul class="linklist">${rows}</ul>${othersOmitted > 0 ? html`<p class="cut">${plural(othersOmitted, 'more package is', 'more packages are')} only counted.</p>` : ''}</details></section>`;
}

// /reports/{id}: what changes for the packages of a project, for whoever has the address. It fills as the packages are read.

import type { Context } from '../../context.ts';
import { isFilling } from '../../domain/reports/progress.ts';
import { isProposal, type ProjectUpgrades } from '../../domain/upgrade/lockfiles/upgrades.ts';
import { reportMarkdown } from '../../domain/upgrade/report/markdown.ts';
import type { ReportRow } from '../../domain/upgrade/report/row.ts';
import { changedRows, summarySentence } from '../../domain/upgrade/report/words.ts';
import { HTML_TYPE, JSON_TYPE, MARKDOWN_TYPE, Reply } from '../../http/kernel/reply.ts';
import { type RouteDeclaration, route } from '../../http/kernel/route.ts';
import { describeReport } from '../../packages/reports/make.ts';
import { isMaker, openReport, reportAnswerOf } from '../../packages/reports/read.ts';
import { postForm, textField } from '../components/form.ts';
import { formatCount, type Html, html, plural } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import { command, crumbs } from '../components/parts.ts';
import { progressLine, reportCounts, reportGroups } from '../components/report-groups.ts';
import { reportSteps, worstLevel } from '../components/report-steps.ts';
import { ago, longDate, timeMark } from '../components/time.ts';
import { verdictGlyph } from '../components/verdict.ts';
import { makerSecret } from '../forms/maker-cookie.ts';
import { documentHtml } from '../frame/document.ts';
import { pageFailure } from '../frame/failure-page.ts';
import { readShell } from '../frame/read-shell.ts';
import type { Shell } from '../frame/shell.ts';
import { PROJECT_FILES_PATH } from '../links.ts';

const UNLISTED = { 'X-Robots-Tag': 'noindex, nofollow' };
const FIRST_ROWS = 20;

export const reportPage = route({
  method: 'GET',
  path: '/reports/{id}',
  summary: 'A report on the packages of a project',
  tag: 'Pages',
  access: 'visitor',
  query: null,
  answers: null,
  cache: 'never',
  counts: true,
  failure: pageFailure,
  negotiates: ['html', 'json', 'markdown'],
  suffixes: ['json', 'md'],
  run: async (ctx, { params: { id = '' } }, request) => {
    if (request.format === 'json') {
      const answer = await reportAnswerOf(ctx, id);
      return new Reply(200, JSON.stringify(answer), { 'Content-Type': JSON_TYPE, ...UNLISTED });
    }
    const opened = await openReport(ctx, id);
    if (request.format === 'markdown') {
      return new Reply(200, markdownOf(ctx, opened), { 'Content-Type': MARKDOWN_TYPE, ...UNLISTED });
    }
    const shell = await readShell(ctx, request, ['group', 'page', 'done']);
    const isMade = isMaker(ctx, opened.report, makerSecret(request.headers));
    return new Reply(200, String(await showReport(ctx, { ...opened, isMade }, shell)), {
      'Content-Type': HTML_TYPE,
      ...UNLISTED,
    });
  },
}) satisfies RouteDeclaration;

type Opened = Awaited<ReturnType<typeof openReport>>;

function markdownOf(ctx: Context, { report, rows }: Opened): string {
  const shown = rows.map((row) => row.shown);
  const remarks = [`The whole report: ${ctx.config.webUrl}/reports/${report.id}`];
  return reportMarkdown(shown, { isProposal: isProposal(report.kind), remarks });
}

const KIND_WORDS: Record<ProjectUpgrades['kind'], string> = {
  diff: 'A diff',
  two_states: 'Two lockfiles compared',
  manifest: 'Versions of a project, compared with the newest ones',
  lockfile: 'A lockfile, compared with the newest versions',
};

async function showReport(ctx: Context, opened: Opened & { isMade: boolean }, shell: Shell): Promise<Html> {
  const { report, rows, progress } = opened;
  const path = `/reports/${report.id}`;
  const shown = rows.map((row) => row.shown);
  const options = { isProposal: isProposal(report.kind) };
  const level = worstLevel(shown);
  const sentence = summarySentence(shown, options);
  const groups = await reportGroups(rows, {
    path,
    group: shell.query.get('group'),
    page: Number(shell.query.get('page') ?? 1) || 1,
    first: FIRST_ROWS,
  });
  const renew = isFilling(progress) ? `/v1/reports/${report.id}/progress` : '';
  const body = html`${crumbs([{ name: 'What’s changed', path: PROJECT_FILES_PATH }], 'Report')}
<div data-renew="${renew}"><section class="answer up" data-level="${level}" aria-labelledby="vh"><div class="say"><h1 id="vh">${verdictGlyph(level)}<span>${sentence}</span></h1><p class="lede">${subject(opened, shown, shell)}</p></div>
<div class="beside">${reportSteps(shown)}</div>
<div class="rest">${reportCounts(shown)}${progressLine(progress, path, shell.now)}
<div class="report">${groups}</div>${leftOutWords(ctx, opened)}</div>
<div class="beside more">${addressPanel(ctx, opened, shell)}${exports(opened, shown)}</div></section></div>`;
  const head = {
    title: sentence,
    description: 'What changes for the packages of a project, by risk.',
    robots: 'noindex, nofollow',
  } as const;
  return documentHtml(shell, { name: 'report', head, body });
}

function subject({ report }: Opened, rows: readonly ReportRow[], shell: Shell): Html {
  const { length } = changedRows(rows);
  const newer = isProposal(report.kind) ? `, ${formatCount(length)} of them with newer versions or not known` : '';
  const caution = rows.some(({ judgement }) => judgement === 'no_sign')
    ? ' “No sign of a break” is not a promise: behaviour can change without a word.'
    : '';
  return html`<b>${KIND_WORDS[report.kind]}</b>: ${plural(rows.length, 'package')}${newer}. Asked ${ago(report.created_at, shell.now)}.${caution}`;
}

function leftOutWords(ctx: Context, { report }: Opened): Html {
  const { leftOut } = describeReport(ctx, report);
  const parts = [
    leftOut.private > 0 ? `${plural(leftOut.private, 'package', 'packages')} of private registries` : '',
    leftOut.elsewhere > 0 ? `${formatCount(leftOut.elsewhere)} from git, folders or archives` : '',
    leftOut.otherEcosystems > 0 ? `${formatCount(leftOut.otherEcosystems)} of other ecosystems, not compared here` : '',
    leftOut.added > 0 ? `${formatCount(leftOut.added)} added` : '',
    leftOut.removed > 0 ? `${formatCount(leftOut.removed)} removed` : '',
    leftOut.incomparable > 0 ? `${formatCount(leftOut.incomparable)} without versions that can be compared` : '',
    leftOut.omitted > 0 ? `${formatCount(leftOut.omitted)} more than a report holds` : '',
  ].filter(Boolean);
  if (parts.length === 0) return '';
  return html`<section class="block"><h2 class="sub-head">Not in this report</h2><p class="small muted">${parts.join(', ')}. They are counted only.</p></section>`;
}

function addressPanel(ctx: Context, { report, rows, isMade }: Opened & { isMade: boolean }, shell: Shell): Html {
  const { webUrl, expiresAt } = describeReport(ctx, report);
  const end =
    expiresAt === null
      ? 'It stays while it is kept as a stack.'
      : html`It goes away on ${timeMark(expiresAt, longDate(expiresAt))}.`;
  const remove = isMade
    ? postForm(
        shell,
        { name: 'report-remove', action: `/reports/${report.id}/remove` },
        html`<button class="btn small quiet" type="submit">Remove it now</button>`,
      )
    : '';
  return html`<section aria-labelledby="ad"><h2 class="sub-head" id="ad">This report has an address</h2>${command(webUrl, 'the address of this report')}<p class="small muted sp-top">Names and versions of ${plural(rows.length, 'package')}, nothing else. Anyone with the address can read it. ${end}</p>${keepForm(report.id, shell)}${remove}</section>`;
}

// The versions in use become a stack of the reader's account.
function keepForm(id: string, shell: Shell): Html {
  if (!shell.account) {
    return html`<p class="small"><a href="/login?next=${encodeURIComponent(`/reports/${id}`)}">Sign in to keep it as a stack</a></p>`;
  }
  return html`<details class="fold"><summary>${icon('chevron')}Keep it as a stack</summary>${postForm(
    shell,
    { name: 'keep-stack', action: '/account/stacks', values: { report: id }, className: 'form' },
    html`${textField({ name: 'name', label: 'Name', help: 'Letters, digits and dashes. It is part of the address.', more: html`maxlength="64"` })}<div class="actions"><button class="btn primary" type="submit">Keep as a stack</button></div>`,
  )}</details>`;
}

function exports({ report }: Opened, rows: readonly ReportRow[]): Html {
  const path = `/reports/${report.id}`;
  const copy =
    rows.length > 0
      ? html`<p class="cluster small"><a href="${path}.md">Markdown for a pull request</a><a href="${path}.json">JSON</a></p>`
      : '';
  return html`<section aria-labelledby="tk"><h2 class="sub-head" id="tk">Take it with you</h2>${copy}<p class="small muted">Run <code>registry check</code> in your project to see whether you use what changed.</p></section>`;
}

// /account/stacks/{name}: what the newest versions bring to a stack, by what one does next, and how to hear of the next ones.
import { readStackFeed } from '../../../accounts/stacks/feed-token.ts';
import { readReport } from '../../../accounts/stacks/report.ts';
import type { StackReportRow, StackSummary } from '../../../contract/stack.ts';
import { isFilling } from '../../../domain/reports/progress.ts';
import { totalsOf } from '../../../domain/upgrade/report/groups.ts';
import type { ReportRow } from '../../../domain/upgrade/report/row.ts';
import { summarySentence } from '../../../domain/upgrade/report/words.ts';
import { accountFrame, doneNotice, secretValue } from '../../components/account-frame.ts';
import { postForm, textField } from '../../components/form.ts';
import { formatCount, type Html, html, plural } from '../../components/html.ts';
import { icon } from '../../components/icon.ts';
import { command, crumbs } from '../../components/parts.ts';
import { progressLine, reportCounts, reportGroups } from '../../components/report-groups.ts';
import { type ListRow, packageRow } from '../../components/report-rows.ts';
import { worstLevel } from '../../components/report-steps.ts';
import { skylineFigure } from '../../components/skyline.ts';
import { ago, shortDate, timeMark } from '../../components/time.ts';
import { verdictGlyph } from '../../components/verdict.ts';
import type { Shell } from '../../frame/shell.ts';
import { accountPage, answerPage, type Visit } from '../../visit.ts';

const DONE = {
  added: 'The stack was stored.',
  marked: 'The package was marked.',
  seen: 'Marked as seen. What comes from now on is new.',
  'feed-new': 'The feed has a new address. Older addresses no longer work.',
  'feed-remove': 'The feed was removed. Its address no longer works.',
};

const FIRST_ROWS = 5;
const FIRST_NEWS = 3;

export const stackPage = accountPage({
  path: '/account/stacks/{name}',
  summary: 'A stack',
  answer: async (visit) => {
    const { ctx, shell, params, sent } = visit;
    const name = params.name ?? '';
    const path = `/account/stacks/${name}`;
    const { stack, rows, progress } = await readReport(ctx, { name });
    const listed = rows.map(({ reported, row }): ListRow & { row: StackReportRow } => {
      return { shown: reported, reading: row.reading, isPending: row.isPending, row };
    });
    const shown = listed.map((one) => one.shown);
    const fresh = listed.filter(({ row }) => row.isNew);
    const group = sent.get('group');
    const { token } = await readStackFeed(ctx, { name });
    const rowOf = new Map(listed.map((one) => [one.shown, one.row]));
    const extras = (one: ListRow) => rowExtras(rowOf.get(one.shown), path);
    const groups = await reportGroups(listed, {
      path,
      group,
      page: Number(sent.get('page') ?? 1) || 1,
      first: FIRST_ROWS,
      extras,
    });
    const level = worstLevel(shown);
    const isWhole = group === null;
    const body = html`${crumbs([{ name: 'Stacks', path: '/account/stacks' }], name)}
<div class="spread"><h1>${name}</h1><div class="actions">${token ? html`<a class="btn" href="${token.feedUrl}">${icon('feed')}Feed</a>` : ''}<a class="btn" href="/account/webhooks?stack=${name}">Webhook</a><a class="btn quiet" href="#settings">Settings</a></div></div>
<p class="dot"><span>${plural(stack.packageCount, 'package')}${stack.source ? ` from ${stack.source}` : ''}</span><span>pushed ${stack.pushedBy === 'key' ? 'by CI ' : ''}${ago(stack.pushedAt, shell.now)}</span></p>
${doneNotice(shell, DONE)}${ignoreForm(visit, listed, path)}
<div data-renew="${isFilling(progress) ? `/v1/me/stacks/${name}/progress` : ''}"><section class="answer flat" data-level="${level}" aria-labelledby="vh"><div class="say"><h2 id="vh">${verdictGlyph(level)}<span>${sentenceOf(shown, fresh.length)}</span></h2><p class="lede">${lede(shown, stack.packageCount)}</p></div>
<div>${reportCounts(shown)}${progressLine(progress, path, shell.now)}${isWhole ? skylineFigure(shown) : ''}</div></section>
${postForm(shell, { name: 'stack-marks', action: `${path}/marks`, id: MARKS_FORM }, '')}${isWhole ? news(fresh, { shell, path, seenAt: stack.seenAt, extras }) : ''}
<div class="report">${groups}</div></div>
${isWhole ? settings(stack, token?.feedUrl ?? null, shell) : ''}`;
    return answerPage(visit, { name: 'stack', head: { title: `${name} · Stacks` }, body: accountFrame(shell, body) });
  },
});

function sentenceOf(rows: readonly ReportRow[], fresh: number): string {
  const sentence = summarySentence(rows, { isProposal: true });
  return fresh > 0 ? `${sentence}; ${formatCount(fresh)} new since the last push` : sentence;
}

function lede(rows: readonly ReportRow[], all: number): string {
  const totals = totalsOf(rows);
  const open = totals.not_known;
  const same = totals.up_to_date;
  const judged = all - open - same - totals.done - totals.ignored;
  const parts = [
    `${formatCount(judged)} of ${plural(all, 'package')} ${judged === 1 ? 'has a newer version that was' : 'have newer versions that were'} judged`,
    open > 0 ? `${plural(open, 'is', 'are')} not known` : '',
    same > 0 ? `${plural(same, 'is', 'are')} at the latest version known` : '',
    totals.done + totals.ignored > 0 ? `${plural(totals.done + totals.ignored, 'is', 'are')} done or ignored` : '',
  ].filter(Boolean);
  return `${parts.join(', ')}.`;
}

interface NewsView {
  shell: Shell;
  path: string;
  seenAt: string;
  extras: (row: ListRow) => ReturnType<typeof rowExtras>;
}

function news(fresh: readonly ListRow[], { shell, path, seenAt, extras }: NewsView): Html {
  const since = html`Published after ${timeMark(seenAt, shortDate(seenAt))}. What was merely read since then does not count.`;
  if (fresh.length === 0) return html`<p class="muted small">Nothing is new since the last push.</p>`;
  const seen = postForm(
    shell,
    { name: 'seen', action: `${path}/seen` },
    html`<button class="btn small" type="submit">Mark as seen</button>`,
  );
  const left = fresh.length - FIRST_NEWS;
  const more =
    left > 0
      ? html`<p class="small muted">${formatCount(left)} more ${left === 1 ? 'is' : 'are'} in the groups below, marked as new.</p>`
      : '';
  return html`<section aria-labelledby="nh"><div class="spread"><h2 id="nh">New since the last push: ${formatCount(fresh.length)}</h2>${seen}</div><p class="small muted">${since}</p><ul class="pkgs sp-top">${fresh.slice(0, FIRST_NEWS).map((row) => packageRow(row, { ...extras(row), marked: true }))}</ul>${more}</section>`;
}

const MARKS_FORM = 'marks';

// What the owner may say of a package, by one form for all rows.
function rowExtras(row: StackReportRow | undefined, path: string): { more?: Html; side?: Html } {
  if (row === undefined) return {};
  const key = `${row.ecosystem}:${row.package}`;
  const button = (name: string, words: string) =>
    html`<button class="btn small quiet" type="submit" form="${MARKS_FORM}" name="${name}" value="${key}">${words}<span class="sr">: ${row.package}</span></button>`;
  const { mark } = row;
  if (mark) {
    const until = mark.until === null ? '' : ` until ${mark.until}`;
    const words = mark.kind === 'done' ? 'Done' : `Ignored${until}: ${mark.reason ?? ''}`;
    return {
      side: html`${words.slice(0, 80)}`,
      more: html`<p class="mark-form">${button('again', 'Look at it again')}</p>`,
    };
  }
  if (row.judgement === null || row.isPending) return {};
  const done = row.newest === null ? '' : button('done', 'Done');
  const more = html`<p class="mark-form">${done}<a class="btn small quiet" href="${path}?ignore=${encodeURIComponent(key)}">Ignore until …<span class="sr">: ${row.package}</span></a></p>`;
  return row.isNew ? { more, side: html`<span class="badge line">New</span>` } : { more };
}

function ignoreForm({ shell, sent }: Visit, rows: readonly { row: StackReportRow }[], path: string): Html {
  const key = sent.get('ignore');
  const found = rows.find(({ row }) => `${row.ecosystem}:${row.package}` === key);
  if (!key || !found) return '';
  return html`<section class="block" aria-labelledby="ih"><h2 id="ih">Ignore ${found.row.package}</h2><p class="section-note">It stays in the counts as ignored, in this stack alone.</p>${postForm(
    shell,
    { name: 'stack-ignore', action: `${path}/marks`, values: { ignored: key }, className: 'form' },
    html`${textField({ name: 'reason', label: 'Why', help: 'Those who look at this stack later read it.', required: true, more: html`maxlength="300"` })}${textField({ name: 'until', label: 'Until', type: 'date', help: 'Empty: until you look at it again.' })}<div class="actions"><button class="btn primary" type="submit">Ignore it</button><a class="btn quiet" href="${path}">Cancel</a></div>`,
  )}</section>`;
}

function settings({ name }: StackSummary, feedUrl: string | null, shell: Shell): Html {
  const action = (path: string) => `/account/stacks/${name}/${path}`;
  const button = (form: string, path: string, words: string, kind = '') =>
    postForm(
      shell,
      { name: form, action: action(path) },
      html`<button class="btn${kind}" type="submit">${words}</button>`,
    );
  const feed = feedUrl
    ? html`${secretValue({ label: 'Atom feed of this stack', value: feedUrl, id: 'feed-url' })}<p class="small muted">Releases above your versions. Anyone who has the address can read it. Add <code>?minBreaking=minor&amp;security=true</code> for breaks and security fixes alone.</p><div class="actions sp-top">${button('feed-new', 'feed/new', 'New address')}${button('feed-remove', 'feed/remove', 'Remove the feed')}</div>`
    : html`<p class="small muted">An Atom feed of releases above your versions.</p><div class="sp-top">${button('feed-new', 'feed/new', 'Create a feed')}</div>`;
  return html`<section class="block" id="settings"><h2>Keep it fresh</h2><div class="two-ways"><div><h3>From CI, after each merge to main</h3>${command(`registry stack push --name ${name}`, 'the push command')}<p class="small muted sp-top">Sends names and versions only. <a href="/account/keys?scope=stacks">Make a key that can do nothing else</a></p></div><div><h3>Tell me</h3>${feed}<ul class="mini sp-top"><li><a href="/account/webhooks?stack=${name}">A webhook for this stack</a></li><li><a href="/account/digest">A digest by mail</a></li></ul></div></div></section>
<section class="block"><h2>Remove</h2><p class="small muted">The list goes, with its feed and its webhooks.</p><div class="sp-top">${button('stack-remove', 'remove', 'Remove this stack', ' danger')}</div></section>`;
}

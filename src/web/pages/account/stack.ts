// /account/stacks/{name}: what the newest versions bring to a stack, by risk, and how to hear of the next ones.
import { readStackFeed } from '../../../accounts/stacks/feed-token.ts';
import { readReport } from '../../../accounts/stacks/report.ts';
import type { StackSummary } from '../../../contract/stack.ts';
import type { ReportRow } from '../../../domain/upgrade/report/row.ts';
import { summarySentence } from '../../../domain/upgrade/report/words.ts';
import { accountFrame, doneNotice, secretValue, statusBox } from '../../components/account-frame.ts';
import { postForm } from '../../components/form.ts';
import { formatCount, type Html, html, plural } from '../../components/html.ts';
import { icon } from '../../components/icon.ts';
import { command, crumbs } from '../../components/parts.ts';
import { packageRow, reportCounts, reportGroups } from '../../components/report-groups.ts';
import { ago } from '../../components/time.ts';
import { TRACK_OUTCOMES, trackForm, trackNote } from '../../components/track.ts';
import { verdictGlyph } from '../../components/verdict.ts';
import type { Shell } from '../../frame/shell.ts';
import { accountPage, answerPage } from '../../visit.ts';

const DONE = {
  added: 'The stack was stored.',
  seen: 'Marked as seen. What comes from now on is new.',
  'feed-new': 'The feed has a new address. Older addresses no longer work.',
  'feed-remove': 'The feed was removed. Its address no longer works.',
};

export const stackPage = accountPage({
  path: '/account/stacks/{name}',
  summary: 'A stack',
  answer: async (visit) => {
    const { ctx, shell, params, sent } = visit;
    const name = params.name ?? '';
    const { stack, rows } = await readReport(ctx, { name });
    const reported = rows.map((row) => row.reported);
    const fresh = rows.filter(({ row }) => row.isNew).map((row) => row.reported);
    const level = levelOf(stack);
    const outcome = TRACK_OUTCOMES.find((one) => one === sent.get('track'));
    const isOpen = ctx.config.lookups.access === 'public';
    const { token } = await readStackFeed(ctx, { name });
    const extras = { ...tracking(reported, { shell, name, isOpen }), elsewhere: allRows(name), othersOmitted: 0 };
    const groups = await reportGroups(reported, extras);
    const body = html`${crumbs([{ name: 'Stacks', path: '/account/stacks' }], name)}
<div class="spread"><h1>${name}</h1><div class="actions">${token ? html`<a class="btn" href="${token.feedUrl}">${icon('feed')}Feed</a>` : ''}<a class="btn" href="/account/webhooks?stack=${name}">Webhook</a><a class="btn quiet" href="#settings">Settings</a></div></div>
<p class="dot"><span>${plural(stack.packageCount, 'package')}${stack.source ? ` from ${stack.source}` : ''}</span><span>pushed ${stack.pushedBy === 'key' ? 'by CI ' : ''}${ago(stack.pushedAt, shell.now)}</span></p>
${doneNotice(shell, DONE)}${outcome ? trackNote(outcome, { name: (sent.get('package') ?? '').slice(0, 200), answer: null, inStack: true }) : ''}${stack.counts.pending > 0 ? statusBox(`${plural(stack.counts.pending, 'package was', 'packages were')} not looked at yet. They are read by themselves.`) : ''}
<section class="answer" data-level="${level}" aria-labelledby="vh"><div class="say"><h2 id="vh">${verdictGlyph(level)}<span>${summarySentence(reported, { isProposal: true })}</span></h2><p class="lede">${lede(stack)}</p></div>${reportCounts(reported)}</section>
${news(fresh, shell, name)}
<div class="report">${groups}</div>
${settings(stack, token?.feedUrl ?? null, shell)}`;
    return answerPage(visit, { name: 'stack', head: { title: `${name} · Stacks` }, body: accountFrame(shell, body) });
  },
});

function levelOf({ counts, packageCount }: StackSummary) {
  if (counts.breaks > 0) return 'major';
  if (counts.mayBreak > 0) return 'minor';
  return counts.noSign + counts.upToDate === packageCount ? 'none' : 'unknown';
}

function lede({ counts, packageCount }: StackSummary): string {
  const newer = counts.breaks + counts.mayBreak + counts.noSign;
  const parts = [
    `${formatCount(newer)} of ${plural(packageCount, 'package')} ${newer === 1 ? 'has a newer version' : 'have newer versions'} that ${newer === 1 ? 'was' : 'were'} judged`,
    counts.notKnown > 0 ? `${plural(counts.notKnown, 'is', 'are')} not known` : '',
    counts.security > 0
      ? `${plural(counts.security, 'package has a security fix', 'packages have security fixes')}`
      : '',
  ].filter(Boolean);
  return `${parts.join(', ')}.`;
}

function news(fresh: readonly ReportRow[], shell: Shell, name: string): Html {
  if (fresh.length === 0) return html`<p class="muted">Nothing is new since the last push.</p>`;
  const seen = postForm(
    shell,
    { name: 'seen', action: `/account/stacks/${name}/seen` },
    html`<button class="btn small" type="submit">Mark as seen</button>`,
  );
  return html`<section aria-labelledby="nh"><div class="spread"><h2 id="nh">New since the last push</h2>${seen}</div><ul class="pkgs sp-top">${fresh.map((row) => packageRow(row, { marked: true }))}</ul></section>`;
}

const allRows = (name: string) => html`<code>registry stack show ${name}</code> lists all of them.`;

const MAX_TRACKED = 20;

// Each press counts against the reader's own limit of lookups, and further ones have buttons when the first are tracked.
function tracking(
  rows: readonly ReportRow[],
  { shell, name, isOpen }: { shell: Shell; name: string; isOpen: boolean },
): { track: Html; trackOne?: (row: ReportRow) => Html } {
  const untracked = rows.filter(({ verdict, judgement }) => verdict === 'not_tracked' && judgement === 'not_known');
  if (untracked.length === 0) return { track: '' };
  const words = `${plural(untracked.length, 'package is', 'packages are')} not tracked here, so ${untracked.length === 1 ? 'its' : 'their'} notes are not read.`;
  if (!isOpen) return { track: html`<p class="section-note">${words} Only operators add sources here.</p>` };
  const offered = new Set(untracked.slice(0, MAX_TRACKED));
  return {
    track: html`<p class="section-note">${words} Tracking reads the repository once, now. It counts against your own limit.</p>`,
    trackOne: (row) =>
      offered.has(row)
        ? trackForm(
            shell,
            { package: row.package, ecosystem: row.ecosystem, stack: name },
            html`<button class="btn small" type="submit">Track<span class="sr"> ${row.package}</span></button>`,
          )
        : '',
  };
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

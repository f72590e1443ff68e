// /account: the signed-in account, its usage, and what needs attention.
import { keyUsage } from '../../../accounts/api-keys/manage.ts';
import { readProfile } from '../../../accounts/describe-caller.ts';
import { readFeedToken } from '../../../accounts/following/feed-token.ts';
import { listFollows } from '../../../accounts/following/list-follows.ts';
import { shownHost } from '../../../domain/webhooks/target.ts';
import { listOwn } from '../../../webhooks/subscriptions/list.ts';
import { accountOwner } from '../../../webhooks/subscriptions/owner.ts';
import { accountFrame } from '../../components/account-frame.ts';
import { signOut } from '../../components/form.ts';
import { formatCount, html, plural } from '../../components/html.ts';
import { ago, shortDate } from '../../components/time.ts';
import { needsAttention, webhookHealth } from '../../components/webhook-health.ts';
import { accountPage, answerPage } from '../../visit.ts';

export const overviewPage = accountPage({
  path: '/account',
  summary: 'Your account',
  answer: async (visit) => {
    const { ctx, shell } = visit;
    const [{ user }, keys, { subscriptions }, { follows }, { token }] = await Promise.all([
      readProfile(ctx),
      keyUsage(ctx),
      listOwn(ctx, { owner: accountOwner(ctx) }),
      listFollows(ctx, {}),
      readFeedToken(ctx),
    ]);
    const troubled = subscriptions.filter(needsAttention);
    const body = html`<div class="spread"><div><h1>${user.name}</h1><p class="dot"><span>${user.email}</span><span>since ${shortDate(user.createdAt)}</span></p></div>${signOut(shell, { className: 'btn' })}</div>
<div class="statline"><p class="stat"><b>${formatCount(follows.length)}</b><span><a href="/following">followed</a></span></p><p class="stat"><b>${keys.active} of ${keys.most}</b><span><a href="/account/keys">API keys in use</a></span></p><p class="stat"><b>${subscriptions.length}</b><span><a href="/account/webhooks">${subscriptions.length === 1 ? 'webhook' : 'webhooks'}</a></span></p><p class="stat"><b>${token ? 'On' : 'Off'}</b><span><a href="/account/feed">private feed</a>${token?.lastUsedAt ? html`, read ${ago(token.lastUsedAt, shell.now)}` : ''}</span></p></div>
<section class="block"><h2>Needs attention</h2>${
      troubled.length === 0
        ? html`<p class="muted">Nothing. ${deliveryState(subscriptions)}</p>`
        : html`<ul class="mini">${troubled.map((webhook) => html`<li><a href="/account/webhooks/${webhook.id}">${shownHost(webhook.url)}</a><span class="sub">${webhookHealth(webhook)}</span></li>`)}</ul>`
    }</section>`;
    return answerPage(visit, { name: 'account', head: { title: 'Account' }, body: accountFrame(shell, body) });
  },
});

// A webhook that has never delivered does not count as working.
function deliveryState(webhooks: readonly { lastSuccessAt: string | null }[]): string {
  if (webhooks.length === 0) return 'You have no webhooks.';
  const untried = webhooks.filter(({ lastSuccessAt }) => lastSuccessAt === null).length;
  if (untried === 0) return `${plural(webhooks.length, 'webhook')} without a failure.`;
  return `${plural(untried, 'webhook')} of ${webhooks.length} delivered nothing yet.`;
}

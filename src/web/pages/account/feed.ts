// /account/feed: the address of the private feed with the releases of everything that the account follows.
import { readFeedToken } from '../../../accounts/following/feed-token.ts';
import type { FeedTokenAnswer } from '../../../contract/account.ts';
import { accountFrame, doneNotice, secretValue } from '../../components/account-frame.ts';
import { postForm } from '../../components/form.ts';
import { type Html, html } from '../../components/html.ts';
import { facts } from '../../components/parts.ts';
import { ago } from '../../components/time.ts';
import type { Shell } from '../../frame/shell.ts';
import { accountPage, answerPage } from '../../visit.ts';

export const feedPage = accountPage({
  path: '/account/feed',
  summary: 'Private feed',
  answer: async (visit) => {
    const { ctx, shell } = visit;
    const { token } = await readFeedToken(ctx);
    const body = html`<h1>Private feed</h1>
${doneNotice(shell, { new: 'The feed has a new address. Older addresses no longer work.', removed: 'The feed was removed. Its address no longer works.' })}
<p class="lede">One Atom feed with the releases of everything that you follow.</p>
${token ? address(token, shell) : html`<p>You have none yet.</p>${postForm(shell, { name: 'feed-new', action: '/account/feed/new' }, html`<button class="btn primary" type="submit">Create an address</button>`)}`}`;
    return answerPage(visit, { name: 'feed', head: { title: 'Private feed' }, body: accountFrame(shell, body) });
  },
});

function address(token: NonNullable<FeedTokenAnswer['token']>, shell: Shell): Html {
  return html`${secretValue({ label: 'Address', value: token.feedUrl, id: 'feed-url' })}
<p class="small muted">Anyone who has the address can read the feed. Treat it like a password.</p>
${facts([
  ['Last read', ago(token.lastUsedAt, shell.now) || 'never'],
  ['Created', ago(token.createdAt, shell.now)],
])}
<div class="actions">${postForm(shell, { name: 'feed-new', action: '/account/feed/new' }, html`<button class="btn" type="submit">New address</button>`)}${postForm(shell, { name: 'feed-remove', action: '/account/feed/remove' }, html`<button class="btn danger" type="submit">Remove</button>`)}</div>
<p class="small muted">A new address replaces the old one at once, so change it in your feed reader.</p>`;
}

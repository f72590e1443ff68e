// A follow button is a form, so that it works without script. For a reader who is not signed in the form leads to the
// sign-in page: it changes nothing and carries no CSRF token, so that the page can be cached for everybody.
import type { TargetType } from '../../contract/account.ts';
import type { Shell } from '../frame/shell.ts';
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';

export interface FollowTarget {
  type: TargetType;
  id: string;
  name: string;
}

interface FollowStyle {
  // The small button of lists: followed entities and suggestions.
  small?: boolean;
  // The secondary style, for pages on which following is not the main action.
  quiet?: boolean;
  // Says what is followed where the page does not bear its name.
  named?: boolean;
}

export function isFollowed({ account }: Shell, { type, id }: Pick<FollowTarget, 'type' | 'id'>): boolean {
  const followed = { org: account?.orgs, product: account?.products, package: account?.packages };
  return followed[type]?.has(id) ?? false;
}

export function followForm(shell: Shell, target: FollowTarget, { small, quiet, named }: FollowStyle = {}): Html {
  const following = isFollowed(shell, target);
  const here = shell.query.size > 0 ? `${shell.path}?${shell.query}` : shell.path;
  const values = {
    ...(shell.account && { csrf: shell.csrf('/follow') }),
    type: target.type,
    id: target.id,
    action: following ? 'unfollow' : 'follow',
    next: here,
  };
  const on = small ? 'Unfollow' : 'Following';
  const look = [small ? 'small' : '', small && following ? 'quiet' : '', quiet || small ? '' : 'primary'];
  return html`<form data-form="follow" method="post" action="/follow">${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="${['btn', ...look].filter(Boolean).join(' ')}" type="submit" data-on="${on}"${following && !small ? html` aria-pressed="true"` : ''}>${small ? '' : icon('star')}<span>${following ? on : 'Follow'}</span><span${named ? '' : html` class="sr"`}> ${target.name}</span></button></form>`;
}

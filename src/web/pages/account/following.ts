// /following: what the account follows, and the releases of it.

import { listFollows, personalFeed } from '../../../accounts/following/list-follows.ts';
import type { Follow } from '../../../contract/account.ts';
import { KINDS, SOURCE_TYPES } from '../../../contract/enums.ts';
import type { OrgListItem } from '../../../contract/org.ts';
import { listOrgs } from '../../../entities/orgs/list.ts';
import { listOwn } from '../../../webhooks/subscriptions/list.ts';
import { accountOwner } from '../../../webhooks/subscriptions/owner.ts';
import { activeFilters, filterOf, filterRow, type ListQuery, listQuery } from '../../components/filter-row.ts';
import { followForm } from '../../components/follow.ts';
import { type Html, html, plural } from '../../components/html.ts';
import { avatar, icon } from '../../components/icon.ts';
import { empty, pager } from '../../components/parts.ts';
import { releaseList } from '../../components/release-list.ts';
import { attention } from '../../components/webhook-health.ts';
import type { Shell } from '../../frame/shell.ts';
import { orgPath, productPath, withQuery } from '../../links.ts';
import { accountPage, answerPage } from '../../visit.ts';

const ROWS = 30;
const PROPOSED = 12;

export const followingPage = accountPage({
  path: '/following',
  summary: 'Releases of what you follow',
  query: listQuery,
  answer: async (visit) => {
    const { ctx, shell, query } = visit;
    const [{ follows }, feed, { subscriptions }] = await Promise.all([
      listFollows(ctx, {}),
      personalFeed(ctx, { filter: filterOf(query, shell.now), page: { cursor: query.cursor, limit: ROWS } }),
      listOwn(ctx, { owner: accountOwner(ctx) }),
    ]);
    const proposed =
      follows.length === 0 ? (await listOrgs(ctx, { page: 1, limit: PROPOSED, featured: true })).items : [];
    const next = feed.pagination.nextCursor;
    const main =
      follows.length === 0
        ? proposals(proposed, shell)
        : html`<h2 class="sr">Releases</h2>${filterRow(query, { kinds: KINDS, types: SOURCE_TYPES })}${feed.items.length > 0 ? releaseList(feed.items, { now: shell.now, lead: 'avatar' }) : nothing(query)}${next ? pager('Newest first', { path: withQuery('/following', shell.query, { cursor: next }), name: 'Older' }) : ''}`;
    const body = html`<div class="entity"><div class="entity-text"><h1>Following</h1><p class="lede">${numbers(follows)}</p></div></div>
<div class="cols"><div>${main}</div>
<aside class="panel" aria-label="What you follow">
${follows.length > 0 ? html`<section><h2>You follow</h2><ul class="mini">${follows.map((follow) => followed(follow, shell))}</ul></section>` : ''}
<section><h2>Somewhere else</h2><ul class="linklist"><li><a href="/account/feed">${icon('feed')}Private feed</a></li><li><a href="/account/webhooks">${icon('bell')}Webhooks</a>${attention(subscriptions)}</li></ul></section>
</aside></div>`;
    return answerPage(visit, { name: 'following', head: { title: 'Following' }, body });
  },
});

function numbers(follows: readonly Follow[]): string {
  const of = (type: Follow['targetType']) => follows.filter(({ targetType }) => targetType === type).length;
  const [orgs, products, packages] = [of('org'), of('product'), of('package')];
  const parts = [
    orgs > 0 ? plural(orgs, 'organization') : '',
    products > 0 ? plural(products, 'product') : '',
    packages > 0 ? plural(packages, 'package') : '',
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join(', ')}.` : 'The releases of what you follow come together here.';
}

function nothing(query: ListQuery): Html {
  const filters = activeFilters(query);
  if (filters.length > 0) {
    return empty({
      title: 'Nothing matches these filters',
      text: `What you follow has no release for ${filters.join(', ')}.`,
      action: { path: '/following', name: 'Clear the filters' },
    });
  }
  return query.include_prereleases
    ? empty({ title: 'Nothing published so far', text: 'No release of what you follow is stored here.' })
    : empty({
        title: 'Nothing published so far',
        text: 'No release of what you follow is stored here, pre-releases aside.',
        action: { path: '/following?include_prereleases=true', name: 'Show pre-releases' },
      });
}

function proposals(orgs: readonly OrgListItem[], shell: Shell): Html {
  const text =
    'Follow an organization, a product or a package, and its releases appear here, in your private feed and in webhooks.';
  if (orgs.length === 0) {
    return empty({ title: 'You follow nothing yet', text, action: { path: '/catalog', name: 'Browse the catalog' } });
  }
  const row = (org: OrgListItem) =>
    html`<li><span class="cluster">${avatar(org.name, org.avatarUrl, 'm')}<a href="${orgPath(org.slug)}">${org.name}</a></span>${followForm(shell, { type: 'org', id: org.id, name: org.name }, { small: true })}${org.description ? html`<span class="sub">${org.description}</span>` : ''}</li>`;
  return html`${empty({ title: 'You follow nothing yet', text })}
<section class="block"><h2>Featured organizations</h2><ul class="mini">${orgs.map(row)}</ul><p class="pager"><a class="btn" href="/catalog">All in the catalog</a></p></section>`;
}

function followed({ targetType, targetId, name, slug, orgSlug, avatarUrl }: Follow, shell: Shell): Html {
  const path =
    targetType === 'package'
      ? `/packages/${targetId.replace(':', '/')}`
      : targetType === 'product' && orgSlug
        ? productPath(orgSlug, slug)
        : orgPath(slug);
  return html`<li><span class="cluster">${avatar(name, avatarUrl)}<a href="${path}">${name}</a></span>${followForm(shell, { type: targetType, id: targetId, name }, { small: true })}</li>`;
}

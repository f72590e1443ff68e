// The head, tabs and side panel that the pages of an organization share.
import type { OrgDetail } from '../../contract/org.ts';
import type { Shell } from '../frame/shell.ts';
import { categoryPath, orgPath, outsideUrl, tagPathOf } from '../links.ts';
import { followForm } from './follow.ts';
import { type Html, html, someOf } from './html.ts';
import { avatar, icon } from './icon.ts';
import { crumbs, entityNotice, facts, tabs } from './parts.ts';
import { ago, shortDate, timeMark, upcoming } from './time.ts';

type OrgTab = 'releases' | 'overview' | 'sources';

export function categoryName(slug: string): string {
  return slug.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
}

export function orgHead(org: OrgDetail, current: OrgTab, shell: Shell): Html {
  const path = orgPath(org.slug);
  const trail = [{ name: 'Catalog', path: '/catalog' }];
  if (org.category) trail.push({ name: categoryName(org.category), path: categoryPath(org.category) });
  return html`${crumbs(trail, org.name)}
<header class="entity">${avatar(org.name, org.avatarUrl, 'l')}<div class="entity-text"><h1>${org.name}</h1>${org.description ? html`<p class="lede">${org.description}</p>` : ''}<p class="cluster">${org.domain ? html`<a href="https://${org.domain}" rel="nofollow noopener noreferrer">${org.domain}</a>` : ''}${org.category ? html`<a class="tag" href="${categoryPath(org.category)}">${categoryName(org.category)}</a>` : ''}</p></div>${followForm(shell, { type: 'org', id: org.id, name: org.name })}</header>
${entityNotice(org.notice)}${tabs(org.name, [
  { name: 'Releases', path, count: org.releaseCount, current: current === 'releases' },
  // The page without an overview says why there is none; nothing leads to it.
  ...(org.overview || current === 'overview'
    ? [{ name: 'Overview', path: `${path}/overview`, current: current === 'overview' }]
    : []),
  { name: 'Sources', path: `${path}/sources`, count: org.sourceCount, current: current === 'sources' },
])}`;
}

const FORM_NAMES = { json: 'JSON', md: 'Markdown', atom: 'Atom' } as const;

export function asData(path: string, forms: readonly (keyof typeof FORM_NAMES)[]): Html {
  return html`<section><h2>As data</h2><p class="cluster">${forms.map((form) => html`<a href="${path}.${form}">${form === 'atom' ? html`${icon('feed')} ` : ''}${FORM_NAMES[form]}</a>`)}</p></section>`;
}

export function orgFacts(org: OrgDetail, shell: Shell): Html {
  const next = org.sources
    .map(({ fetchState }) => fetchState.nextCheckAt)
    .filter((time) => time !== null)
    .sort()[0];
  return html`<section><h2>Facts</h2>${facts([
    ['Releases', someOf(org.releaseCount)],
    ['Last 30 days', someOf(org.releasesLast30Days)],
    [
      org.sources.some(({ latestDate }) => latestDate) ? 'Releases since' : 'Added',
      timeMark(org.trackingSince, shortDate(org.trackingSince)),
    ],
    ['Last checked', ago(org.lastPolledAt ?? org.lastFetchedAt, shell.now)],
    next ? ['Next check', upcoming(next, shell.now)] : null,
  ])}</section>`;
}

export function orgLabels(org: OrgDetail): Html {
  const tags =
    org.tags.length > 0
      ? html`<section><h2>Tags</h2><p class="cluster">${org.tags.map((tag) => html`<a class="tag" href="${tagPathOf(tag)}">${tag}</a>`)}</p></section>`
      : '';
  const accounts = org.accounts
    .map(({ platform, handle }) => ({ platform, handle, url: accountUrl(platform, handle) }))
    .map(
      ({ platform, handle, url }) =>
        html`<li>${url ? html`<a href="${url}" rel="nofollow noopener noreferrer">${handle}</a>` : handle}<span class="muted small">${platform}</span></li>`,
    );
  return html`${tags}${accounts.length > 0 ? html`<section><h2>Accounts</h2><ul class="linklist">${accounts}</ul></section>` : ''}`;
}

const PLATFORMS: Record<string, string> = {
  github: 'https://github.com/',
  x: 'https://x.com/',
  twitter: 'https://x.com/',
  youtube: 'https://www.youtube.com/',
  npm: 'https://www.npmjs.com/~',
  mastodon: '',
};

function accountUrl(platform: string, handle: string): string | null {
  if (outsideUrl(handle)) return handle;
  const base = PLATFORMS[platform];
  return base ? `${base}${encodeURIComponent(handle).replaceAll('%40', '@')}` : null;
}

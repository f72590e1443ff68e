// /catalog: organizations and their products from A to Z.

import type { OrgListItem } from '../../contract/org.ts';
import { flag, lenientText, pageNumber, text } from '../../contract/query.ts';
import { listOrgs } from '../../entities/orgs/list.ts';
import { categoryTexts } from '../../entities/taxonomy/category-text.ts';
import { selectFilter } from '../components/filter-row.ts';
import { formatCount, type Html, html, plural } from '../components/html.ts';
import { avatar, icon } from '../components/icon.ts';
import { categoryName } from '../components/org-frame.ts';
import { empty, pager } from '../components/parts.ts';
import { sparkline } from '../components/sparkline.ts';
import { ago } from '../components/time.ts';
import { orgPath, withQuery } from '../links.ts';
import { page } from '../page.ts';

const PAGE_SIZE = 200;

export const catalogPage = page({
  path: '/catalog',
  summary: 'Organizations from A to Z',
  query: { q: text({ max: 200 }), category: lenientText(), empty: flag(), page: pageNumber() },
  load: async (ctx, { query }) => {
    const [orgs, categories] = await Promise.all([
      listOrgs(ctx, {
        page: query.page ?? 1,
        limit: PAGE_SIZE,
        q: query.q,
        category: query.category,
        includeEmpty: query.empty ?? false,
      }),
      categoryTexts(ctx),
    ]);
    return { orgs, categories };
  },
  show: ({ orgs, categories }, shell, { query }) => {
    const { page: current, totalPages, totalItems } = orgs.pagination;
    const hidden = orgs.meta.emptyOrgCount;
    const letters = byLetter(orgs.items);
    return {
      name: 'catalog',
      head: {
        title: 'Catalog',
        description: `All ${plural(totalItems, 'organization')} whose releases this registry reads.`,
        canonical: '/catalog',
        robots: shell.query.size > 0 ? 'noindex, follow' : undefined,
      },
      body: html`<h1>Catalog</h1><p class="lede">${totalItems > 0 ? plural(totalItems, 'organization') : 'No organization found'}${hidden > 0 && !query.empty ? html`, and <a href="${withQuery('/catalog', shell.query, { empty: '1', page: null })}">${formatCount(hidden)} without a release</a>` : ''}</p>
<form class="filter-row" data-form="filter" method="get" role="search" aria-label="Filter organizations"><div class="searchbox">${icon('filter')}<label class="sr" for="f-q">Filter by name</label><input class="input" id="f-q" name="q" type="search" placeholder="Filter by name" value="${query.q ?? ''}"></div>${selectFilter({ name: 'category', label: 'Category', any: 'Any category', options: categories.map(({ slug }) => [slug, categoryName(slug)]), chosen: query.category })}<button class="btn" type="submit">Apply</button></form>
${letters.length > 0 ? list(letters, shell.now) : nothingIn(query, hidden)}
${totalPages > 1 ? pager(`Page ${current} of ${totalPages}`, current < totalPages ? { path: withQuery('/catalog', shell.query, { page: String(current + 1) }), name: 'Next' } : null) : ''}`,
    };
  },
});

function nothingIn({ q, category }: { q?: string | undefined; category?: string | undefined }, hidden: number): Html {
  if (q || category) {
    const what = q ? 'No organization has this name' : 'No organization is';
    return empty({
      title: 'Nothing matches these filters',
      text: `${what}${category ? ' in this category' : ''}.`,
      action: { path: '/catalog', name: 'Clear the filters' },
    });
  }
  return hidden > 0
    ? empty({
        title: 'No release yet',
        text: `${plural(hidden, 'organization is', 'organizations are')} known here, without a release.`,
        action: { path: '/catalog?empty=1', name: 'Show them' },
      })
    : empty({ title: 'Nothing here yet', text: 'No organization is known here.' });
}

export function byLetter<T extends { name: string }>(items: readonly T[]): { letter: string; orgs: T[] }[] {
  const groups = new Map<string, T[]>();
  for (const item of [...items].sort((a, b) => a.name.localeCompare(b.name, 'en'))) {
    const first = item.name.normalize('NFD').charAt(0).toUpperCase();
    const letter = /[A-Z]/.test(first) ? first : '#';
    groups.set(letter, [...(groups.get(letter) ?? []), item]);
  }
  return [...groups].map(([letter, orgs]) => ({ letter, orgs })).sort((a, b) => a.letter.localeCompare(b.letter));
}

// Letters with one or two organizations each would be more lines than names.
const LEAST_IN_LETTER = 4;

function list(letters: ReturnType<typeof byLetter<OrgListItem>>, now: number): Html {
  const all = letters.flatMap(({ orgs }) => orgs);
  if (all.length < LEAST_IN_LETTER * letters.length) {
    return html`<section class="letter whole"><h2 class="sr">From A to Z</h2><div>${all.map((org) => orgRow(org, now))}</div></section>`;
  }
  return html`${alphabet(letters.map(({ letter }) => letter))}${letters.map(({ letter, orgs }) => html`<section class="letter" id="${anchor(letter)}"><h2>${letter}</h2><div>${orgs.map((org) => orgRow(org, now))}</div></section>\n`)}`;
}

const anchor = (letter: string) => (letter === '#' ? 'letter-other' : `letter-${letter.toLowerCase()}`);

function alphabet(present: readonly string[]): Html {
  const letters = ['#', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return html`<nav class="az" aria-label="Letters">${letters.map((letter) => (present.includes(letter) ? html`<a href="#${anchor(letter)}">${letter}</a>` : html`<span aria-hidden="true">${letter}</span>`))}</nav>`;
}

// An organization in a list: picture, name, description, products, and its recent activity.

function orgRow(org: OrgListItem, now: number): Html {
  const products =
    org.topProducts.length > 0
      ? html`<p class="prods">${org.topProducts.map((name) => html`<span>${name}</span>`)}</p>`
      : '';
  return html`<article class="org">${avatar(org.name, org.avatarUrl, 'm')}<div><h3><a href="${orgPath(org.slug)}">${org.name}</a></h3>${org.description ? html`<p>${org.description}</p>` : org.releaseCount > 0 ? html`<p>${plural(org.releaseCount, 'release')}</p>` : ''}${products}</div><div class="right">${sparkline(org.sparkline)}${ago(org.lastActivity, now)}</div></article>`;
}

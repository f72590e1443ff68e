// /packages: every package that is known here, by name.
import { ECOSYSTEMS } from '../../contract/enums.ts';
import { oneOf, pageNumber, text } from '../../contract/query.ts';
import { ECOSYSTEM_WORDS } from '../../domain/ecosystems/index.ts';
import { type ListedPackage, listKnownPackages } from '../../packages/details/list.ts';
import { selectFilter } from '../components/filter-row.ts';
import { type Html, html, plural } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import { versionMark } from '../components/marks.ts';
import { empty, pager } from '../components/parts.ts';
import { packagePath, sourcePath, withQuery } from '../links.ts';
import { page } from '../page.ts';

const PAGE_SIZE = 100;

export const packagesPage = page({
  path: '/packages',
  summary: 'All packages',
  query: { q: text({ max: 200 }), ecosystem: oneOf(ECOSYSTEMS), page: pageNumber() },
  load: (ctx, { query: { q, ecosystem, page: number = 1 } }) =>
    listKnownPackages(ctx, { q, ecosystem, page: number, limit: PAGE_SIZE }),
  show: ({ items, pagination }, shell, { query }) => {
    const { page: current, totalPages, totalItems, hasMore } = pagination;
    const isFiltered = Boolean(query.q || query.ecosystem);
    return {
      name: 'packages',
      head: {
        title: 'Packages',
        description: 'Packages by name, with their newest version and where their notes come from.',
        canonical: '/packages',
        robots: shell.query.size > 0 ? 'noindex, follow' : undefined,
      },
      body: html`<h1>Packages</h1><p class="lede">${totalItems > 0 ? `${plural(totalItems, 'package')} by name.` : 'No package found.'}</p>
<form class="filter-row" data-form="filter" method="get" role="search" aria-label="Filter packages"><div class="searchbox">${icon('filter')}<label class="sr" for="f-q">Filter by name</label><input class="input" id="f-q" name="q" type="search" placeholder="Filter by name" value="${query.q ?? ''}"></div>${selectFilter({ name: 'ecosystem', label: 'Ecosystem', any: 'Any ecosystem', options: ECOSYSTEMS.map((one) => [one, ECOSYSTEM_WORDS[one]]), chosen: query.ecosystem })}<button class="btn" type="submit">Apply</button></form>
${items.length > 0 ? packageTable(items) : nothing(isFiltered)}${totalPages > 1 ? pager(`Page ${current} of ${totalPages}`, hasMore ? { path: withQuery('/packages', shell.query, { page: String(current + 1) }), name: 'Next' } : null) : ''}`,
    };
  },
});

function nothing(isFiltered: boolean): Html {
  return isFiltered
    ? empty({
        title: 'Nothing matches these filters',
        text: 'No package has this name.',
        action: { path: '/packages', name: 'Clear the filters' },
      })
    : empty({
        title: 'No packages yet',
        text: 'Packages are known once a source that publishes them is read.',
        action: { path: '/catalog', name: 'See the catalog' },
      });
}

function packageTable(items: readonly ListedPackage[]): Html {
  return html`<div class="table-wrap block" tabindex="0" role="region" aria-label="Packages"><table class="table stacked dense"><thead><tr><th scope="col">Package</th><th scope="col">Ecosystem</th><th scope="col">Latest</th><th scope="col">Notes</th></tr></thead><tbody>${items.map(row)}</tbody></table></div>`;
}

function row({ ecosystem, name, latest, source }: ListedPackage): Html {
  return html`<tr><th scope="row"><a class="mono" href="${packagePath(ecosystem, name)}">${name}</a></th><td data-th="Ecosystem">${ECOSYSTEM_WORDS[ecosystem]}</td><td data-th="Latest">${latest ? versionMark(latest) : html`<span class="muted">not known</span>`}</td><td data-th="Notes">${source ? html`<a href="${sourcePath(source.orgSlug, source.slug)}">${source.name}</a>${source.releaseCount > 0 ? '' : html` <span class="muted">has none stored</span>`}` : html`<span class="muted">not tracked</span>`}</td></tr>
`;
}

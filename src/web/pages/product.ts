// /{org}/{slug}, a product: the releases of all its sources, its activity, and its description.
import type { GroupActivity } from '../../contract/activity.ts';
import type { ProductDetail } from '../../contract/product.ts';
import { citedText } from '../components/cited-text.ts';
import { type EmptySources, emptyReleases } from '../components/empty-list.ts';
import { filterRow, KIND_WORDS, type ListQuery, listEnd } from '../components/filter-row.ts';
import { followForm, isFollowed } from '../components/follow.ts';
import { formatCount, type Html, html, someOf } from '../components/html.ts';
import { avatar } from '../components/icon.ts';
import { sourceTypeMark } from '../components/marks.ts';
import { asData } from '../components/org-frame.ts';
import { crumbs, entityNotice, facts } from '../components/parts.ts';
import { releaseList } from '../components/release-list.ts';
import { ago, longDate, shortDate, timeMark } from '../components/time.ts';
import { canBePlotted, type PlotRange, plotSpans, weeklyBars } from '../components/weekly-bars.ts';
import { breadcrumbs, pictureOf, type WebPage } from '../frame/document.ts';
import type { Shell } from '../frame/shell.ts';
import { orgPath, outsideUrl, productPath, sourcePathBeside, tagPathOf } from '../links.ts';

interface ProductView {
  product: ProductDetail;
  activity: GroupActivity;
  range: PlotRange;
  // The state of its sources, which explains an empty list.
  sources: EmptySources;
}

export function showProduct(
  { product, activity, range, sources }: ProductView,
  shell: Shell,
  query: ListQuery,
): WebPage {
  const path = productPath(product.orgSlug, product.slug);
  const trail = [
    { name: 'Catalog', path: '/catalog' },
    { name: product.orgName, path: orgPath(product.orgSlug) },
  ];
  const next = product.pagination.nextCursor;
  const home = outsideUrl(product.url);
  const list: Html =
    product.releases.length === 0
      ? emptyReleases({ name: product.name, path, query, total: product.releaseCount, sources })
      : releaseList(product.releases, {
          now: shell.now,
          lead: 'source',
          solo:
            product.sources.length === 1
              ? product.releases.some(({ version }) => version)
                ? 'versions'
                : 'plain'
              : undefined,
        });
  return {
    name: 'product',
    head: {
      title: product.name,
      description: product.description,
      canonical: path,
      image: pictureOf(product.name, product.avatarUrl),
      forms: ['json', 'md', 'atom'],
      robots: shell.query.size > 0 ? 'noindex, follow' : undefined,
      jsonLd: [
        {
          '@type': 'SoftwareApplication',
          name: product.name,
          applicationCategory: 'DeveloperApplication',
          url: home ?? undefined,
          publisher: { '@type': 'Organization', name: product.orgName },
        },
        breadcrumbs(shell, [...trail, { name: product.name, path }]),
      ],
    },
    body: html`${crumbs(trail, product.name)}
<header class="entity">${avatar(product.name, product.avatarUrl, 'l')}<div class="entity-text"><h1>${product.name}</h1>${product.description ? html`<p class="lede">${product.description}</p>` : ''}<p class="cluster">${home ? html`<a href="${home}" rel="nofollow noopener noreferrer">${home.replace(/^https?:\/\//, '').replace(/\/$/, '')}</a>` : ''}${product.kind ? html`<span class="badge line">${KIND_WORDS[product.kind]}</span>` : ''}</p></div>${followProduct(product, shell)}</header>
${entityNotice(product.notice)}<div class="cols"><div>
${canBePlotted(product.latestDate, shell.now) ? html`<section aria-label="Releases by week">${plotSpans(path, shell.query, { range, now: shell.now })}${weeklyBars({ weeks: activity.aggregateWeekly, unreadWeeks: activity.unreadWeeks }, range)}</section>` : ''}
${product.overview ? html`<section class="block"><h2>Overview</h2>${citedText(product.overview)}<p class="who">From the notes of its releases, put together on ${longDate(product.overview.generatedAt)}</p></section>` : ''}
<section class="block"><h2>Releases</h2>${filterRow(query, { total: product.releaseCount })}${list}${listEnd({ path, shown: product.releases.length, total: product.releaseCount, next }, shell, query)}</section></div>
<aside class="panel" aria-label="About ${product.name}">
<section><h2>Sources</h2><ul class="linklist">${product.sources.map((source) => html`<li><a href="${sourcePathBeside([product], product.orgSlug, source)}">${source.name}</a>${sourceTypeMark(source.type)}</li>`)}</ul></section>
${stores(product)}${product.tags.length > 0 ? html`<section><h2>Tags</h2><p class="cluster">${product.tags.map((tag) => html`<a class="tag" href="${tagPathOf(tag)}">${tag}</a>`)}</p></section>` : ''}
<section><h2>Facts</h2>${facts([
      ['Releases', formatCount(product.releaseCount)],
      ['Last 30 days', someOf(product.releasesLast30Days)],
      ['Latest', ago(product.latestDate, shell.now)],
      ['In the registry since', timeMark(product.createdAt, shortDate(product.createdAt))],
    ])}</section>
${asData(path, ['atom', 'json', 'md'])}
</aside></div>`,
  };
}

// A reader who follows the organization already has the product's releases in their feed.
function followProduct({ id, name, orgId, orgName, orgSlug }: ProductDetail, shell: Shell): Html {
  const covered = isFollowed(shell, { type: 'org', id: orgId });
  const button = followForm(shell, { type: 'product', id, name }, { quiet: covered });
  if (!covered) return button;
  return html`<div class="stack">${button}<p class="small muted" data-covered>In your feed already: you follow <a href="${orgPath(orgSlug)}">${orgName}</a>.</p></div>`;
}

// Links to the app stores.
function stores({ sources }: ProductDetail): Html {
  const links = sources.flatMap(({ type, name, url }) => {
    const address = type === 'appstore' ? outsideUrl(url) : null;
    return address ? [html`<li><a href="${address}" rel="nofollow noopener noreferrer">${name}</a></li>`] : [];
  });
  return links.length > 0 ? html`<section><h2>In stores</h2><ul class="linklist">${links}</ul></section>` : '';
}

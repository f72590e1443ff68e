// /release/{id}: one release. The verdict comes first, then the migration steps, then the publisher's notes.

import { addDependencies } from '../../context.ts';
import type { ReleaseDetail } from '../../contract/release.ts';
import { packageKey } from '../../domain/published-package.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import { redirect } from '../../http/kernel/reply.ts';
import { packagesOfRelease } from '../../packages/details/of-release.ts';
import { detailOf, releaseDetail, resolveRelease } from '../../releases/detail.ts';
import { readFeed } from '../../releases/feeds/feed.ts';
import { type NearRelease, releaseNeighbours } from '../../releases/neighbours.ts';
import { readCoverage } from '../../releases/write/coverage.ts';
import { relatedTo } from '../../search/related/releases.ts';
import { contents, contentsWithin } from '../components/contents.ts';
import { type FollowTarget, followForm } from '../components/follow.ts';
import { type Html, html } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import {
  BY_AUTHOR,
  MAJOR_NEWS,
  PRERELEASE,
  ROUNDUP,
  splitPackage,
  verdictBadge,
  versionMark,
  WITHDRAWN,
} from '../components/marks.ts';
import { crumbs } from '../components/parts.ts';
import { renderedNotes } from '../components/prose.ts';
import { rowTitle } from '../components/release-list.ts';
import { coveredBy, moreFrom, prevNext, relatedElsewhere } from '../components/release-neighbours.ts';
import { releasePanel } from '../components/release-panel.ts';
import { releaseReading } from '../components/release-reading.ts';
import { differenceNote, media, mustDo, noText, summary, withdrawnNote } from '../components/release-text.ts';
import { longDate, timeMark } from '../components/time.ts';
import { apiAnswer, segment } from '../formats/api.ts';
import { breadcrumbs, pictureOf } from '../frame/document.ts';
import type { Shell } from '../frame/shell.ts';
import { orgPath, outsideUrl, productPath, releasePath, sourcePath, sourcePathBeside } from '../links.ts';
import { page, panelContext } from '../page.ts';

const MORE = 5;
const RELATED = 5;

export const releasePage = page({
  path: '/release/{rel}',
  summary: 'A release',
  dependsOn: 'resolved',
  revalidate: true,
  formats: {
    json: apiAnswer(({ rel = '' }) => `/releases/${segment(rel)}`),
    md: apiAnswer(({ rel = '' }) => `/releases/${segment(rel)}`),
  },
  load: async (ctx, { params }) => {
    // The kernel has already removed the slug that may follow the id.
    const row = await resolveRelease(ctx, params.rel ?? '');
    const release = await detailOf(ctx, row);
    // A note about a launch elsewhere redirects to the release itself.
    const launch = release.coverage.canonicalId && (await readCoverage(ctx, release.id)).canonical?.sibling;
    if (launch) return redirect(`/release/${launch.id}`, 308);
    // The page shows other releases of the org.
    addDependencies(ctx, release.org?.id ?? null);
    const [notes, coverage, more, related, near, packages] = await Promise.all([
      renderedNotes({
        content: release.content,
        base: release.url,
        inRepository: release.source.type === 'github',
        wholeAt: `/release/${release.id}.md`,
      }),
      release.coverageCount > 0 ? readCoverage(ctx, release.id) : null,
      release.org
        ? readFeed(ctx, {
            branches: [{ column: 'org_id', value: release.org.id }],
            filter: {},
            page: { limit: MORE + 1, includeContent: false },
          })
        : null,
      relatedTo(panelContext(ctx), row, { scope: 'global', limit: RELATED }, release.org ? [release.org.id] : []),
      releaseNeighbours(ctx, row),
      packagesOfRelease(ctx, row),
    ]);
    const others = more?.releases.filter((item) => item.id !== release.id).slice(0, MORE) ?? [];
    const siblings = coverage?.covers.flatMap(({ sibling }) => (sibling ? [sibling.id] : [])) ?? [];
    const covering = await Promise.all(siblings.map((id) => releaseDetail(ctx, id)));
    return { release, notes, covering, more: others, related, near, packages };
  },
  show: ({ release, notes, covering, more, related, near, packages }, shell) => {
    const { org, product, source } = release;
    const title = titleOf(release, packages);
    const trail = [
      { name: 'Catalog', path: '/catalog' },
      ...(org ? [{ name: org.name, path: orgPath(org.slug) }] : []),
      product && org
        ? { name: product.name, path: productPath(org.slug, product.slug) }
        : { name: source.name, path: sourcePath(source.orgSlug, source.slug) },
    ];
    const here = splitPackage(release.version).version ?? rowTitle(release);
    const original = outsideUrl(release.url);
    const hasText = release.content.trim() !== '';
    const parts = [
      ...(releaseReading(release).steps.length > 0 ? [{ id: 'must-h', name: 'Before you upgrade', parts: [] }] : []),
      ...notes.headings,
    ];
    return {
      name: 'release',
      head: {
        title,
        description: release.summary || null,
        canonical: releasePath(release),
        image: releasePicture(release, title),
        card: { url: `${shell.webUrl}/release/${release.id}/card.png`, alt: title },
        article: { publishedAt: release.publishedAt },
        forms: ['json', 'md'],
        robots: 'noindex, follow',
        jsonLd: [
          {
            '@type': 'TechArticle',
            headline: title,
            datePublished: release.publishedAt ?? undefined,
            dateModified: release.updatedAt,
            isBasedOn: original ?? undefined,
          },
          breadcrumbs(shell, trail),
        ],
      },
      body: html`${crumbs(trail, here)}
<div class="sheet">${contents(parts, 'In this note')}<article data-release-id="${release.id}">
<header class="read-head"><p class="cluster">${versionMark(release.version, { chip: true })}${badges(release)}</p>
<h1 dir="auto">${title}</h1>
<p class="dot">${release.publishedAt ? html`<span>${timeMark(release.publishedAt, longDate(release.publishedAt))}</span>` : html`<span>Undated</span>`}<span><a href="${sourcePathBeside(product ? [product] : [], source.orgSlug, source)}">${source.name}</a></span>${original ? html`<span><a href="${original}" rel="nofollow noopener noreferrer">Original note ${icon('external')}</a></span>` : ''}</p>${actions(release, packages, { newest: near.newest, shell })}</header>
<div class="article">
${withdrawnNote(release)}${differenceNote(release)}${contentsWithin(parts, 'In this note')}${mustDo(release)}${summary(release)}${hasText ? html`<div class="prose" dir="auto">${notes.html}</div>` : noText(release)}${media(release)}${prevNext(near, source.name)}
${coveredBy(covering, shell.now)}
${org ? moreFrom(org.name, more, shell.now) : ''}
${relatedElsewhere(related.items, shell.now)}
</div></article>
${releasePanel(release, packages, shell)}</div>`,
    };
  },
});

function badges(release: ReleaseDetail): Html[] {
  return [
    verdictBadge(release.breaking),
    release.withdrawn ? WITHDRAWN : '',
    release.authored ? BY_AUTHOR : '',
    release.prerelease ? PRERELEASE : '',
    release.type === 'rollup' ? ROUNDUP : '',
    (release.importance ?? 0) >= 4 ? MAJOR_NEWS : '',
    release.coverageCount > 0 ? html`<span class="badge line">+${release.coverageCount} covering</span>` : '',
  ];
}

// A title that only repeats the version does not say what it is a version of.
function titleOf(release: ReleaseDetail, packages: readonly PackageName[]): string {
  const { title, titleGenerated, version, product, source } = release;
  const own = splitPackage(version);
  if (titleGenerated) return titleGenerated;
  if (title !== '' && title !== version && title !== own.version && title !== `v${own.version}`) return title;
  if (own.version === null) return 'Untitled release';
  return `${own.name ?? product?.name ?? (packages.length === 1 ? packages[0]?.name : undefined) ?? source.name} ${own.version}`;
}

interface ReleaseActions {
  newest: NearRelease | null;
  shell: Shell;
}

function actions(release: ReleaseDetail, packages: readonly PackageName[], { newest, shell }: ReleaseActions): Html {
  const { source } = release;
  const target = followTarget(release, packages);
  return html`<div class="actions">${target ? followForm(shell, target, { quiet: true, named: true }) : ''}<a class="btn" href="${sourcePath(source.orgSlug, source.slug)}.atom">${icon('feed')}Feed</a>${newest ? html`<a class="btn quiet" href="${releasePath(newest)}">Newest: ${splitPackage(newest.version).version}</a>` : ''}</div>`;
}

// What the release is of: a product, its package, or whatever its organization makes.
function followTarget({ org, product }: ReleaseDetail, packages: readonly PackageName[]): FollowTarget | null {
  if (product) return { type: 'product', id: product.id, name: product.name };
  const [own, other] = packages;
  if (own && !other) return { type: 'package', id: packageKey(own), name: own.name };
  return org && { type: 'org', id: org.id, name: org.name };
}

// The first picture of the notes, else that of the organization.
function releasePicture({ media, org }: ReleaseDetail, title: string) {
  const image = media.find(({ type }) => type !== 'video');
  return pictureOf(image?.alt || title, image?.url) ?? pictureOf(org?.name ?? title, org?.avatarUrl);
}

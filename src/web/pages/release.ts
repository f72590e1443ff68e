// /release/{id}: one release. The verdict comes first, then the migration steps, then the publisher's notes.
import { readCoverage } from '../../catalog/releases/coverage.ts';
import { detailOf, releaseDetail, resolveRelease } from '../../catalog/releases/detail.ts';
import { readFeed } from '../../catalog/releases/feed.ts';
import { type NearRelease, releaseNeighbours } from '../../catalog/releases/neighbours.ts';
import { noteShown } from '../../context.ts';
import type { FeedItem, ReleaseDetail } from '../../contract/release.ts';
import type { PackageName } from '../../domain/upgrade/asked.ts';
import { redirect } from '../../http/kernel/reply.ts';
import { packagesOfRelease } from '../../insight/packages/of-release.ts';
import { relatedTo } from '../../search/related/releases.ts';
import { MAJOR_NEWS, PRERELEASE, ROUNDUP, VERDICT_ICONS, verdictBadge } from '../components/badge.ts';
import { contents, contentsWithin } from '../components/contents.ts';
import { followForm } from '../components/follow.ts';
import { formatCount, type Html, html, join, plural } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import { noticeBox } from '../components/notice.ts';
import { asData } from '../components/org-frame.ts';
import { crumbs, facts } from '../components/parts.ts';
import { inlineCode, renderedNotes } from '../components/prose.ts';
import { releaseReading } from '../components/release-reading.ts';
import { rowTitle } from '../components/release-row.ts';
import { sourceTypeMark } from '../components/source-type.ts';
import { ago, duration, longDate, shortDate, timeMark } from '../components/time.ts';
import { ECOSYSTEM_WORDS } from '../components/upgrade-answer.ts';
import { versionMark } from '../components/version.ts';
import { apiAnswer, segment } from '../formats/api.ts';
import { breadcrumbs, pictureOf } from '../frame/head.ts';
import type { Shell } from '../frame/shell.ts';
import { orgPath, outsideUrl, packagePath, productPath, releasePath, sourcePath, sourcePathBeside } from '../links.ts';
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
    noteShown(ctx, release.org?.id ?? null);
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
    const title = release.titleGenerated ?? (release.title || release.version || 'Untitled release');
    const trail = [
      { name: 'Catalog', path: '/catalog' },
      ...(org ? [{ name: org.name, path: orgPath(org.slug) }] : []),
      product && org
        ? { name: product.name, path: productPath(org.slug, product.slug) }
        : { name: source.name, path: sourcePath(source.orgSlug, source.slug) },
    ];
    const here = release.version ?? rowTitle(release);
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
<p class="dot">${release.publishedAt ? html`<span>${timeMark(release.publishedAt, longDate(release.publishedAt))}</span>` : html`<span>Undated</span>`}<span><a href="${sourcePathBeside(product ? [product] : [], source.orgSlug, source)}">${source.name}</a></span>${original ? html`<span><a href="${original}" rel="nofollow noopener noreferrer">Original note ${icon('external')}</a></span>` : ''}</p>${actions(release, near, shell)}</header>
<div class="article">
${withdrawnNote(release)}${contentsWithin(parts, 'In this note')}${mustDo(release)}${summary(release)}${hasText ? html`<div class="prose" dir="auto">${notes.html}</div>` : noText(release)}${media(release)}${prevNext(near, source.name)}
${covering.length > 0 ? html`<section class="block"><h2>Also covered by</h2><ul class="mini">${covering.map((item) => html`<li>${coveringNote(item)}<span class="muted small">${ago(item.publishedAt, shell.now)}</span><span class="sub">${item.sourceName}</span></li>`)}</ul></section>` : ''}
${more.length > 0 && org ? html`<section class="block"><h2>More from ${org.name}</h2><ul class="mini">${more.map((item) => mini(item, shell.now))}</ul></section>` : ''}
${related.items.length > 0 ? html`<section class="block"><h2>Related from other products</h2><ul class="mini">${related.items.map((item) => html`<li><a href="${releasePath(item)}">${rowTitle(item)}</a><span class="muted small">${ago(item.publishedAt, shell.now)}</span><span class="sub">${item.source.productName ?? item.source.name} ${versionMark(item.version)}</span></li>`)}</ul></section>` : ''}
</div></article>
<aside class="panel" aria-label="About this release">
${composition(release)}${checkUpgrade(release)}
<section><h2>About</h2>${facts([
        [product ? 'Product' : 'Source', html`<a href="${trail.at(-1)?.path}">${product?.name ?? source.name}</a>`],
        packages.length > 0 ? [packages.length === 1 ? 'Package' : 'Packages', packageLinks(packages)] : null,
        ['Read from', html`<span>${sourceTypeMark(source.type)}</span>`],
        release.publishedAt ? null : ['Published', 'no date given'],
        ['Came in', cameIn(release)],
        release.revisionCount > 0
          ? ['Edited', html`${plural(release.revisionCount, 'time')}, last ${ago(release.updatedAt, shell.now)}`]
          : null,
        hasText ? ['Reading time', readingTime(release.contentTokens)] : null,
      ])}</section>
${asData(`/release/${release.id}`, ['md', 'json'])}
</aside></div>`,
    };
  },
});

function packageLinks(packages: readonly PackageName[]): Html {
  const links = packages.map(
    ({ ecosystem, name }) =>
      html`<a href="${packagePath(ecosystem, name)}">${name} on ${ECOSYSTEM_WORDS[ecosystem]}</a>`,
  );
  return html`${join(links, html`, `)}`;
}

// Only a writer sees a release that an operator has suppressed.
function withdrawnNote({ suppressed, suppressedBy }: ReleaseDetail): Html {
  if (!suppressed) return '';
  return noticeBox(
    'warning',
    suppressedBy === 'source'
      ? 'The author has withdrawn this release. It is shown because upgrades past it still bring what it changed.'
      : 'An operator has suppressed this release. Only operators can read it.',
  );
}

// The page of a covering note redirects to this release, so the link leads to the original note.
function coveringNote(note: ReleaseDetail): Html {
  const original = outsideUrl(note.url);
  const name = rowTitle(note);
  return original
    ? html`<a href="${original}" rel="nofollow noopener noreferrer">${name}</a>`
    : html`<span>${name}</span>`;
}

function badges(release: ReleaseDetail): Html[] {
  return [
    verdictBadge(release.breaking),
    release.prerelease ? PRERELEASE : '',
    release.type === 'rollup' ? ROUNDUP : '',
    (release.importance ?? 0) >= 4 ? MAJOR_NEWS : '',
    release.coverageCount > 0 ? html`<span class="badge line">+${release.coverageCount} covering</span>` : '',
  ];
}

function actions(
  { org, product, source }: ReleaseDetail,
  { newest }: { newest: NearRelease | null },
  shell: Shell,
): Html {
  const target = product
    ? ({ type: 'product', id: product.id, name: product.name } as const)
    : org && ({ type: 'org', id: org.id, name: org.name } as const);
  return html`<div class="actions">${target ? followForm(shell, target, { quiet: true }) : ''}<a class="btn" href="${sourcePath(source.orgSlug, source.slug)}.atom">${icon('feed')}Feed</a>${newest ? html`<a class="btn quiet" href="${releasePath(newest)}">Newest: ${newest.version}</a>` : ''}</div>`;
}

const SIGNATURES: Record<ReleaseDetail['derivedBy'], string> = {
  model: 'Written by a model from this note',
  rules: 'Taken from the release notes',
  operator: 'Written by the operator of this registry',
};

// What the notes say themselves a few lines below is not said twice.
function summary(release: ReleaseDetail): Html {
  if (!release.summary || releaseReading(release).isRepeated) return '';
  return html`<section class="aside-note" aria-label="Summary"><p dir="auto">${inlineCode(release.summary)}</p><p class="who">${icon('pen')}${SIGNATURES[release.derivedBy]}</p></section>`;
}

function mustDo(release: ReleaseDetail): Html {
  const { steps: list } = releaseReading(release);
  if (list.length === 0) return '';
  const minor = release.breaking === 'minor' ? ' minor' : '';
  return html`<section class="must${minor}" aria-labelledby="must-h"><h2 id="must-h">${icon(VERDICT_ICONS[release.breaking])}Before you upgrade</h2><ol dir="auto">${list.map((step) => html`<li><span>${inlineCode(step)}</span></li>`)}</ol><p class="who">${stepsSignature(release)}</p></section>`;
}

// Steps that were taken from a part of a section say so, because the rest of it may matter too.
function stepsSignature(release: ReleaseDetail): string {
  const { taken } = releaseReading(release);
  if (taken === null) return SIGNATURES[release.derivedBy];
  const { section, quoted, entries } = taken;
  if (quoted === entries) return `Taken from “${section}”`;
  return `Taken from “${section}”: ${quoted} of its ${plural(entries, 'entry', 'entries')} ${quoted === 1 ? 'says' : 'say'} what to do. Read the others too`;
}

const NO_TEXT: Partial<Record<ReleaseDetail['sourceType'], string>> = {
  github: 'It was tagged on GitHub without a text, and no changelog of the repository has a part about it.',
  feed: 'Its entry in the feed has a title and no text.',
  appstore: 'The store shows this version without a note.',
};

function noText(release: ReleaseDetail): Html {
  const original = outsideUrl(release.url);
  const why = NO_TEXT[release.sourceType] ?? 'Its source names this version and says nothing about it.';
  return html`<div class="no-text"><h2>This release has no notes</h2><p>${why} Whether it breaks anything is not known.</p>${original ? html`<p><a href="${original}" rel="nofollow noopener noreferrer">Look at the original ${icon('external')}</a></p>` : ''}</div>`;
}

function prevNext({ previous, next }: { previous: NearRelease | null; next: NearRelease | null }, name: string): Html {
  if (!previous && !next) return '';
  const day = ({ publishedAt }: NearRelease) => (publishedAt ? `, ${shortDate(publishedAt)}` : '');
  const before = previous
    ? html`<a href="${releasePath(previous)}" rel="prev"><span>${icon('back')} Previous${day(previous)}</span>${versionMark(previous.version)}</a>`
    : html`<span></span>`;
  const after = next
    ? html`<a class="after" href="${releasePath(next)}" rel="next"><span>Next${day(next)} ${icon('chevron')}</span>${versionMark(next.version)}</a>`
    : '';
  return html`<nav class="prevnext" aria-label="Other releases of ${name}">${before}${after}</nav>`;
}

const DAY = 86_400_000;
const MONTH = 30 * DAY;
const TOKENS_A_MINUTE = 300;

// How long after its publication a release came in; a later import shows its date.
function cameIn({ publishedAt, fetchedAt }: ReleaseDetail): Html {
  const delay = publishedAt ? Date.parse(fetchedAt) - Date.parse(publishedAt) : -1;
  const words = delay >= 0 && delay < MONTH && publishedAt ? `${duration(delay)} after` : longDate(fetchedAt);
  return timeMark(fetchedAt, words);
}

function readingTime(tokens: number): string {
  const minutes = Math.round(tokens / TOKENS_A_MINUTE);
  return minutes < 1 ? 'under a minute' : `${formatCount(minutes)} min`;
}

// Pictures that the text does not show, and links to videos: no frame of another site is embedded.
function media(release: ReleaseDetail): Html {
  const pictures = release.media.filter(
    ({ type, url, r2Url }) => type !== 'video' && (r2Url ?? url).startsWith('https:') && !release.content.includes(url),
  );
  const clips = release.media.filter(
    ({ type, url }) => type === 'video' && outsideUrl(url) && !release.content.includes(url),
  );
  if (pictures.length === 0 && clips.length === 0) return '';
  return html`<section class="block" aria-label="Pictures"><div class="stack">${pictures.map(({ url, r2Url, alt }) => html`<img src="${r2Url ?? url}" alt="${alt ?? ''}" loading="lazy" decoding="async" referrerpolicy="no-referrer">`)}${clips.map(({ url, alt }) => html`<p><a href="${url}" rel="nofollow noopener noreferrer">${icon('play')} ${alt || 'Watch the clip'}</a></p>`)}</div></section>`;
}

function composition({ composition: parts }: ReleaseDetail): Html {
  if (!parts || parts.features + parts.enhancements + parts.bugs === 0) return '';
  const rows = [
    { style: 'c-feat', count: parts.features, word: 'added' },
    { style: 'c-enh', count: parts.enhancements, word: 'changed' },
    { style: 'c-bug', count: parts.bugs, word: 'fixed' },
  ].filter(({ count }) => count > 0);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  let x = 0;
  const bars = rows.map(({ style, count }) => {
    const width = (count / total) * 210;
    const bar = html`<rect class="${style}" x="${x.toFixed(1)}" y="0" width="${Math.max(1, width - 1.5).toFixed(1)}" height="8"/>`;
    x += width;
    return bar;
  });
  const words = rows.map(({ count, word }) => `${count} ${word}`).join(', ');
  return html`<section><h2>What is in it</h2><svg class="comp-bar" viewBox="0 0 210 8" preserveAspectRatio="none" role="img" aria-label="${words}">${bars}</svg><p class="legend">${rows.map(({ style, count, word }) => html`<span><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="${style}" width="10" height="10" rx="1.5"/></svg>${count} ${word}</span>`)}</p></section>`;
}

function checkUpgrade({ version, source }: ReleaseDetail): Html {
  if (!version) return '';
  return html`<section><h2>Check your update</h2><form action="/whats-changed" method="get" class="stack" data-form="whats-changed"><input type="hidden" name="package" value="${source.slug}">${source.orgSlug ? html`<input type="hidden" name="org" value="${source.orgSlug}">` : ''}<input type="hidden" name="to" value="${version}"><div class="field"><label for="rf">You have</label><input class="input mono" id="rf" name="from" required></div><button class="btn wide" type="submit">What changed up to ${version}</button></form></section>`;
}

function mini(item: FeedItem, now: number): Html {
  return html`<li><a href="${releasePath(item)}">${rowTitle(item)}</a><span class="muted small">${ago(item.publishedAt, now)}</span><span class="sub">${item.product?.name ?? item.source.name} ${versionMark(item.version)}</span></li>`;
}

// The first picture of the notes, else that of the organization.
function releasePicture({ media, org }: ReleaseDetail, title: string) {
  const image = media.find(({ type }) => type !== 'video');
  return pictureOf(image?.alt || title, image?.url) ?? pictureOf(org?.name ?? title, org?.avatarUrl);
}

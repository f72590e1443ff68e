// What the page of a package shows.
import type { PackageDetail } from '../../contract/package.ts';
import type { Page } from '../../contract/pagination.ts';
import type { ReadingState } from '../../contract/reading.ts';
import type { Calendar } from '../../domain/breaking/calendar.ts';
import { ECOSYSTEM_WORDS } from '../../domain/ecosystems/index.ts';
import { packageKey } from '../../domain/published-package.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import { VERDICT_WORDS } from '../../domain/upgrade/verdict-words.ts';
import type { KnownPackage } from '../../packages/details/known-package.ts';
import { type PackageStep, toldTitle } from '../../packages/details/steps.ts';
import type { VersionChoice, VersionOfPackage } from '../../packages/details/versions.ts';
import { breadcrumbs, type WebPage } from '../frame/document.ts';
import type { Shell } from '../frame/shell.ts';
import { packagePath, sourcePath, whatsChangedPath, withQuery } from '../links.ts';
import { followForm } from './follow.ts';
import { formatCount, type Html, html, plural } from './html.ts';
import { avatar, icon } from './icon.ts';
import { VERDICT_ICONS, versionMark, versionRange } from './marks.ts';
import { packageCalendar } from './package-calendar.ts';
import { packagePanel } from './package-panel.ts';
import { crumbs, empty, noticeBox, pager } from './parts.ts';
import { inlineCode } from './prose.ts';
import { isBeingRead, readingBox, renewed } from './reading.ts';
import { rowTitle } from './release-list.ts';
import { ago } from './time.ts';
import { trackPackage } from './track.ts';

export interface PackageView {
  known: KnownPackage;
  // What is being read of it because somebody looks at it.
  reading: ReadingState | null;
  calendar: Calendar | null;
  detail: PackageDetail;
  latest: VersionOfPackage | null;
  // When its first version came.
  oldest: string | null;
  steps: readonly PackageStep[];
  versions: Page<VersionOfPackage>;
  // Pre-releases that the list leaves out.
  hiddenPrereleases: number;
  show: VersionChoice;
  prereleases: boolean;
  elsewhere: PackageName | null;
  // Whether this registry lets its readers have packages read.
  isOpen: boolean;
}

export function showPackage(view: PackageView, shell: Shell): WebPage {
  const { detail, known } = view;
  const path = packagePath(detail.ecosystem, detail.name);
  const where = ECOSYSTEM_WORDS[detail.ecosystem];
  const trail = [{ name: 'Packages', path: '/packages' }];
  const name = known.spelling;
  return {
    name: 'package',
    head: {
      title: `${name} on ${where}`,
      description: `Versions of the ${where} package ${name}: what changed, what breaks, and which have no notes.`,
      canonical: path,
      forms: ['json', 'md', 'atom'],
      robots: shell.query.size > 0 ? 'noindex, follow' : undefined,
      card: { url: `${shell.webUrl}${path}/card.png`, alt: `${name} on ${where}` },
      jsonLd: [breadcrumbs(shell, [...trail, { name, path }])],
    },
    body: html`${crumbs(trail, `${name} on ${where}`)}
<header class="entity">${avatar(name, null, 'l')}<div class="entity-text"><h1>${name}</h1>${detail.manifest?.description ? html`<p class="lede" dir="auto">${detail.manifest.description}</p>` : ''}<p class="cluster"><span class="badge line">${where}</span>${headline(view, shell)}</p></div><div class="actions">${followForm(shell, { type: 'package', id: packageKey(known), name }, { quiet: true })}<a class="btn" href="${path}.atom">${icon('feed')}Feed</a><a class="btn primary" href="${checkPath(view)}">Check an upgrade</a></div></header>
${renewed(
  view.reading ?? undefined,
  html`${notices(view, shell)}<div class="cols"><div>${stepsTable(view)}${packageCalendar(view.calendar)}${versionsTable(view, shell, path)}</div>
${packagePanel(view, shell, path)}</div>`,
)}`,
  };
}

function headline({ detail, latest, oldest, known }: PackageView, shell: Shell): Html {
  const { published } = detail.versions;
  const since = oldest ? ` since ${oldest.slice(0, 4)}` : '';
  const count = published ?? detail.versions.noted;
  const source = known.notes?.source;
  return html`${latest ? html`<span>latest ${versionMark(latest.version)}${latest.publishedAt ? html`, ${ago(latest.publishedAt, shell.now)}` : ''}</span>` : ''}${count > 0 ? html`<span>${published === null ? `${plural(count, 'version')} with notes${since}` : `${plural(count, 'version')}${since}`}</span>` : ''}${source ? html`<span>Notes from <a href="${sourcePath(source.orgSlug, source.slug)}">${source.name}</a></span>` : ''}`;
}

function checkPath({ detail, versions }: PackageView): string {
  const from = versions.items.at(-1)?.version;
  const { ecosystem, name } = detail;
  return from ? whatsChangedPath({ package: name, ecosystem, from, to: 'latest' }) : '/whats-changed';
}

function notices({ detail, known, isOpen, reading }: PackageView, shell: Shell): Html {
  const where = ECOSYSTEM_WORDS[detail.ecosystem];
  const deprecated =
    detail.deprecated === null
      ? ''
      : noticeBox(
          'warning',
          html`The latest version is deprecated on ${where}: “<span dir="auto">${detail.deprecated}</span>”.`,
        );
  const isRead = isBeingRead(reading?.state);
  const box = reading ? readingBox(reading, packagePath(detail.ecosystem, detail.name), shell.now) : '';
  const untracked =
    known.notes || isRead
      ? ''
      : noticeBox(
          'info',
          `No source that is read here tells what its versions changed, so nothing can be said about breaks.`,
        );
  const { ecosystem, spelling } = known;
  const track = known.notes || !isOpen || isRead ? '' : trackPackage(shell, { ecosystem, name: spelling });
  return html`${box}${deprecated}${untracked}${track}`;
}

function answerBadge(answer: keyof typeof VERDICT_WORDS): Html {
  return html`<span class="badge ${answer}">${icon(VERDICT_ICONS[answer])}${VERDICT_WORDS[answer]}</span>`;
}

function stepsTable({ steps, detail: { ecosystem, name } }: PackageView): Html {
  if (steps.length === 0) return '';
  const row = ({ from, to, answer, because }: PackageStep) =>
    html`<tr><th scope="row"><a href="${whatsChangedPath({ package: name, ecosystem, from, to })}">${versionRange(from, to)}</a></th><td>${answerBadge(answer)}</td><td dir="auto">${inlineCode(because)}</td></tr>`;
  return html`<section><h2>Does updating break me?</h2><p class="section-note">The last steps between lines, by the notes and, where they were compared, by the packages themselves.</p>
<div class="table-wrap" tabindex="0" role="region" aria-label="Steps between lines"><table class="table stacked steps-table"><thead><tr><th scope="col">Step</th><th scope="col">Answer</th><th scope="col">Because</th></tr></thead><tbody>${steps.map(row)}</tbody></table></div></section>`;
}

const CHOICES: Record<VersionChoice, string> = {
  all: 'All',
  breaking: 'Breaking',
  unnoted: 'Without notes',
  withdrawn: 'Withdrawn',
};

function versionsTable(view: PackageView, shell: Shell, path: string): Html {
  const { versions, detail, show, prereleases, hiddenPrereleases } = view;
  const { page, pageSize, totalItems, hasMore } = versions.pagination;
  const at = (changes: Record<string, string | null>) => withQuery(path, shell.query, { page: null, ...changes });
  const choice = (name: VersionChoice) =>
    html`<a href="${at({ show: name === 'all' ? null : name })}"${name === show ? html` aria-current="true"` : ''}>${CHOICES[name]}</a>`;
  const pre = html`<nav class="segmented" aria-label="Pre-releases"><a href="${at({ pre: prereleases ? null : '1' })}"${prereleases ? html` aria-current="true"` : ''}>Pre-releases</a></nav>`;
  // Without any version there is nothing to choose from.
  const choices =
    show === 'all' && totalItems === 0
      ? ''
      : html`<div class="filter-row"><nav class="segmented scroll-seg" aria-label="Show">${(Object.keys(CHOICES) as VersionChoice[]).map(choice)}</nav>${prereleases || hiddenPrereleases > 0 ? pre : ''}</div>`;
  const first = (page - 1) * pageSize + 1;
  const words = `${first} to ${first + versions.items.length - 1} of ${formatCount(totalItems)}`;
  const next = hasMore ? { path: withQuery(path, shell.query, { page: String(page + 1) }), name: 'Older' } : null;
  return html`<section class="block"><div class="spread"><h2>Versions</h2><p class="small muted">${countWords(detail)}</p></div>
${choices}
${
  versions.items.length === 0
    ? noVersions(view, shell, path)
    : html`<div class="table-wrap" tabindex="0" role="region" aria-label="Versions"><table class="table stacked dense"><thead><tr><th scope="col">Version</th><th scope="col">Published</th><th scope="col">What happened</th><th scope="col">Answer</th></tr></thead><tbody>${versions.items.map((one) => versionRow(one, view, shell))}</tbody></table></div>${totalItems > pageSize ? pager(words, next) : ''}`
}</section>`;
}

function countWords({ versions: { published, noted, withdrawn } }: PackageDetail): string {
  const gone = withdrawn > 0 ? `, ${formatCount(withdrawn)} withdrawn` : '';
  if (published === null && noted === 0) return 'Its registry has not been read yet';
  if (published === null) return `${formatCount(noted)} with notes${gone}; its registry has not been read yet`;
  return `${formatCount(published)} published: ${formatCount(noted)} with notes, ${formatCount(published - noted)} without${gone}`;
}

function noVersions({ show, detail, known, isOpen }: PackageView, shell: Shell, path: string): Html {
  const where = ECOSYSTEM_WORDS[detail.ecosystem];
  const isListed = detail.versions.published !== null;
  if (show === 'all') {
    const { ecosystem, spelling } = known;
    return empty({
      title: 'No version is known',
      text: `${where} was not read for this package yet, and no notes of it are stored.`,
      ...(known.notes &&
        isOpen && { form: trackPackage(shell, { ecosystem, name: spelling }, `Read ${spelling} now`) }),
    });
  }
  const text = {
    breaking: 'No version is known to break.',
    unnoted: isListed
      ? 'Every published version has notes.'
      : `${where} has not been read yet, so whether other versions exist is not known.`,
    withdrawn: isListed
      ? 'No version was withdrawn.'
      : `${where} has not been read yet, so whether a version was withdrawn is not known.`,
  };
  return empty({ title: 'Nothing to show', text: text[show], action: { path, name: 'Show all versions' } });
}

function versionRow(one: VersionOfPackage, { known }: PackageView, shell: Shell): Html {
  return html`<tr${one.withdrawn ? html` class="gone-row"` : ''}><th scope="row" class="vcol">${versionMark(one.version)}</th><td class="when" data-th="Published">${one.publishedAt ? ago(one.publishedAt, shell.now) : html`<span class="muted">not known</span>`}</td><td>${happened(one, known)}</td><td class="nowrap${one.noted && one.breaking === 'none' ? ' no-sign' : ''}" data-th="Answer">${verdictOf(one)}</td></tr>
`;
}

function happened(one: VersionOfPackage, { ecosystem }: KnownPackage): Html {
  const marks = html`${one.withdrawn ? html` <span class="badge line">Withdrawn</span>` : ''}${one.deprecated === null ? '' : html` <span class="badge line" title="${one.deprecated}">Deprecated</span>`}`;
  if (one.noted && one.toldById)
    return html`<a class="plain" href="/release/${one.toldById}" dir="auto">${inlineCode(headingOf(one))}</a>${marks}`;
  return html`<span class="muted">No notes${one.releaseId ? '' : `: ${ECOSYSTEM_WORDS[ecosystem]} has this version, its source does not tell of it`}</span>${marks}`;
}

// The package and the version stand beside it.
function headingOf(one: VersionOfPackage): string {
  const title = toldTitle(one);
  if (one.told === null) return title || one.version;
  return title === '' || title.endsWith('…') ? rowTitle(one.told) : title;
}

function verdictOf({ noted, breaking }: VersionOfPackage): Html {
  if (!noted || breaking === null || breaking === 'unknown') return answerBadge('unknown');
  return breaking === 'none'
    ? html`<span class="muted">–<span class="sr">${VERDICT_WORDS.none}</span></span>`
    : answerBadge(breaking);
}

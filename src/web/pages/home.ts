// /: the one field, a real answer beside it, what broke lately, what others ask, and the latest releases.

import { personalFeed } from '../../accounts/following/list-follows.ts';
import { oneOf } from '../../contract/query.ts';
import type { FeedItem } from '../../contract/release.ts';
import { ECOSYSTEM_WORDS, ECOSYSTEMS } from '../../domain/ecosystems/index.ts';
import { listCollections } from '../../entities/collections/collection-fields.ts';
import { featuredOrgs } from '../../entities/orgs/list.ts';
import { readSample } from '../../entities/registry/sample.ts';
import { readTotals } from '../../entities/registry/stats.ts';
import { type UndatedSource, undatedSources } from '../../entities/registry/undated-sources.ts';
import { mostAskedUpgrades, type ShownUpgrade } from '../../packages/shown-upgrades/list.ts';
import { type StarterProgress, starterProgress } from '../../packages/starter/starter.ts';
import { newestBreaking, newestOfEach } from '../../releases/feeds/newest.ts';
import { askField } from '../components/ask-field.ts';
import { selectField } from '../components/form.ts';
import { formatCount, type Html, html, plural } from '../components/html.ts';
import { avatar, icon } from '../components/icon.ts';
import { splitPackage, versionMark } from '../components/marks.ts';
import { command, empty, facts, noticeBox, pager, siteNotice } from '../components/parts.ts';
import { releaseList, releaseRow } from '../components/release-list.ts';
import { howKnown, sampleAnswer, upgradeChips } from '../components/shown-upgrades.ts';
import { sparkline } from '../components/sparkline.ts';
import { ago, lasting } from '../components/time.ts';
import { trackForm } from '../components/track.ts';
import type { Shell } from '../frame/shell.ts';
import { collectionPath, orgPath, PROJECT_FILES_PATH, sourcePath } from '../links.ts';
import { page } from '../page.ts';
import { BREAKING_DAYS, BREAKING_FEED, BREAKING_PATH, breakingSince } from './breaking.ts';

const SHOWN = 20;
const COLLECTIONS = 6;
const SHOWN_BREAKING = 4;
const UNDATED = 5;
const FEATURED = 50;
const UPGRADES = 9;
const SHOWN_FOLLOWED = 5;
const SORTS = ['name', 'recent', 'latest'] as const;

type Sort = (typeof SORTS)[number];

export const homePage = (index: Record<string, unknown>) =>
  page({
    path: '/',
    summary: 'The home page',
    json: () => index,
    headers: { Link: '</.well-known/api-catalog>; rel="api-catalog"' },
    query: { sort: oneOf(SORTS) },
    load: async (ctx) => {
      const [totals, sample, latest, breaking, undated, collections, orgs, upgrades, starter, followed] =
        await Promise.all([
          readTotals(ctx, { days: 1 }),
          readSample(ctx),
          newestOfEach(ctx, SHOWN),
          newestBreaking(ctx, { since: breakingSince(ctx), limit: SHOWN_BREAKING }),
          undatedSources(ctx, UNDATED),
          listCollections(ctx, { page: 1, limit: COLLECTIONS, featured: true }),
          featuredOrgs(ctx, FEATURED),
          mostAskedUpgrades(ctx, UPGRADES),
          starterProgress(ctx),
          ctx.caller.account ? personalFeed(ctx, { filter: {}, page: { limit: SHOWN_FOLLOWED } }) : null,
        ]);
      return {
        totals,
        // A registry with anything else in it is no sample any more.
        sample: sample?.sources === totals.sources ? sample : null,
        latest,
        breaking,
        isOpen: ctx.config.lookups.access === 'public',
        undated,
        collections: collections.items,
        orgs,
        upgrades,
        starter,
        followed: followed?.items ?? null,
        check: ctx.config.packages.checkCommand,
      };
    },
    show: (
      { totals, sample, latest, breaking, undated, collections, orgs, isOpen, upgrades, starter, followed, check },
      shell,
      { query },
    ) => ({
      name: 'home',
      head: {
        title: 'Will this update break my code?',
        description:
          'A public registry of software changelogs: who released what, when, and whether it breaks anything.',
        canonical: '/',
        forms: ['json', 'atom'],
        robots: shell.query.size > 0 ? 'noindex, follow' : undefined,
        jsonLd: [
          {
            '@type': 'WebSite',
            name: shell.siteName,
            url: `${shell.webUrl}/`,
            potentialAction: {
              '@type': 'SearchAction',
              target: `${shell.webUrl}/search?q={query}`,
              'query-input': 'required name=query',
            },
          },
        ],
      },
      body: html`${shell.notice?.placement === 'home' ? siteNotice(shell.notice) : ''}${sample ? sampleLine(sample.packages) : ''}<div class="home-top">
<div class="hero"><h1>Will this update break my code?</h1>
<p class="lede">Name a package or hand over a lockfile. You get a yes, a no or “not known”, what to do about it, and how we know.</p>
${askField(exampleUpgrades(upgrades))}</div>
${upgrades[0] ? sampleAnswer(upgrades[0]) : ''}
</div>
${howKnown(check)}${starterLine(starter)}
<div class="cols block"><div>${breakingLately(breaking, shell.now)}
${mostAsked(upgrades)}${followedLately(followed, shell)}<section class="block" aria-labelledby="latest"><div class="spread"><h2 id="latest">Latest releases</h2><p class="cluster small"><a href="/live">Watch live</a><a href="/feed.atom">${icon('feed')} Atom</a></p></div>
${latest.length > 0 ? releaseList(latest, { now: shell.now, lead: 'avatar' }) : nothingLately(totals.releases)}
${latest.length > 0 ? pager(`${plural(latest.length, 'release')}, the newest of each package or product`, { path: '/live', name: 'All releases' }) : ''}</section>${withoutDate(undated)}
</div>
<aside class="panel" aria-label="About this registry">
${inHere(totals, latest[0], shell.now)}${collections.length > 0 ? html`<section><h2>Collections</h2><ul class="mini">${collections.map(({ slug, name, memberCount, description }) => html`<li><a href="${collectionPath(slug)}">${name}</a><span class="muted small">${memberCount}</span>${description ? html`<span class="sub">${description}</span>` : ''}</li>`)}</ul></section>` : ''}${isOpen ? notHere(shell) : ''}
<section><h2>In a terminal</h2>${command('registry whats-changed <package> <from> <to>', 'Check an upgrade in a terminal')}</section>
<section><h2>For agents</h2>${command(`${shell.webUrl}/mcp`, 'Address of the MCP server')}<p class="small"><a href="/docs/mcp">How to connect</a></p></section>
</aside></div>
${orgs.length > 0 ? featured(orgs, query.sort ?? 'name', shell) : ''}`,
    }),
  });

interface HomeTotals {
  releases: number;
  sources: number;
  products: number;
  organizations: number;
  releasesInPeriod: number;
}

// The whole answer stands beside the field, so the examples begin with others.
function exampleUpgrades([first, ...others]: readonly ShownUpgrade[]): ShownUpgrade[] {
  const telling = others.filter(({ level }) => level === 'major' || level === 'minor');
  return [...(first ? [first] : []), ...telling, ...others];
}

// Whoever runs the registry may end it in the operator area.
function starterLine(starter: StarterProgress | null): Html {
  if (starter?.state !== 'running') return '';
  const { done, total } = starter;
  return html`<p class="small muted sp-top">Reading ${formatCount(done)} of ${formatCount(total)} well-known packages. <a href="/admin/starter">Stop it</a></p>`;
}

function mostAsked(upgrades: readonly ShownUpgrade[]): Html {
  if (upgrades.length < 2) return '';
  return html`<section class="block" aria-labelledby="asked"><div class="spread"><h2 id="asked">Most asked upgrades</h2><p class="small"><a href="/packages">All packages</a></p></div>${upgradeChips(upgrades)}</section>
`;
}

function followedLately(followed: readonly FeedItem[] | null, { now }: Shell): Html {
  if (followed === null || followed.length === 0) return '';
  return html`<section class="block" aria-labelledby="followed"><div class="spread"><h2 id="followed">From what you follow</h2><p class="small"><a href="/following">All of it</a></p></div>${releaseList(followed, { now, lead: 'avatar' })}</section>
`;
}

// What a first start shows, and what comes next.
function sampleLine(packages: number): Html {
  return noticeBox(
    'info',
    html`These are the ${plural(packages, 'package')} that this program itself is built from. Next: <a href="${PROJECT_FILES_PATH}">paste your lockfile</a>, <a href="/docs/self-hosting#add-what-you-use">import your own <code>node_modules</code></a> or <a href="/admin/add">add a source</a>.`,
  );
}

function notHere(shell: Shell): Html {
  const field = html`<div class="field"><label for="t-p">Package, or owner/name on GitHub</label><input class="input mono" id="t-p" name="package" autocomplete="off" autocapitalize="off" spellcheck="false" required></div>${selectField({ name: 'ecosystem', id: 't-e', label: 'From', value: ECOSYSTEMS[0], options: ECOSYSTEM_WORDS })}<div><button class="btn" type="submit">Track it</button></div>`;
  return html`
<section><h2>Not here?</h2>${trackForm(shell, {}, field, 'form')}</section>`;
}

function breakingLately({ releases, total }: { releases: readonly FeedItem[]; total: number }, now: number): Html {
  if (releases.length === 0) return '';
  return html`<section aria-labelledby="breaking"><div class="spread"><h2 id="breaking">Breaking in the last ${BREAKING_DAYS} days</h2><p class="cluster small"><a href="${BREAKING_PATH}">All ${formatCount(total)}<span class="sr"> breaking releases</span></a><a href="${BREAKING_FEED}">${icon('feed')} Atom<span class="sr"> feed of breaking releases</span></a></p></div><div class="days">${releases.map((item) => releaseRow(item, { now, lead: 'avatar' }))}</div></section>`;
}

// The list holds releases with a date that are no pre-releases.
function nothingLately(releases: number): Html {
  return releases === 0
    ? empty({
        title: 'Nothing here yet',
        text: 'This registry holds no release. Add a source, or start it with --sample.',
        action: { path: '/docs/self-hosting', name: 'How to fill it' },
      })
    : empty({
        title: 'No dated release yet',
        text: `${plural(releases, 'release is', 'releases are')} known here, none of them final and with a date.`,
        action: { path: '/catalog', name: 'See the catalog' },
      });
}

// Releases without a date cannot stand in a list by time.
function withoutDate(sources: readonly UndatedSource[]): Html {
  if (sources.length === 0) return '';
  const row = ({ name, slug, orgSlug, latestVersion, releaseCount }: UndatedSource) =>
    html`<tr><th scope="row"><a class="plain" href="${sourcePath(orgSlug, slug)}">${splitPackage(latestVersion).name ?? name}</a></th><td data-th="Newest note">${versionMark(splitPackage(latestVersion).version)}</td><td class="num" data-th="Releases">${formatCount(releaseCount)}</td></tr>\n`;
  return html`<section class="block" aria-labelledby="undated"><h2 id="undated">Known without a date</h2><p class="section-note">These changelogs give no dates, so their releases cannot stand in the list above. Most releases first.</p><div class="table-wrap"><table class="table stacked dense"><thead><tr><th scope="col">Package</th><th scope="col">Newest note</th><th scope="col" class="num">Releases</th></tr></thead><tbody>${sources.map(row)}</tbody></table></div></section>`;
}

function inHere(totals: HomeTotals, newest: FeedItem | undefined, now: number): Html {
  const { releases, sources, products, organizations, releasesInPeriod } = totals;
  const rows: [string, number][] = [
    ['Organizations', organizations],
    ['Products', products],
    ['Sources', sources],
    ['Releases', releases],
    ['In the last 24 hours', releasesInPeriod],
  ];
  const age = newest?.publishedAt
    ? html`<p class="small muted">The newest release is ${lasting(newest.publishedAt, now)} old.</p>`
    : '';
  const known = rows.filter(([, count]) => count > 0);
  if (known.length === 0) return '';
  return html`<section><h2>What is in here</h2>${facts(known.map(([name, count]) => [name, formatCount(count)] as const))}${age}<p class="small sp-top"><a href="/catalog">Browse the catalog</a> or <a href="/packages">all packages</a></p></section>
`;
}

type Org = Awaited<ReturnType<typeof featuredOrgs>>[number];

const COLUMNS: { sort: Sort; name: string }[] = [
  { sort: 'name', name: 'Organization' },
  { sort: 'latest', name: 'Latest' },
  { sort: 'recent', name: '30 days' },
];

const ORDERS: Record<Sort, (a: Org, b: Org) => number> = {
  name: (a, b) => a.name.localeCompare(b.name, 'en'),
  recent: (a, b) => b.recentReleaseCount - a.recentReleaseCount,
  latest: (a, b) => (b.lastActivity ?? '').localeCompare(a.lastActivity ?? ''),
};

function featured(orgs: readonly Org[], sort: Sort, { now }: Shell): Html {
  const heading = ({ sort: by, name }: (typeof COLUMNS)[number]) =>
    html`<th scope="col"${by === sort ? html` aria-sort="${by === 'name' ? 'ascending' : 'descending'}"` : ''}><a href="/?sort=${by}#featured">${name}</a></th>`;
  const [organization, latest, recent] = COLUMNS.map(heading);
  const row = (org: Org) =>
    html`<tr><th scope="row"><span class="cluster">${avatar(org.name, org.avatarUrl, 'm')}<a class="plain" href="${orgPath(org.slug)}">${org.name}</a></span></th><td class="muted plainly">${org.description ?? ''}</td><td data-th="Latest" class="when small">${ago(org.lastActivity, now)}</td><td data-th="30 days">${sparkline(org.sparkline)}</td><td data-th="Releases" class="num">${formatCount(org.releaseCount)}</td></tr>\n`;
  return html`<section class="block" id="featured"><h2>Featured organizations</h2><div class="table-wrap"><table class="table stacked mid"><thead><tr>${organization}<th scope="col">What it makes</th>${latest}${recent}<th scope="col" class="num">Releases</th></tr></thead><tbody>${[...orgs].sort(ORDERS[sort]).map(row)}</tbody></table></div></section>`;
}

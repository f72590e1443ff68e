// All pages of the web interface. The kernel serves them like every other route; src/cli passes the list to it.
import type { RouteDeclaration, RouteGroup } from '../http/kernel/route.ts';
import { assetRoute, faviconRoute, socialImageRoute } from './assets.ts';
import { openSearchRoutes } from './discovery/opensearch.ts';
import { sitemapRoutes } from './discovery/sitemap.ts';
import { textFiles } from './discovery/texts.ts';
import { reportRemoveForm } from './forms/report.ts';
import { trackPost } from './forms/track.ts';
import { upgradeFilesForm } from './forms/upgrade-files.ts';
import { pageFailure } from './frame/failure-page.ts';
import { aboutPage, crawlerPage } from './pages/about.ts';
import { askRoute } from './pages/ask.ts';
import { bareSourcePages } from './pages/bare-source.ts';
import { breakingPage } from './pages/breaking.ts';
import { breakingWeekPages } from './pages/breaking-week.ts';
import { cardRoutes } from './pages/cards.ts';
import { catalogPage } from './pages/catalog.ts';
import { categoriesPage, categoryPage } from './pages/categories.ts';
import { changelogPage } from './pages/changelog.ts';
import { collectionPage, collectionsPage } from './pages/collections.ts';
import { docsPage, guidePage } from './pages/docs.ts';
import { entityPage } from './pages/entity.ts';
import { feedRoute } from './pages/feed.ts';
import { highlightsPage } from './pages/highlights.ts';
import { homePage } from './pages/home.ts';
import { livePage } from './pages/live.ts';
import { movedPages } from './pages/moved.ts';
import { orgPage } from './pages/org.ts';
import { orgOverviewPage } from './pages/org-overview.ts';
import { orgSourcesPage } from './pages/org-sources.ts';
import { packagePages, scopedUpgradePage } from './pages/package.ts';
import { badgeRoutes } from './pages/package-badge.ts';
import { packagesPage } from './pages/packages.ts';
import { referencePages } from './pages/reference.ts';
import { releasePage } from './pages/release.ts';
import { reportPage } from './pages/report.ts';
import { searchPage } from './pages/search.ts';
import { tagPage, tagsPage } from './pages/tags.ts';
import { whatsChangedPage } from './pages/whats-changed.ts';

export { accountGroup } from './account-group.ts';
export { operatorSignIn } from './operator/sign-in.ts';
export { operatorGroup } from './operator-group.ts';
export { homePage, referencePages };

// `api` are the routes of the API, which src/web may not import: a form has a repository read through one of them.
export const webGroup = (api: readonly RouteDeclaration[]): RouteGroup => ({
  prefix: '',
  failure: pageFailure,
  ownsUnmatched: true,
  routes: [
    assetRoute,
    faviconRoute,
    socialImageRoute,
    ...textFiles,
    ...openSearchRoutes,
    ...sitemapRoutes,
    docsPage,
    guidePage,
    aboutPage,
    crawlerPage,
    catalogPage,
    categoriesPage,
    categoryPage,
    collectionsPage,
    collectionPage,
    tagsPage,
    tagPage,
    packagesPage,
    ...packagePages,
    scopedUpgradePage,
    ...badgeRoutes,
    ...cardRoutes,
    searchPage,
    askRoute,
    whatsChangedPage,
    upgradeFilesForm,
    reportPage,
    reportRemoveForm,
    trackPost(api),
    breakingPage,
    ...breakingWeekPages,
    livePage,
    releasePage,
    ...bareSourcePages,
    ...movedPages,
    feedRoute,
    orgPage,
    orgOverviewPage,
    orgSourcesPage,
    entityPage,
    highlightsPage,
    changelogPage,
  ] satisfies RouteDeclaration[],
});

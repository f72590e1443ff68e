// Every tool, in the order in which they are listed.
import type { Tool } from '../tool.ts';
import { checkUpgrades } from './check-upgrades.ts';
import { follow, listFollows, myFeed, unfollow } from './following.ts';
import { getChangelog } from './get-changelog.ts';
import { getCollectionReleases } from './get-collection-releases.ts';
import { getOrg } from './get-org.ts';
import { getProduct } from './get-product.ts';
import { getRelease } from './get-release.ts';
import { getSource } from './get-source.ts';
import { latestReleases } from './latest-releases.ts';
import { listCollections } from './list-collections.ts';
import { listOrgs } from './list-orgs.ts';
import { lookupDomain } from './lookup-domain.ts';
import { relatedReleases } from './related-releases.ts';
import { search } from './search.ts';
import { stackReport } from './stack-report.ts';
import { stats } from './stats.ts';
import { whatsChanged } from './whats-changed.ts';

export const TOOLS: readonly Tool[] = [
  search,
  listOrgs,
  getOrg,
  getProduct,
  getSource,
  latestReleases,
  getRelease,
  getChangelog,
  whatsChanged,
  checkUpgrades,
  relatedReleases,
  listCollections,
  getCollectionReleases,
  lookupDomain,
  stats,
  follow,
  unfollow,
  listFollows,
  myFeed,
  stackReport,
];

import { z } from 'zod';
import { category, discovery, LOCATION_BASES, orgStatus } from './enums.ts';
import { overview, playbook } from './overview.ts';
import { count, pagePagination } from './pagination.ts';
import { pick } from './pick.ts';
import { productFields } from './product.ts';
import { noticeText, timestamp } from './scalars.ts';
import { sourceItem } from './source.ts';

export const location = z
  .object({
    url: z.string().optional(),
    feed: z.string().optional(),
    github: z.string().optional(),
    appstore: z.string().optional(),
    file: z.string().optional(),
    title: z.string().nullable().optional(),
    canonical: z.boolean(),
    basis: z.enum(LOCATION_BASES),
    productId: z.string().nullable(),
    sourceId: z.string().nullable(),
  })
  .meta({ id: 'Location' });

export const account = z.object({ platform: z.string(), handle: z.string() }).meta({ id: 'Account' });

// The fields that are made from the row of an org; every shape of an org picks from them.
export const orgFields = {
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  domain: z.string().nullable(),
  description: z.string().nullable(),
  category: category.nullable(),
  avatarUrl: z.string().nullable(),
  discovery,
  status: orgStatus,
  isHidden: z.boolean(),
  featured: z.boolean(),
  fetchPaused: z.boolean(),
  autoGenerateContent: z.boolean(),
  overviewCadenceDays: z.int().nullable(),
  trackingRequestedAt: timestamp.nullable(),
  notice: noticeText.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  deletedAt: timestamp.nullable(),
};

// The first fields of every shape of an org.
export const orgCore = pick(orgFields, 'id', 'slug', 'name', 'domain', 'description', 'category', 'avatarUrl');
export const orgName = pick(orgFields, 'id', 'slug', 'name');

export const orgListItem = z
  .object({
    ...orgCore,
    featured: orgFields.featured,
    sourceCount: count,
    releaseCount: count,
    recentReleaseCount: count,
    lastActivity: timestamp.nullable(),
    topProducts: z.array(z.string()),
    sparkline: z.array(count).length(30),
    status: orgFields.status,
    aliasDomains: z.array(z.string()),
    trackingRequestedAt: orgFields.trackingRequestedAt.optional(),
  })
  .meta({ id: 'OrgListItem' });

export const orgList = z
  .object({
    items: z.array(orgListItem),
    pagination: pagePagination,
    meta: z.object({ emptyOrgCount: count }),
  })
  .meta({ id: 'OrgList' });

const orgProduct = z.object({
  ...pick(productFields, 'id', 'slug', 'name', 'url', 'description'),
  sourceCount: count,
  ...pick(productFields, 'kind', 'createdAt'),
  releaseCount: count,
  ...pick(productFields, 'avatarUrl', 'category'),
});

export const orgDetail = z
  .object({
    ...orgCore,
    githubHandle: z.string().nullable(),
    ...pick(orgFields, 'isHidden', 'autoGenerateContent', 'featured', 'fetchPaused', 'overviewCadenceDays'),
    ...pick(orgFields, 'discovery', 'status'),
    sourceCount: count,
    releaseCount: count,
    releasesLast30Days: count,
    avgReleasesPerWeek: z.number(),
    lastFetchedAt: timestamp.nullable(),
    lastPolledAt: timestamp.nullable(),
    trackingSince: timestamp,
    ...pick(orgFields, 'createdAt', 'updatedAt'),
    locations: z.array(location),
    tags: z.array(z.string()),
    aliases: z.array(z.string()),
    accounts: z.array(account),
    products: z.array(orgProduct),
    sources: z.array(sourceItem),
    overview: overview.nullable(),
    playbook: playbook.nullable(),
    notice: orgFields.notice,
  })
  .meta({ id: 'OrgDetail' });

export const orgRow = z
  .object({
    ...orgCore,
    ...pick(orgFields, 'discovery', 'status', 'isHidden', 'featured', 'fetchPaused', 'autoGenerateContent'),
    ...pick(orgFields, 'overviewCadenceDays', 'trackingRequestedAt'),
    tags: z.array(z.string()),
    aliases: z.array(z.string()),
    ...pick(orgFields, 'notice', 'createdAt', 'updatedAt', 'deletedAt'),
  })
  .meta({ id: 'OrgRow' });

export type OrgFields = z.infer<z.ZodObject<typeof orgFields>>;
export type Location = z.infer<typeof location>;
export type OrgListItem = z.infer<typeof orgListItem>;
export type OrgList = z.infer<typeof orgList>;
export type OrgDetail = z.infer<typeof orgDetail>;
export type OrgRowShape = z.infer<typeof orgRow>;

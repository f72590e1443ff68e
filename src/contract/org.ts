import { z } from 'zod';
import { category, discovery, kind, LOCATION_BASES, orgStatus } from './enums.ts';
import { overview, playbook } from './overview.ts';
import { count, pagePagination } from './pagination.ts';
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

export const orgListItem = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    domain: z.string().nullable(),
    description: z.string().nullable(),
    category: category.nullable(),
    avatarUrl: z.string().nullable(),
    featured: z.boolean(),
    sourceCount: count,
    releaseCount: count,
    recentReleaseCount: count,
    lastActivity: timestamp.nullable(),
    topProducts: z.array(z.string()),
    sparkline: z.array(count).length(30),
    status: orgStatus,
    aliasDomains: z.array(z.string()),
    trackingRequestedAt: timestamp.nullable().optional(),
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
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  url: z.string().nullable(),
  description: z.string().nullable(),
  sourceCount: count,
  kind: kind.nullable(),
  createdAt: timestamp,
  releaseCount: count,
  avatarUrl: z.string().nullable(),
  category: category.nullable(),
});

export const orgDetail = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    domain: z.string().nullable(),
    description: z.string().nullable(),
    category: category.nullable(),
    avatarUrl: z.string().nullable(),
    githubHandle: z.string().nullable(),
    isHidden: z.boolean(),
    autoGenerateContent: z.boolean(),
    featured: z.boolean(),
    fetchPaused: z.boolean(),
    overviewCadenceDays: z.int().nullable(),
    discovery,
    status: orgStatus,
    sourceCount: count,
    releaseCount: count,
    releasesLast30Days: count,
    avgReleasesPerWeek: z.number(),
    lastFetchedAt: timestamp.nullable(),
    lastPolledAt: timestamp.nullable(),
    trackingSince: timestamp,
    createdAt: timestamp,
    updatedAt: timestamp,
    locations: z.array(location),
    tags: z.array(z.string()),
    aliases: z.array(z.string()),
    accounts: z.array(account),
    products: z.array(orgProduct),
    sources: z.array(sourceItem),
    overview: overview.nullable(),
    playbook: playbook.nullable(),
    notice: noticeText.nullable(),
  })
  .meta({ id: 'OrgDetail' });

export const orgRow = z
  .object({
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
    tags: z.array(z.string()),
    aliases: z.array(z.string()),
    notice: noticeText.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    deletedAt: timestamp.nullable(),
  })
  .meta({ id: 'OrgRow' });

export type Location = z.infer<typeof location>;
export type OrgListItem = z.infer<typeof orgListItem>;
export type OrgList = z.infer<typeof orgList>;
export type OrgDetail = z.infer<typeof orgDetail>;
export type OrgRowShape = z.infer<typeof orgRow>;

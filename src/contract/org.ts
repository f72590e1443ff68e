import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { category, discovery, LOCATION_BASES, orgStatus } from './enums.ts';
import { field, orgNamed } from './fields.ts';
import { overview, playbook } from './overview.ts';
import { count, pagePagination, rowsOf } from './pagination.ts';
import { productFields } from './product.ts';
import { noticeText, timestamp } from './scalars.ts';
import { sourceItem } from './source.ts';

export const location = z
  .object({
    url: field.url.optional(),
    feed: z
      .string()
      .optional()
      .meta({ description: 'Address of an RSS, Atom or JSON feed.', example: 'https://acme.example/changelog.xml' }),
    github: field.github.optional(),
    appstore: z.string().optional().describe('Address of the app in the store.'),
    file: z.string().optional().meta({
      description: 'Address of a changelog file.',
      example: 'https://github.com/acme/cli/blob/main/CHANGELOG.md',
    }),
    title: field.title.nullable().optional(),
    canonical: field.canonical,
    basis: z
      .enum(LOCATION_BASES)
      .describe('Why the registry believes the location: said by an operator or by the domain, or found.'),
    productId: field.productId.nullable(),
    sourceId: field.sourceId.nullable(),
  })
  .meta({ id: 'Location' });

export const account = z.object({ platform: field.platform, handle: field.handle }).meta({ id: 'Account' });

// The fields that are made from the row of an org; every shape of an org picks from them.
export const orgFields = {
  ...orgNamed,
  domain: field.domain.nullable(),
  description: field.description.nullable(),
  category: category.nullable(),
  avatarUrl: field.avatarUrl.nullable(),
  discovery,
  status: orgStatus,
  ...pick(field, 'isHidden', 'featured', 'fetchPaused', 'autoGenerateContent'),
  overviewCadenceDays: field.overviewCadenceDays.nullable(),
  trackingRequestedAt: timestamp
    .nullable()
    .meta({ description: 'When a visitor last asked to have it tracked; null: nobody did.', example: null }),
  notice: noticeText.nullable(),
  createdAt: field.createdAt,
  updatedAt: field.updatedAt,
  deletedAt: field.deletedAt.nullable(),
};

// The first fields of every shape of an org.
export const orgCore = pick(orgFields, 'id', 'slug', 'name', 'domain', 'description', 'category', 'avatarUrl');
export const orgName = pick(orgFields, 'id', 'slug', 'name');

export const orgListItem = z
  .object({
    ...orgCore,
    featured: orgFields.featured,
    sourceCount: field.sourceCount,
    releaseCount: field.releaseCount,
    recentReleaseCount: field.recentCount,
    lastActivity: field.lastActivity.nullable(),
    topProducts: z.array(z.string()).meta({ description: 'Names of the most active products.', example: ['Acme CLI'] }),
    sparkline: z.array(count).length(30).describe('Releases per day of the last 30 days, oldest first.'),
    status: orgFields.status,
    aliasDomains: field.aliasDomains,
    trackingRequestedAt: orgFields.trackingRequestedAt.optional(),
  })
  .meta({ id: 'OrgListItem' });

export const orgList = z
  .object({
    items: rowsOf(orgListItem),
    pagination: pagePagination,
    meta: z
      .object({
        emptyOrgCount: count.describe(
          'Organizations without a release, which are listed only with `includeEmpty=true`.',
        ),
      })
      .describe('What the list was made with.'),
  })
  .meta({ id: 'OrgList' });

const orgProduct = z.object({
  ...pick(productFields, 'id', 'slug', 'name', 'url', 'description'),
  sourceCount: field.sourceCount,
  ...pick(productFields, 'kind', 'createdAt'),
  releaseCount: field.releaseCount,
  ...pick(productFields, 'avatarUrl', 'category'),
});

export const orgDetail = z
  .object({
    ...orgCore,
    githubHandle: field.githubHandle.nullable(),
    ...pick(orgFields, 'isHidden', 'autoGenerateContent', 'featured', 'fetchPaused', 'overviewCadenceDays'),
    ...pick(orgFields, 'discovery', 'status'),
    sourceCount: field.sourceCount,
    releaseCount: field.releaseCount,
    releasesLast30Days: field.recentCount,
    avgReleasesPerWeek: field.avgReleasesPerWeek,
    lastFetchedAt: field.lastFetchedAt.nullable(),
    lastPolledAt: field.lastPolledAt.nullable(),
    trackingSince: field.trackingSince,
    ...pick(orgFields, 'createdAt', 'updatedAt'),
    locations: z.array(location).describe('Where the organization publishes its releases, as far as that is known.'),
    tags: field.tags,
    aliases: field.aliases,
    accounts: z.array(account).describe('Accounts of the organization on other platforms.'),
    products: z.array(orgProduct).describe('Products, by name.'),
    sources: z.array(sourceItem).describe('Sources, by name.'),
    overview: overview.nullable().describe('Written overview; null where there is none.'),
    playbook: playbook
      .nullable()
      .describe('Private notes on how to read the organization; only for callers with a credential.'),
    notice: orgFields.notice,
  })
  .meta({ id: 'OrgDetail' });

export const orgRow = z
  .object({
    ...orgCore,
    ...pick(orgFields, 'discovery', 'status', 'isHidden', 'featured', 'fetchPaused', 'autoGenerateContent'),
    ...pick(orgFields, 'overviewCadenceDays', 'trackingRequestedAt'),
    tags: field.tags,
    aliases: field.aliases,
    ...pick(orgFields, 'notice', 'createdAt', 'updatedAt', 'deletedAt'),
  })
  .meta({ id: 'OrgRow' });

export type OrgFields = z.infer<z.ZodObject<typeof orgFields>>;
export type Location = z.infer<typeof location>;
export type OrgListItem = z.infer<typeof orgListItem>;
export type OrgList = z.infer<typeof orgList>;
export type OrgDetail = z.infer<typeof orgDetail>;
export type OrgRowShape = z.infer<typeof orgRow>;

// What operators send about orgs. The kernel has trimmed texts and dropped the nulls of a POST.
import { z } from 'zod';
import { normalizeDomain, SLUG_PATTERN } from '../domain/slugs.ts';
import { discovery } from './enums.ts';
import { field, idOf, orgNamed } from './fields.ts';
import { orgRow } from './org.ts';
import { count, pageOf } from './pagination.ts';
import { httpUrl } from './release-input.ts';
import { noticeText, timestamp } from './scalars.ts';

export const slugInput = field.slug
  .min(1)
  .max(80)
  .regex(SLUG_PATTERN, 'must be lower-case letters and digits, parted by single dashes');

const domain = z.string().transform((value, context) => {
  const normal = normalizeDomain(value);
  if (normal) return normal;
  context.addIssue({ code: 'custom', message: 'must be a domain or an http(s) URL of one' });
  return z.NEVER;
});
export const domainInput = domain.meta({
  description: 'Domain without scheme; null where there is none.',
  example: 'acme.example',
});

export const avatarUrlInput = httpUrl
  .refine((url) => /^https:/i.test(url), 'must be an https URL')
  .meta({
    description: 'https address of a square image; null where there is none.',
    example: 'https://acme.example/logo.png',
  });
export const tagNames = z
  .array(z.string().min(1).max(60))
  .max(50)
  .meta({ description: 'Names of tags.', example: ['open-source'] });
export const aliasDomains = z
  .array(domain)
  .max(50)
  .meta({
    description: 'Other names that lead here: further domains, or other slugs of a category.',
    example: ['acme.dev.example'],
  });
export const accountInput = z
  .object({ platform: field.platform.min(1).max(40).toLowerCase(), handle: field.handle.min(1).max(200) })
  .meta({ id: 'AccountInput' });

const name = field.name.min(1).max(120);
const description = field.description.max(2000);
// A category or one of its aliases. Aliases are stored in the registry, so the schema cannot list them.
const category = field.category.min(1).max(80);

export const orgCreation = z
  .object({
    name,
    slug: slugInput.optional(),
    domain: domainInput.optional(),
    description: description.optional(),
    category: category.optional(),
    avatarUrl: avatarUrlInput.optional(),
    tags: tagNames.optional(),
    aliases: aliasDomains.optional(),
    accounts: z.array(accountInput).max(50).optional().describe('Accounts of the organization on other platforms.'),
    featured: field.featured.optional(),
    isHidden: field.isHidden.optional(),
    autoGenerateContent: field.autoGenerateContent.optional(),
    fetchPaused: field.fetchPaused.optional(),
  })
  .meta({ id: 'OrgCreation' });

export const orgChange = z
  .strictObject({
    name: name.optional(),
    slug: slugInput.optional(),
    domain: domainInput.nullable().optional(),
    description: description.nullable().optional(),
    category: category.nullable().optional(),
    avatarUrl: avatarUrlInput.nullable().optional(),
    tags: tagNames.optional(),
    aliases: aliasDomains.optional(),
    featured: field.featured.optional(),
    isHidden: field.isHidden.optional(),
    autoGenerateContent: field.autoGenerateContent.optional(),
    fetchPaused: field.fetchPaused.optional(),
    overviewCadenceDays: field.overviewCadenceDays.min(1).max(90).nullable().optional(),
    discovery: discovery.optional(),
    notice: noticeText.nullable().optional(),
    trackingRequestedAt: z
      .null()
      .optional()
      .describe('When a visitor last asked to have it tracked; null: nobody did.'),
  })
  .meta({ id: 'OrgChange' });

export const tagAddition = z
  .strictObject({
    tags: tagNames,
    mode: z.enum(['add', 'replace']).default('add').describe('Whether other tags stay.'),
  })
  .meta({ id: 'TagAddition' });
export const tagRemoval = z.object({ tags: tagNames }).meta({ id: 'TagRemoval' });
export const tagsWritten = z.object({ ok: field.ok, tags: field.tags }).meta({ id: 'TagsWritten' });

export const aliasInput = z
  .object({
    domain: domainInput,
  })
  .meta({ id: 'AliasInput' });
export const aliasWritten = z.object({ domain: field.domain }).meta({ id: 'AliasWritten' });

export const ignoredUrlInput = z
  .object({
    url: httpUrl,
    reason: field.reason.max(500).optional(),
  })
  .meta({ id: 'IgnoredUrlInput' });
const ignoredUrl = z
  .object({
    id: idOf('iu'),
    url: field.url,
    orgId: field.orgId,
    reason: field.reason.nullable(),
    ignoredAt: timestamp.describe('When the address was put on the list.'),
  })
  .meta({ id: 'IgnoredUrl' });
// A page of ignored addresses; with `url` the one row, or null.
export const ignoredUrls = z.union([pageOf(ignoredUrl), ignoredUrl, z.null()]);

export const orgDependents = z
  .object({
    org: z.object(orgNamed).describe('The organization.'),
    counts: z
      .object({
        products: field.productCount,
        sources: field.sourceCount,
        releases: field.releaseNumber,
        fetchLog: count.describe('Number of rows of the fetch log.'),
        changelogFiles: count.describe('Number of stored changelog files.'),
        summaries: count.describe('Number of summaries.'),
        locations: field.locationCount,
        collections: count.describe('Number of collections.'),
        webhooks: count.describe('Number of webhooks.'),
        follows: count.describe('Number of accounts that follow it.'),
      })
      .describe('How many rows of each kind would go.'),
  })
  .meta({ id: 'OrgDependents' });

export const stubRow = orgRow
  .extend({ productCount: field.productCount, locationCount: field.locationCount })
  .meta({ id: 'StubRow' });

export type OrgCreation = z.output<typeof orgCreation>;
export type OrgChange = z.output<typeof orgChange>;
export type AccountInput = z.output<typeof accountInput>;
export type IgnoredUrl = z.infer<typeof ignoredUrl>;
export type OrgDependents = z.infer<typeof orgDependents>;
export type StubRow = z.infer<typeof stubRow>;

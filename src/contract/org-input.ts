// What operators send about orgs. The kernel has trimmed texts and dropped the nulls of a POST.
import { z } from 'zod';
import { normalizeDomain } from '../domain/hosts.ts';
import { SLUG_PATTERN } from '../domain/slugs.ts';
import { discovery } from './enums.ts';
import { orgRow } from './org.ts';
import { count, pageOf } from './pagination.ts';
import { httpUrl } from './release-input.ts';
import { noticeText, timestamp } from './scalars.ts';

export const slugInput = z
  .string()
  .min(1)
  .max(80)
  .regex(SLUG_PATTERN, 'must be lower-case letters and digits, parted by single dashes');

export const domainInput = z.string().transform((value, context) => {
  const domain = normalizeDomain(value);
  if (domain) return domain;
  context.addIssue({ code: 'custom', message: 'must be a domain or an http(s) URL of one' });
  return z.NEVER;
});

export const avatarUrlInput = httpUrl.refine((url) => /^https:/i.test(url), 'must be an https URL');
export const tagNames = z.array(z.string().min(1).max(60)).max(50);
export const aliasDomains = z.array(domainInput).max(50);
export const accountInput = z
  .object({ platform: z.string().min(1).max(40).toLowerCase(), handle: z.string().min(1).max(200) })
  .meta({ id: 'AccountInput' });

const name = z.string().min(1).max(120);
const description = z.string().max(2000);
// A category or one of its aliases. Aliases are stored in the registry, so the schema cannot list them.
const category = z.string().min(1).max(80);

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
    accounts: z.array(accountInput).max(50).optional(),
    featured: z.boolean().optional(),
    isHidden: z.boolean().optional(),
    autoGenerateContent: z.boolean().optional(),
    fetchPaused: z.boolean().optional(),
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
    featured: z.boolean().optional(),
    isHidden: z.boolean().optional(),
    autoGenerateContent: z.boolean().optional(),
    fetchPaused: z.boolean().optional(),
    overviewCadenceDays: z.int().min(1).max(90).nullable().optional(),
    discovery: discovery.optional(),
    notice: noticeText.nullable().optional(),
    trackingRequestedAt: z.null().optional(),
  })
  .meta({ id: 'OrgChange' });

export const tagAddition = z
  .strictObject({
    tags: tagNames,
    mode: z.enum(['add', 'replace']).default('add').describe('Whether other tags stay.'),
  })
  .meta({ id: 'TagAddition' });
export const tagRemoval = z.object({ tags: tagNames }).meta({ id: 'TagRemoval' });
export const tagsWritten = z.object({ ok: z.literal(true), tags: z.array(z.string()) }).meta({ id: 'TagsWritten' });

export const aliasInput = z.object({ domain: domainInput }).meta({ id: 'AliasInput' });
export const aliasWritten = z.object({ domain: z.string() }).meta({ id: 'AliasWritten' });

export const ignoredUrlInput = z
  .object({
    url: httpUrl,
    reason: z.string().max(500).optional(),
  })
  .meta({ id: 'IgnoredUrlInput' });
const ignoredUrl = z
  .object({
    id: z.string(),
    url: z.string(),
    orgId: z.string(),
    reason: z.string().nullable(),
    ignoredAt: timestamp,
  })
  .meta({ id: 'IgnoredUrl' });
// A page of ignored addresses; with `url` the one row, or null.
export const ignoredUrls = z.union([pageOf(ignoredUrl), ignoredUrl, z.null()]);

export const orgDependents = z
  .object({
    org: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
    counts: z.object({
      products: count,
      sources: count,
      releases: count,
      fetchLog: count,
      changelogFiles: count,
      summaries: count,
      locations: count,
      collections: count,
      webhooks: count,
      follows: count,
    }),
  })
  .meta({ id: 'OrgDependents' });

export const stubRow = orgRow.extend({ productCount: count, locationCount: count }).meta({ id: 'StubRow' });

export type OrgCreation = z.output<typeof orgCreation>;
export type OrgChange = z.output<typeof orgChange>;
export type AccountInput = z.output<typeof accountInput>;
export type IgnoredUrl = z.infer<typeof ignoredUrl>;
export type OrgDependents = z.infer<typeof orgDependents>;
export type StubRow = z.infer<typeof stubRow>;

// The domain manifest: what an org publishes about itself at /.well-known/releases.json, and what this service exports.
import { z } from 'zod';

// The pattern repeats the protocol option, which the JSON Schema does not show.
const httpsUrl = z
  .url({ protocol: /^https$/ })
  .max(2048)
  .meta({ pattern: '^https:' });
const name = z.string().min(1).max(120);
const description = z.string().max(2000).optional();
const tags = z.array(z.string().min(1).max(60)).max(50).optional();
const social = z.record(z.string().min(1).max(40), z.string().min(1).max(200)).optional();

// A locator has at least one of these addresses.
export const LOCATOR_KEYS = ['url', 'feed', 'github', 'appstore', 'file'] as const;

export const locator = z
  .strictObject({
    url: httpsUrl.optional(),
    feed: httpsUrl.optional(),
    github: z
      .string()
      .regex(/^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/)
      .optional(),
    appstore: httpsUrl.optional(),
    file: httpsUrl.optional(),
    title: z.string().min(1).max(200).optional(),
    canonical: z.boolean().optional(),
  })
  .meta({ id: 'ManifestLocator' });

// What an org may say about itself besides its name.
export const manifestFields = {
  description,
  category: name.optional(),
  avatar: httpsUrl.optional(),
  tags,
  social,
};

export const manifestProduct = z
  .strictObject({
    name,
    slug: name.optional(),
    kind: name.optional(),
    category: name.optional(),
    description,
    website: z.url().optional(),
    docs: z.url().optional(),
    support: z.url().optional(),
    social,
    tags,
    archived: z.boolean().optional(),
    releases: z.array(locator).max(8).optional(),
  })
  .meta({ id: 'ManifestProduct' });

const registryEntry = z.looseObject({
  org: z
    .string()
    .regex(/^org_[A-Za-z0-9]+$/)
    .optional(),
  product: z
    .string()
    .regex(/^prd_[A-Za-z0-9]+$/)
    .optional(),
  verification: z.string().min(1).max(500).optional(),
});

export const manifest = z
  .object({
    $schema: z.url().optional(),
    version: z.literal(2),
    registries: z.record(z.string(), registryEntry).optional(),
    name: name.optional(),
    ...manifestFields,
    releases: z.array(locator).max(32).optional(),
    products: z.array(manifestProduct).max(24).optional(),
  })
  .meta({ id: 'Manifest' });

export type Locator = z.infer<typeof locator>;
export type ManifestProduct = z.infer<typeof manifestProduct>;
export type Manifest = z.infer<typeof manifest>;

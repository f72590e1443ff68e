// The domain manifest: what an org publishes about itself at /.well-known/releases.json, and what this service exports.
import { z } from 'zod';
import { field } from './fields.ts';

// The pattern repeats the protocol option, which the JSON Schema does not show.
const httpsUrl = z
  .url({ protocol: /^https$/ })
  .max(2048)
  .meta({ pattern: '^https:' });
const limited = (name: z.ZodString) => name.min(1).max(120);
const description = field.description.max(2000).optional();
const tags = z
  .array(z.string().min(1).max(60))
  .max(50)
  .optional()
  .meta({ description: 'Names of tags.', example: ['open-source'] });
const social = z
  .record(z.string().min(1).max(40), z.string().min(1).max(200))
  .optional()
  .describe('Handles on other platforms, by platform.');

// A locator has at least one of these addresses.
export const LOCATOR_KEYS = ['url', 'feed', 'github', 'appstore', 'file'] as const;

export const locator = z
  .strictObject({
    url: httpsUrl
      .optional()
      .meta({ description: 'Address; null where there is none.', example: 'https://acme.example/changelog' }),
    feed: httpsUrl
      .optional()
      .meta({ description: 'Address of an RSS, Atom or JSON feed.', example: 'https://acme.example/changelog.xml' }),
    github: field.github.regex(/^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/).optional(),
    appstore: httpsUrl.optional().describe('Address of the app in the store.'),
    file: httpsUrl.optional().meta({
      description: 'Address of a changelog file.',
      example: 'https://github.com/acme/cli/blob/main/CHANGELOG.md',
    }),
    title: field.title.min(1).max(200).optional(),
    canonical: field.canonical.optional(),
  })
  .meta({ id: 'ManifestLocator' });

// What an org may say about itself besides its name.
export const manifestFields = {
  description,
  category: limited(field.category).optional(),
  avatar: httpsUrl
    .optional()
    .meta({ description: 'https address of a square image.', example: 'https://acme.example/logo.png' }),
  tags,
  social,
};

export const manifestProduct = z
  .strictObject({
    name: limited(field.name),
    slug: limited(field.slug).optional(),
    kind: limited(z.string()).optional().meta({ description: 'Kind of product.', example: 'tool' }),
    category: limited(field.category).optional(),
    description,
    website: z.url().optional().meta({ description: 'Address of the website.', example: 'https://acme.example' }),
    docs: z
      .url()
      .optional()
      .meta({ description: 'Address of the documentation.', example: 'https://acme.example/docs' }),
    support: z
      .url()
      .optional()
      .meta({ description: 'Address of the support pages.', example: 'https://acme.example/support' }),
    social,
    tags,
    archived: field.archived.optional(),
    releases: z.array(locator).max(8).optional().describe('Where releases are published.'),
  })
  .meta({ id: 'ManifestProduct' });

const registryEntry = z.looseObject({
  org: field.orgString.regex(/^org_[A-Za-z0-9]+$/).optional(),
  product: field.productString.regex(/^prd_[A-Za-z0-9]+$/).optional(),
  verification: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Proof that the domain belongs to the holder of an entry.'),
});

export const manifest = z
  .object({
    $schema: z.url().optional().describe('Address of the JSON Schema of the manifest.'),
    version: z.literal(2).describe('Version of the form of the manifest.'),
    registries: z
      .record(z.string(), registryEntry)
      .optional()
      .describe('What the manifest says to single registries, by their name.'),
    name: limited(field.name).optional(),
    ...manifestFields,
    releases: z.array(locator).max(32).optional().describe('Where releases are published.'),
    products: z.array(manifestProduct).max(24).optional().describe('Products, by name.'),
  })
  .meta({ id: 'Manifest' });

export type Locator = z.infer<typeof locator>;
export type ManifestProduct = z.infer<typeof manifestProduct>;
export type Manifest = z.infer<typeof manifest>;

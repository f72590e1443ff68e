// Sample values by field name, for the examples of the API description. They describe one fictional organization, so
// that examples of different calls fit together. A key may be narrowed by what the field belongs to (`source.name`).
import { NAMES } from './names.ts';
import { RELEASE_TEXTS } from './release-texts.ts';
import { sampleId } from './sample-id.ts';
import { STATES } from './states.ts';

const SAMPLES: Record<string, unknown> = { ...NAMES, ...RELEASE_TEXTS, ...STATES };

// The entity that the fields of a shared schema belong to, by the name of the schema.
const OWNERS: readonly [RegExp, string][] = [
  [/^Webhook(?:Delivery|DeadLetters)/, 'delivery'],
  [/^WebhookEvents/, 'event'],
  [/Webhook/, 'webhook'],
  [/Token|^Caller/, 'token'],
  [/ApiKey/, 'key'],
  [/^OAuth/, 'client'],
  [/^Profile/, 'user'],
  [/^Feedback/, 'feedback'],
  [/^Recommendation/, 'recommendation'],
  [/^Audit/, 'audit'],
  [/^Blocked/, 'blocked'],
  [/^Ignored/, 'ignored'],
  [/^Usage/, 'usage'],
  [/^FetchLog/, 'fetch'],
  [/^Media/, 'media'],
  [/^Package/, 'package'],
  [/^Stack/, 'stack'],
  [/^Location/, 'location'],
  [/^Revision/, 'revision'],
  [/^Summary/, 'summary'],
  [/^Categor/, 'category'],
  [/^Tag/, 'tag'],
  [/^(?:Collection|Member)/, 'collection'],
  [/Source|^Changelog/, 'source'],
  [/^(?:Release|FeedItem|UpgradeEntry|RelatedRelease|Lean)/, 'release'],
  [/^(?:Product|CatalogHit)/, 'product'],
  [/^(?:Org|Stub|Overview|RelatedOrg)/, 'org'],
];

const OWNING_FIELDS: Record<string, string> = {
  org: 'org',
  orgs: 'org',
  previewOrgs: 'org',
  product: 'product',
  products: 'product',
  source: 'source',
  sources: 'source',
  release: 'release',
  releases: 'release',
  sibling: 'release',
  entries: 'release',
  media: 'media',
  user: 'user',
  apiKeys: 'key',
  events: 'event',
};

export function ownerOfSchema(name: string): string | undefined {
  return OWNERS.find(([pattern]) => pattern.test(name))?.[1];
}

export function ownerOfField(name: string): string | undefined {
  return OWNING_FIELDS[name];
}

const PATH_SAMPLES: Record<string, string> = {
  org: 'acme',
  product: 'acme-cli',
  source: 'acme-cli',
  col: 'build-tools',
  src: sampleId('src'),
  prod: sampleId('prod'),
  rel: sampleId('rel'),
  pkg: sampleId('pkg'),
  'packages/ecosystem': 'npm',
  'ecosystem/name': 'acme-cli',
  'ecosystem/scope': '@acme',
  'scope/name': 'cli',
  'stacks/name': 'web-shop',
  deliveryId: sampleId('dlv'),
  group: 'releases',
  schema: 'Error',
  token: 'relf_4Yt8QmZ1KdXwRv2BnYc8LhA7',
  'follows/type': 'org',
  'type/id': sampleId('org'),
  'webhooks/id': sampleId('whk'),
  'tokens/id': sampleId('tok'),
  'api-keys/id': 'k3J9vQ2mXz81LrTn',
  'clients/id': 'fK2mQx8vRt',
  'feedback/id': sampleId('fb'),
  'recommendations/id': sampleId('rec'),
  'categories/slug': 'devops',
  'tags/slug': 'open-source',
  'resolve/slug': 'acme-cli',
};

// `before` is the segment of the path in front of the parameter, without braces.
export function pathSample(name: string, before: string): string {
  return PATH_SAMPLES[`${before}/${name}`] ?? PATH_SAMPLES[name] ?? String(SAMPLES[name] ?? name);
}

// The sample of a field; undefined when there is none. Null can be a sample.
export function sampleOf(name: string, owner: string | undefined): unknown {
  const key = `${owner}.${name}`;
  return key in SAMPLES ? SAMPLES[key] : SAMPLES[name];
}

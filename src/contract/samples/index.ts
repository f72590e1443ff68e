// Sample values by field name, for the examples of the API description. They describe one fictional organization, so
// that examples of different calls fit together. A key may be narrowed by what the field belongs to (`source.name`).
import { NAMES } from './names.ts';
import { RELEASE_TEXTS } from './release-texts.ts';
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

// The sample of a field; undefined when there is none. Null can be a sample.
export function sampleOf(name: string, owner: string | undefined): unknown {
  const key = `${owner}.${name}`;
  return key in SAMPLES ? SAMPLES[key] : SAMPLES[name];
}

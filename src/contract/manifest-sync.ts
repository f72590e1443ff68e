// Requests and answers about domain manifests and stubs.
import { z } from 'zod';
import { field } from './fields.ts';
import { locator } from './manifest.ts';
import { orgRow } from './org.ts';
import { count } from './pagination.ts';

const MANIFEST_RESULTS = [
  'ok',
  'unchanged',
  'not_found',
  'blocked',
  'http_error',
  'network_error',
  'too_large',
  'invalid_json',
  'invalid_schema',
  'claimed_elsewhere',
] as const;
export type ManifestResult = (typeof MANIFEST_RESULTS)[number];

const NO_STUB_REASONS = [
  'invalid_domain',
  'org_exists',
  'slug_reserved',
  'slug_conflict',
  'no_locators',
  'dry_run',
  ...MANIFEST_RESULTS.filter((result) => result !== 'ok'),
] as const;
export type NoStubReason = (typeof NO_STUB_REASONS)[number];

// A broken rule, with its position in the file as a JSON pointer.
const pointedIssue = z.object({ pointer: z.string().describe('JSON pointer to what is wrong.'), reason: field.reason });
export type PointedIssue = z.infer<typeof pointedIssue>;

const planStep = z
  .object({
    locator: locator.describe('The location that the step is about.'),
    action: z.enum(['create', 'match', 'skip', 'remove']).describe('What was done.'),
    reason: field.reason.optional(),
    // The id of a source that existed before, or that this run created.
    sourceId: field.sourceId.optional(),
  })
  .meta({ id: 'ManifestPlanStep' });
const plan = z.array(planStep).optional().describe('The steps that were or would be taken.');
export type PlanStep = z.infer<typeof planStep>;

export const dryRunInput = z.object({ dryRun: field.dryRun.optional() }).meta({ id: 'DryRunInput' });
export const syncInput = dryRunInput
  .extend({
    confirm: z.boolean().optional().describe('true lets a manifest that lost most of its entries through, once.'),
  })
  .meta({ id: 'ManifestSyncInput' });
// Any text is accepted, because a text that is no domain is reported in the result and not as a bad request.
export const stubFromDomainInput = dryRunInput
  .extend({ domain: field.domain.min(1).max(2048) })
  .meta({ id: 'StubFromDomainInput' });

export const stubFromDomain = z
  .object({
    created: z.boolean().describe('Whether it was created by this call.'),
    org: orgRow.optional().describe('The organization; null where there is none.'),
    skippedReason: z.enum(NO_STUB_REASONS).optional().describe('Why nothing was written.'),
    issues: z.array(pointedIssue).optional().describe('What is wrong with the manifest.'),
    productCount: field.productCount.optional(),
    locationCount: field.locationCount.optional(),
    plan,
  })
  .meta({ id: 'StubFromDomain' });

export const promotion = z
  .object({
    promoted: z.boolean().describe('Whether the organization is tracked now.'),
    alreadyTracked: z.boolean().optional().describe('Whether the organization was tracked before the call.'),
    sourcesCreated: count.describe('Number of new sources.'),
    sourcesMatched: count.describe('Number of sources that existed already.'),
    locatorsStamped: count.describe('Locations that lead to a source now.'),
    plan,
  })
  .meta({ id: 'Promotion' });

export const manifestSync = z
  .object({
    fetched: z.boolean().describe('Whether the document was read.'),
    applied: z.boolean().describe('Whether the manifest was applied.'),
    result: z.enum(MANIFEST_RESULTS).describe('How reading the manifest ended.'),
    skippedReason: z.enum(['no_domain', 'dry_run', 'shrink_guard']).optional().describe('Why nothing was written.'),
    issues: z.array(pointedIssue).optional().describe('What is wrong with the manifest.'),
    plan,
  })
  .meta({ id: 'ManifestSync' });

export type StubFromDomain = z.infer<typeof stubFromDomain>;
export type Promotion = z.infer<typeof promotion>;
export type ManifestSync = z.infer<typeof manifestSync>;

// Requests and answers about domain manifests and stubs.
import { z } from 'zod';
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
const pointedIssue = z.object({ pointer: z.string(), reason: z.string() });
export type PointedIssue = z.infer<typeof pointedIssue>;

const planStep = z
  .object({
    locator,
    action: z.enum(['create', 'match', 'skip', 'remove']),
    reason: z.string().optional(),
    // The id of a source that existed before, or that this run created.
    sourceId: z.string().optional(),
  })
  .meta({ id: 'ManifestPlanStep' });
const plan = z.array(planStep).optional();
export type PlanStep = z.infer<typeof planStep>;

export const dryRunInput = z.object({ dryRun: z.boolean().optional() }).meta({ id: 'DryRunInput' });
export const syncInput = dryRunInput.extend({ confirm: z.boolean().optional() }).meta({ id: 'ManifestSyncInput' });
// Any text is accepted, because a text that is no domain is reported in the result and not as a bad request.
export const stubFromDomainInput = dryRunInput
  .extend({ domain: z.string().min(1).max(2048) })
  .meta({ id: 'StubFromDomainInput' });

export const stubFromDomain = z
  .object({
    created: z.boolean(),
    org: orgRow.optional(),
    skippedReason: z.enum(NO_STUB_REASONS).optional(),
    issues: z.array(pointedIssue).optional(),
    productCount: count.optional(),
    locationCount: count.optional(),
    plan,
  })
  .meta({ id: 'StubFromDomain' });

export const promotion = z
  .object({
    promoted: z.boolean(),
    alreadyTracked: z.boolean().optional(),
    sourcesCreated: count,
    sourcesMatched: count,
    locatorsStamped: count,
    plan,
  })
  .meta({ id: 'Promotion' });

export const manifestSync = z
  .object({
    fetched: z.boolean(),
    applied: z.boolean(),
    result: z.enum(MANIFEST_RESULTS),
    skippedReason: z.enum(['no_domain', 'dry_run', 'shrink_guard']).optional(),
    issues: z.array(pointedIssue).optional(),
    plan,
  })
  .meta({ id: 'ManifestSync' });

export type StubFromDomain = z.infer<typeof stubFromDomain>;
export type Promotion = z.infer<typeof promotion>;
export type ManifestSync = z.infer<typeof manifestSync>;

// Checks of the input of a subscription that need no query.
import { WEBHOOK_FORMATS, type WebhookFormat } from './format.ts';

export interface Problem {
  field: string;
  reason: string;
}

export type NamedTargets = Partial<Record<TargetField, string | null | undefined>>;

const TARGET_FIELDS = ['orgSlug', 'orgId', 'sourceSlug', 'sourceId', 'productSlug', 'productId'] as const;
export type TargetField = (typeof TARGET_FIELDS)[number];

const PAIRS = [
  ['orgSlug', 'orgId'],
  ['sourceSlug', 'sourceId'],
  ['productSlug', 'productId'],
] as const;

// The first broken rule on the scope: `follows` and `stack` take no targets, `stack` a name, and `org` exactly one org.
export function scopeProblem(
  scope: 'org' | 'follows' | 'stack',
  named: NamedTargets & { stackName?: string | undefined },
): Problem | null {
  if ((scope === 'stack') !== (named.stackName !== undefined)) {
    return { field: 'stackName', reason: 'the scope stack needs stackName, and no other scope takes it' };
  }
  if (scope !== 'org') return targetProblem(scope, named);
  if (named.orgSlug === undefined && named.orgId === undefined) {
    return { field: 'orgSlug', reason: 'orgSlug or orgId is required, or the scope follows' };
  }
  return twiceNamed(named);
}

export function targetProblem(scope: 'follows' | 'stack', named: NamedTargets): Problem | null {
  const field = TARGET_FIELDS.find((one) => named[one] !== undefined);
  return field ? { field, reason: `the scope ${scope} takes no org, source or product` } : null;
}

export function twiceNamed(named: NamedTargets): Problem | null {
  const pair = PAIRS.find(([slug, id]) => named[slug] !== undefined && named[id] !== undefined);
  return pair ? { field: pair[1], reason: `give ${pair[0]} or ${pair[1]}, not both` } : null;
}

// The format, `json` when none is given; null for a value that is no format.
export function readFormat(text: string | null | undefined): WebhookFormat | null {
  if (!text) return 'json';
  return WEBHOOK_FORMATS.find((format) => format === text) ?? null;
}

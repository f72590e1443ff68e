// Shared by all proofs: the input for an adapter, and the result when there is no proof.

import type { FetchOutcome } from '../../domain/fetching/outcome.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import type { AdapterInput, Item } from './contract.ts';
import type { SampleItem, Unproven } from './proofs.ts';

// These outcomes say nothing about the address itself.
const PASSING: readonly FetchOutcome[] = ['timeout', 'unreachable', 'throttled', 'error'];

export const TARGET_REFUSED = 'target_refused';
export const PRIVATE_ADDRESS = 'private_address';

export function unproven(failure: {
  outcome: FetchOutcome;
  detail: string | null;
  httpStatus: number | null;
}): Unproven {
  const { outcome, detail, httpStatus: status } = failure;
  if (detail === 'target refused: private_address') return { verdict: 'refused', reason: PRIVATE_ADDRESS, status };
  if (detail?.startsWith('target refused')) return { verdict: 'refused', reason: TARGET_REFUSED, status };
  if (detail === 'robots') return { verdict: 'refused', reason: 'robots', status };
  return { verdict: PASSING.includes(outcome) ? 'unreachable' : 'refused', reason: outcome, status, detail };
}

export function samples(items: readonly Item[]): SampleItem[] {
  return items.map(({ title, version, url, publishedAt }) => ({ title, version, url, publishedAt }));
}

// A source that is not stored, for asking an adapter about an address.
export function questionAbout(source: Partial<SourceRow> & Pick<SourceRow, 'type' | 'url'>): AdapterInput {
  const columns = ['feed_url', 'feed_type', 'github_coordinate', 'github_id', 'app_id', 'app_platform'] as const;
  const others = ['app_storefront', 'app_icon_url', 'video_provider', 'video_feed', 'parser', 'last_outcome'] as const;
  const empty = Object.fromEntries([...columns, ...others].map((column) => [column, null]));
  return {
    source: { ...empty, name: '', settings: '{}', extra: '{}', former_coordinates: '[]', ...source } as SourceRow,
    names: [],
    validators: [],
    known: { guids: new Set(), urls: new Set(), count: 0 },
    firstFetch: true,
    backfill: null,
  };
}

// The input of an adapter, for tests that call one directly.
import type { AdapterInput, AdapterResult, Validator } from '../../src/ingest/adapters/contract.ts';
import { toJson } from '../../src/store/json-text.ts';
import type { SourceRow } from '../../src/store/schema/sources.ts';

export function sourceRow(overrides: Partial<SourceRow> = {}): SourceRow {
  return {
    id: 'src_test',
    org_id: 'org_test',
    product_id: null,
    slug: 'kettle',
    name: 'Kettle',
    name_key: 'kettle',
    type: 'feed',
    url: 'https://kettle.example/news',
    url_key: 'kettle.example/news',
    kind: null,
    feed_url: null,
    feed_type: null,
    github_coordinate: null,
    github_id: null,
    former_coordinates: toJson([]),
    is_fork: 0,
    app_id: null,
    app_platform: null,
    app_storefront: null,
    app_icon_url: null,
    video_provider: null,
    video_feed: null,
    changelog_url: null,
    parser: null,
    release_type: null,
    version_scheme: null,
    settings: toJson({}),
    extra: toJson({}),
    is_primary: 0,
    is_hidden: 0,
    discovery: 'curated',
    fetch_priority: 'normal',
    last_fetched_at: null,
    last_polled_at: null,
    change_detected_at: null,
    next_fetch_after: null,
    last_looked_up_at: null,
    last_content_hash: null,
    last_outcome: null,
    failing_since: null,
    releases_written_at: null,
    listing_completed_at: null,
    consecutive_no_change: 0,
    consecutive_errors: 0,
    median_gap_days: null,
    last_retiered_at: null,
    stars: null,
    stars_fetched_at: null,
    archived: 0,
    notice: null,
    embedded_at: null,
    created_at: '2024-01-01T00:00:00.000Z',
    updated_at: '2024-01-01T00:00:00.000Z',
    deleted_at: null,
    ...overrides,
  };
}

// `stored` is the number of releases of the source; 0 before the first fetch.
export function adapterInput(
  source: Partial<SourceRow>,
  { stored = 0, ...rest }: Partial<AdapterInput> & { stored?: number } = {},
): AdapterInput {
  return {
    source: sourceRow(source),
    names: ['Kettle'],
    validators: [],
    known: { guids: new Set(), urls: new Set(), count: stored },
    firstFetch: stored === 0,
    backfill: null,
    ...rest,
  };
}

// The validators after a run: returned ones replace stored ones with the same name.
export function keepValidators(before: readonly Validator[], { validators }: AdapterResult): Validator[] {
  const kept = new Map([...before, ...validators].map((one) => [one.endpoint, one]));
  return [...kept.values()];
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as enums from '../contract/enums.ts';
import { releaseInput } from '../contract/release-input.ts';
import { deriveSlug, isReservedChildSlug, isReservedOrgSlug, isSlug } from '../domain/slugs.ts';
import { changelogFilesOf, fetchLogOf, stateOf } from './activity.ts';
import { readDemoRegistry } from './registry.ts';

const NOW = new Date('2026-07-14T15:30:00Z');
const TODAY = Date.parse('2026-07-14T00:00:00Z');
const DAY_MS = 86_400_000;

const registry = readDemoRegistry({ now: NOW });
const releases = registry.sources.flatMap((source) => source.releases);
const orgBySlug = new Map(registry.orgs.map((org) => [org.slug, org]));

const fetchLogs = registry.sources.map((source) => fetchLogOf(source, TODAY));
const packages = registry.sources.flatMap((source) => source.packages ?? []);

function assertCovers(values: Iterable<unknown>, expected: readonly unknown[]): void {
  const seen = new Set(values);
  assert.deepEqual(
    expected.filter((value) => !seen.has(value)),
    [],
  );
}

describe('size', () => {
  it('holds the promised numbers', () => {
    assert.equal(releases.length, 1200);
    assert.ok(registry.orgs.length >= 38 && registry.orgs.length <= 46);
    assert.equal(registry.collections.length, 8);
    assert.ok(registry.orgs.every((org) => (org.products ?? []).length <= 4));
    assert.ok(packages.length >= 20);
    assert.ok(releases.filter((release) => release.covers).length >= 10);
  });
});

describe('determinism', () => {
  it('depends on the day only', () => {
    const text = JSON.stringify(registry);

    assert.equal(JSON.stringify(readDemoRegistry({ now: new Date('2026-07-14T00:00:01Z') })), text);
    assert.notEqual(JSON.stringify(readDemoRegistry({ now: new Date('2026-07-15T00:00:01Z') })), text);
  });
});

describe('variety', () => {
  it('uses every value of every enumeration', () => {
    const products = registry.orgs.flatMap((org) => org.products ?? []);
    const settings = registry.sources.map((source) => source.metadata);
    const locations = registry.orgs.flatMap((org) => org.locations ?? []);

    assertCovers(
      registry.orgs.map((org) => org.category),
      enums.CATEGORIES,
    );
    assertCovers(
      products.map((product) => product.kind),
      enums.KINDS,
    );
    assertCovers(
      registry.sources.map((source) => source.type),
      enums.SOURCE_TYPES,
    );
    assertCovers(
      registry.sources.map((source) => source.discovery ?? 'curated'),
      enums.DISCOVERIES,
    );
    assertCovers(
      registry.sources.map((source) => source.fetchPriority ?? 'normal'),
      enums.FETCH_PRIORITIES,
    );
    assertCovers(
      registry.orgs.map((org) => org.status ?? 'tracked'),
      enums.ORG_STATUSES,
    );
    assertCovers(
      settings.map((metadata) => metadata.appPlatform),
      enums.APP_PLATFORMS,
    );
    assertCovers(
      settings.map((metadata) => metadata.videoProvider),
      enums.VIDEO_PROVIDERS,
    );
    assertCovers(
      locations.map((location) => location.basis),
      enums.LOCATION_BASES,
    );
    assertCovers(
      releases.flatMap((release) => release.media ?? []).map((media) => media.type),
      enums.MEDIA_TYPES,
    );
    assertCovers(
      packages.map((entry) => entry.ecosystem),
      enums.ECOSYSTEMS,
    );
    assertCovers(
      fetchLogs.flat().map((row) => row.status),
      enums.FETCH_STATUSES,
    );
  });

  it('has the unusual cases', () => {
    const stub = registry.orgs.find((org) => org.status === 'stub');

    assert.ok(stub?.locations?.length);
    assert.ok(!registry.sources.some((source) => source.orgSlug === stub?.slug));
    assert.equal(registry.orgs.filter((org) => org.isHidden).length, 1);
    assert.ok(registry.sources.filter((source) => source.orgSlug === undefined).length >= 3);
    const states = registry.sources.map((source, place) => stateOf(source, fetchLogs[place] ?? [], TODAY));
    assert.ok(states.some((state) => (state.consecutive_errors ?? 0) > 0));
    assert.ok(states.some((state) => state.last_fetched_at === null));
    assert.ok(registry.orgs.some((org) => org.notice) && registry.orgs.some((org) => org.playbook));
    assert.ok(registry.orgs.some((org) => org.ignoredUrls));
    assert.ok(registry.collections.some((item) => item.isFeatured));
  });

  it('writes notes in many forms', () => {
    const has = (pattern: RegExp) => releases.filter((release) => pattern.test(release.content)).length;

    assert.ok(has(/^### Added$/m) > 40, 'keep a changelog');
    assert.ok(has(/^\* \*\*\w+:\*\* /m) > 40, 'conventional commits');
    assert.ok(has(/^- Updated dependencies \[/m) > 20, 'changesets');
    assert.ok(has(/\*\*Full Changelog\*\*/) > 40, 'generated notes');
    assert.ok(has(/^```/m) > 20, 'code');
    assert.ok(has(/^\|---/m) > 8, 'tables');
    assert.ok(has(/CVE-2099-\d{5}/) > 8, 'security fixes');
    assert.ok(has(/\p{Extended_Pictographic}/u) > 40, 'emoji');
    assert.ok(releases.filter((release) => release.prerelease).length > 40);
    assert.ok(releases.filter((release) => release.type === 'rollup').length > 40);
  });
});

describe('dates', () => {
  it('lie within two years, apart from two that are still to come', () => {
    const dates = releases.flatMap((release) => (release.publishedAt ? [Date.parse(release.publishedAt)] : []));
    const future = dates.filter((at) => at > TODAY);

    assert.ok(dates.every((at) => at >= TODAY - 740 * DAY_MS));
    assert.equal(future.length, 2);
    assert.ok(future.every((at) => at > TODAY + 2 * DAY_MS && at < TODAY + 3 * DAY_MS));
    assert.ok(releases.length - dates.length > 5, 'some are undated');
    assert.ok(dates.filter((at) => at <= TODAY && at > TODAY - 30 * DAY_MS).length > 40, 'a lively month');
  });

  it('run forward in each source and are seen after they happen', () => {
    for (const source of registry.sources) {
      const dates = source.releases.flatMap((release) => release.publishedAt ?? []);
      assert.deepEqual(dates, dates.toSorted(), source.key);
      assert.ok(source.releases.every((release) => Date.parse(release.fetchedAt) <= TODAY));
    }
    assert.ok(fetchLogs.flat().every((row) => Date.parse(row.created_at) <= TODAY));
  });
});

describe('identity', () => {
  it('gives valid, unreserved and unique slugs', () => {
    const unique = (values: string[]) => assert.equal(new Set(values).size, values.length, values.join(' '));

    unique(registry.orgs.map((org) => org.slug));
    unique(registry.sources.map((source) => source.key));
    unique(registry.orgs.flatMap((org) => [org.domain ?? [], org.aliases ?? []]).flat());
    unique(packages.map((entry) => `${entry.ecosystem}:${entry.name}`));
    for (const org of registry.orgs) {
      assert.ok(isSlug(org.slug) && !isReservedOrgSlug(org.slug), org.slug);
      const slugs = (org.products ?? []).map((product) => product.slug ?? deriveSlug(product.name) ?? '');
      unique(slugs);
      for (const slug of slugs) assert.ok(isSlug(slug) && !isReservedChildSlug(slug), slug);
      for (const tag of org.tags ?? []) assert.ok(deriveSlug(tag));
    }
    for (const { slug } of registry.sources) assert.ok(isSlug(slug) && !isReservedChildSlug(slug), slug);
    for (const { slug } of registry.collections) {
      assert.ok(isSlug(slug, { min: 2, max: 64 }) && !isReservedChildSlug(slug), slug);
    }
  });

  it('names only what exists', () => {
    const productOf = (orgSlug: string, slug: string) =>
      orgBySlug.get(orgSlug)?.products?.some((p) => (p.slug ?? deriveSlug(p.name)) === slug);

    for (const source of registry.sources) {
      if (source.productSlug) assert.ok(productOf(source.orgSlug ?? '', source.productSlug), source.key);
    }
    for (const { orgSlug, productSlug } of registry.collections.flatMap((item) => item.members)) {
      assert.ok(orgBySlug.has(orgSlug));
      if (productSlug) assert.ok(productOf(orgSlug, productSlug), productSlug);
    }
  });

  it('gives each release of a source its own address and version', () => {
    for (const source of registry.sources) {
      for (const field of ['url', 'version'] as const) {
        const values = source.releases.flatMap((release) => release[field] ?? []);
        assert.equal(new Set(values).size, values.length, `${source.key} ${field}`);
      }
      assert.ok(!source.releases.some((release) => release.url === source.url));
    }
  });

  it('has one primary source at most in a product', () => {
    const primary = registry.sources.filter((source) => source.isPrimary).map((source) => source.orgSlug);

    assert.equal(new Set(primary).size, primary.length);
  });
});

describe('contents', () => {
  it('holds rows that the batch call accepts', () => {
    for (const release of releases) {
      const { success, error } = releaseInput.safeParse(release);
      assert.ok(success, `${release.title}: ${error?.message}`);
    }
  });

  it('leads nowhere real', () => {
    const hosts = new Set(
      JSON.stringify(registry)
        .match(/https?:\/\/[^\s)"<>\\]+/g)
        ?.map((address) => new URL(address).host),
    );
    const allowed = new Set(['github.com', 'raw.githubusercontent.com']);

    assert.deepEqual(
      [...hosts].filter((host) => !host.endsWith('.example') && !allowed.has(host)),
      [],
    );
  });

  it('uses absolute https addresses', () => {
    const addresses = [
      ...registry.sources.map((source) => source.url),
      ...releases.flatMap((release) => release.url ?? []),
      ...releases.flatMap((release) => release.media ?? []).map((media) => media.url),
      ...registry.orgs.flatMap((org) => [org.avatarUrl ?? [], (org.products ?? []).map((p) => p.url ?? [])].flat(2)),
      ...registry.sources.flatMap((source) =>
        changelogFilesOf(source, TODAY).flatMap((file) => [file.url, file.rawUrl]),
      ),
    ];

    for (const address of addresses) assert.equal(new URL(address).protocol, 'https:');
  });

  it('names no real brand', () => {
    const brands =
      'google|microsoft|amazon|aws|azure|apple|facebook|netflix|stripe|vercel|openai|anthropic|cloudflare|datadog|' +
      'slack|discord|notion|figma|sketch|atlassian|jira|oracle|mysql|postgres|postgresql|mongodb|redis|kafka|docker|' +
      'kubernetes|react|angular|svelte|shopify|salesforce|hubspot|sentry|grafana|terraform|hashicorp|gitlab|twitter';

    assert.equal(JSON.stringify(registry).match(new RegExp(`\\b(${brands})\\b`, 'i'))?.[0], undefined);
  });

  it('lets posts tell about releases of the same org that tell about no other', () => {
    const byName = new Map<string, { covers?: string; publishedAt?: string }>(
      registry.sources.flatMap(({ key, releases }) => releases.map((row) => [`${key} ${row.version}`, row] as const)),
    );
    for (const { key, releases } of registry.sources) {
      for (const { covers = '', publishedAt } of releases.filter((release) => release.covers)) {
        const told = byName.get(covers);
        assert.ok(told?.publishedAt && publishedAt && !told.covers, covers);
        assert.equal(covers.split('/')[0], key.split('/')[0]);
        assert.ok(Math.abs(Date.parse(publishedAt) - Date.parse(told.publishedAt)) <= 72 * 3_600_000);
      }
    }
  });
});

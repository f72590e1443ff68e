import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as enums from '../contract/enums.ts';
import { releaseInput } from '../contract/release-input.ts';
import { deriveSlug, isReservedChildSlug, isReservedOrgSlug, isSlug } from '../domain/slugs.ts';
import { buildDemoRegistry, shareOut } from './registry.ts';
import type { DemoRelease, ReleaseRef } from './types.ts';

const NOW = new Date('2026-07-14T15:30:00Z');
const TODAY = Date.parse('2026-07-14T00:00:00Z');
const DAY_MS = 86_400_000;

const registry = buildDemoRegistry({ now: NOW });
const releases = registry.sources.flatMap((source) => source.releases);
const sourceByKey = new Map(registry.sources.map((source) => [source.key, source]));
const orgBySlug = new Map(registry.orgs.map((org) => [org.slug, org]));

function releaseOf(ref: ReleaseRef): DemoRelease {
  const release = sourceByKey.get(ref.source)?.releases[ref.row];
  assert.ok(release, `no release ${ref.source}#${ref.row}`);
  return release;
}

function assertCovers(values: Iterable<unknown>, expected: readonly unknown[]): void {
  const seen = new Set(values);
  assert.deepEqual(
    expected.filter((value) => !seen.has(value)),
    [],
  );
}

describe('size', () => {
  it('holds the promised numbers', () => {
    assert.equal(releases.length, 3000);
    assert.ok(registry.orgs.length >= 38 && registry.orgs.length <= 46);
    assert.equal(registry.collections.length, 8);
    assert.ok(registry.orgs.every((org) => org.products.length <= 4));
    assert.ok(registry.packages.length >= 20);
    assert.ok(registry.coverage.length >= 20);
  });

  it('follows the number asked for', () => {
    const small = buildDemoRegistry({ now: NOW, releases: 400 });

    assert.equal(small.sources.flatMap((source) => source.releases).length, 400);
  });

  it('shares out exactly', () => {
    assert.deepEqual(shareOut(10, [1, 1, 1]), [4, 3, 3]);
    assert.deepEqual(shareOut(5, [0, 3, 2]), [0, 3, 2]);
  });
});

describe('determinism', () => {
  it('depends on the day and the seed only', () => {
    const text = JSON.stringify(registry);

    assert.equal(JSON.stringify(buildDemoRegistry({ now: new Date('2026-07-14T00:00:01Z') })), text);
    assert.notEqual(JSON.stringify(buildDemoRegistry({ now: new Date('2026-07-15T00:00:01Z') })), text);
    assert.notEqual(JSON.stringify(buildDemoRegistry({ now: NOW, seed: 7 })), text);
  });
});

describe('variety', () => {
  it('uses every value of every enumeration', () => {
    const products = registry.orgs.flatMap((org) => org.products);
    const settings = registry.sources.map((source) => source.metadata);
    const locations = registry.orgs.flatMap((org) => org.locations);

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
      registry.sources.map((source) => source.discovery),
      enums.DISCOVERIES,
    );
    assertCovers(
      registry.sources.map((source) => source.fetchPriority),
      enums.FETCH_PRIORITIES,
    );
    assertCovers(
      registry.orgs.map((org) => org.status),
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
      releases.map((release) => release.breaking),
      ['minor', 'major'],
    );
    assertCovers(
      registry.packages.map((entry) => entry.ecosystem),
      enums.ECOSYSTEMS,
    );
    assertCovers(
      registry.sources.flatMap((source) => source.fetchLog).map((row) => row.status),
      enums.FETCH_STATUSES,
    );
  });

  it('has the unusual cases', () => {
    const stub = registry.orgs.find((org) => org.status === 'stub');

    assert.ok(stub && stub.locations.length > 0);
    assert.ok(!registry.sources.some((source) => source.orgSlug === stub.slug));
    assert.equal(registry.orgs.filter((org) => org.isHidden).length, 1);
    assert.ok(registry.sources.filter((source) => source.orgSlug === undefined).length >= 3);
    assert.ok(registry.sources.some((source) => source.state.consecutive_errors > 0));
    assert.ok(registry.sources.some((source) => source.state.last_fetched_at === null));
    assert.ok(registry.orgs.some((org) => org.notice) && registry.orgs.some((org) => org.playbookNotes));
    assert.ok(registry.orgs.some((org) => org.ignoredUrls.length > 0));
    assert.ok(registry.collections.some((item) => item.isFeatured));
  });

  it('writes notes in many forms', () => {
    const has = (pattern: RegExp) => releases.filter((release) => pattern.test(release.content)).length;

    assert.ok(has(/^### Added$/m) > 100, 'keep a changelog');
    assert.ok(has(/^\* \*\*\w+:\*\* /m) > 100, 'conventional commits');
    assert.ok(has(/^- Updated dependencies \[/m) > 50, 'changesets');
    assert.ok(has(/\*\*Full Changelog\*\*/) > 100, 'generated notes');
    assert.ok(has(/^```/m) > 50, 'code');
    assert.ok(has(/^\|---/m) > 20, 'tables');
    assert.ok(has(/CVE-2099-\d{5}/) > 20, 'security fixes');
    assert.ok(has(/\p{Extended_Pictographic}/u) > 100, 'emoji');
    assert.ok(releases.filter((release) => release.prerelease).length > 100);
    assert.ok(releases.filter((release) => release.migrationNotes).length > 20);
    assert.ok(releases.filter((release) => release.type === 'rollup').length > 80);
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
    assert.ok(dates.filter((at) => at <= TODAY && at > TODAY - 30 * DAY_MS).length > 120, 'a lively month');
  });

  it('run forward in each source and are seen after they happen', () => {
    for (const source of registry.sources) {
      const dates = source.releases.flatMap((release) => release.publishedAt ?? []);
      assert.deepEqual(dates, dates.toSorted(), source.key);
      assert.ok(source.releases.every((release) => Date.parse(release.fetchedAt) <= TODAY));
      assert.ok(source.fetchLog.every((row) => Date.parse(row.created_at) <= TODAY));
    }
  });
});

describe('identity', () => {
  it('gives valid, unreserved and unique slugs', () => {
    const unique = (values: string[]) => assert.equal(new Set(values).size, values.length, values.join(' '));

    unique(registry.orgs.map((org) => org.slug));
    unique(registry.sources.map((source) => source.key));
    unique(registry.orgs.flatMap((org) => [org.domain ?? [], org.aliases]).flat());
    unique(registry.orgs.flatMap((org) => org.accounts.map(({ platform, handle }) => `${platform}:${handle}`)));
    unique(registry.packages.map((entry) => `${entry.ecosystem}:${entry.name}`));
    for (const org of registry.orgs) {
      assert.ok(isSlug(org.slug) && !isReservedOrgSlug(org.slug), org.slug);
      unique(org.products.map((product) => product.slug));
      for (const { slug } of org.products) assert.ok(isSlug(slug) && !isReservedChildSlug(slug), slug);
      for (const tag of org.tags) assert.ok(deriveSlug(tag));
    }
    for (const { slug } of registry.sources) assert.ok(isSlug(slug) && !isReservedChildSlug(slug), slug);
    for (const { slug } of registry.collections) {
      assert.ok(isSlug(slug, { min: 2, max: 64 }) && !isReservedChildSlug(slug), slug);
    }
  });

  it('names only what exists', () => {
    const productOf = (orgSlug: string, slug: string) => orgBySlug.get(orgSlug)?.products.some((p) => p.slug === slug);

    for (const source of registry.sources) {
      if (source.productSlug) assert.ok(productOf(source.orgSlug ?? '', source.productSlug), source.key);
    }
    for (const { orgSlug, productSlug } of registry.collections.flatMap((item) => item.members)) {
      assert.ok(orgBySlug.has(orgSlug));
      if (productSlug) assert.ok(productOf(orgSlug, productSlug), productSlug);
    }
    for (const entry of registry.packages) assert.ok(sourceByKey.has(entry.source));
  });

  it('gives each release of a source its own address, guid and version', () => {
    for (const source of registry.sources) {
      for (const field of ['url', 'guid', 'version'] as const) {
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
      ...registry.orgs.flatMap((org) => [org.avatarUrl ?? [], org.products.map((p) => p.url ?? [])].flat(2)),
      ...registry.sources.flatMap((source) => source.changelogFiles.flatMap((file) => [file.url, file.rawUrl])),
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

  it('links coverage to releases of the same org that are not covered themselves', () => {
    const key = (ref: ReleaseRef) => `${ref.source}#${ref.row}`;
    const covered = new Set(registry.coverage.map((link) => key(link.coverage)));

    assert.equal(covered.size, registry.coverage.length);
    for (const { canonical, coverage } of registry.coverage) {
      assert.ok(!covered.has(key(canonical)));
      assert.equal(sourceByKey.get(canonical.source)?.orgSlug, sourceByKey.get(coverage.source)?.orgSlug);
      const gap =
        Date.parse(releaseOf(coverage).publishedAt ?? '') - Date.parse(releaseOf(canonical).publishedAt ?? '');
      assert.ok(!(Math.abs(gap) > 72 * 3_600_000));
    }
    assert.ok(registry.coverage.some((link) => link.decidedBy.startsWith('human:')));
  });
});

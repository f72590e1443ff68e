import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertLinear } from '../../test/support/growth.ts';
import { releaseInput } from '../contract/release-input.ts';
import { isSlug } from '../domain/slugs.ts';
import { bulkOrgs, bulkReleases } from './generate-rows.ts';

const NOW = new Date('2026-07-14T15:30:00Z');

describe('bulk orgs', () => {
  it('have unique slugs, domains and source indexes', () => {
    const orgs = bulkOrgs(500, 1);
    const sources = orgs.flatMap((org) => org.sources);

    assert.equal(new Set(orgs.map((org) => org.slug)).size, 500);
    assert.ok(orgs.every((org) => isSlug(org.slug) && org.sources.length >= 1));
    assert.deepEqual(
      sources.map((source) => source.index),
      sources.map((_, index) => index),
    );
    assert.deepEqual(bulkOrgs(500, 1), orgs);
  });
});

describe('bulk releases', () => {
  const rows = [0, 1, 2, 3].flatMap((index) => bulkReleases({ sourceIndex: index, count: 1000, seed: 1, now: NOW }));

  it('are deterministic and acceptable', () => {
    assert.deepEqual(bulkReleases({ sourceIndex: 0, count: 1000, seed: 1, now: NOW }), rows.slice(0, 1000));
    assert.ok(rows.slice(0, 50).every((row) => releaseInput.safeParse(row).success));
  });

  it('have the promised shape', () => {
    const mean = rows.reduce((sum, row) => sum + row.content.length, 0) / rows.length;
    const prereleases = rows.filter((row) => row.prerelease).length / rows.length;
    const dates = rows.flatMap((row) => row.publishedAt ?? []).toSorted();

    assert.ok(mean > 500 && mean < 700, String(mean));
    assert.ok(prereleases > 0.03 && prereleases < 0.07, String(prereleases));
    assert.equal(new Set(rows.map((row) => row.url)).size, rows.length);
    assert.ok((dates[0] ?? '') > '2021-07-01' && (dates[0] ?? '') < '2021-08-01');
    assert.ok((dates.at(-1) ?? '') <= '2026-07-14T00:00:00.000Z');
  });

  it('use words as people do: few very often, many once', () => {
    const counts = new Map<string, number>();
    for (const word of rows.flatMap((row) => row.content.match(/[a-z]+/g) ?? [])) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const ranked = [...counts.values()].sort((a, b) => b - a);

    assert.ok(ranked.length > 4000);
    assert.ok((ranked[0] ?? 0) > 20 * (ranked[200] ?? 0));
  });

  it('come fast enough for a large registry: a row costs no more among many', () => {
    // Sizes are measured in text: a few rows per thousand characters.
    const rows = (count: number) => bulkReleases({ sourceIndex: 0, count, seed: 2, now: NOW });
    assertLinear(rows, (size) => Math.round(size / 100));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildDemoRegistry } from './registry.ts';
import { statementsOf } from './statements.ts';

const registry = buildDemoRegistry({ now: new Date('2026-02-28T09:00:00Z') });
const sourceByKey = new Map(registry.sources.map((source) => [source.key, source]));

describe('overviews', () => {
  it('cite exact spans of visible, stable releases', () => {
    const covered = new Set(registry.coverage.map(({ coverage }) => `${coverage.source}#${coverage.row}`));

    assert.ok(registry.overviews.length > 20);
    for (const overview of registry.overviews) {
      let reached = 0;
      for (const citation of overview.citations) {
        const { source, row } = citation.release;
        const release = sourceByKey.get(source)?.releases[row];
        assert.equal(overview.content.slice(citation.startIndex, citation.endIndex), citation.citedText);
        assert.ok(citation.startIndex >= reached && citation.endIndex > citation.startIndex);
        assert.ok(release?.content.includes(citation.citedText) || release?.title.includes(citation.citedText));
        assert.ok(!release?.prerelease && !covered.has(`${source}#${row}`));
        assert.equal(sourceByKey.get(source)?.orgSlug, overview.orgSlug);
        reached = citation.endIndex;
      }
      assert.ok(overview.lastContributingReleaseAt <= '2026-02-28T00:00:00.000Z');
    }
  });
});

describe('statements', () => {
  const of = (content: string) => statementsOf({ title: 'v1', content, fetchedAt: '' });

  it('keeps the words of an entry and drops what surrounds them', () => {
    assert.deepEqual(of('- Added saved filters to the board.'), ['Added saved filters to the board']);
    assert.deepEqual(of('* **cli:** support plugin hooks everywhere ([#1](u)) ([abcdef1](u))'), [
      'support plugin hooks everywhere',
    ]);
    assert.deepEqual(of('* Fix a hang on circular imports by @x in https://h.example/pull/1'), [
      'Fix a hang on circular imports',
    ]);
    assert.deepEqual(of('- 0a4e39b: Prevent duplicate tool calls'), ['Prevent duplicate tool calls']);
  });

  it('leaves out markup and dependency lines', () => {
    assert.deepEqual(of('- Added `cache_ttl` to tune the loader.\n- Updated dependencies [0a4e39b]\nplain prose'), []);
  });
});

describe('changelog files', () => {
  const files = registry.sources.flatMap((source) => source.changelogFiles.map((file) => ({ source, file })));

  it('hold hundreds of lines, one of them more than 256 KB', () => {
    const sizes = files.map(({ file }) => Buffer.byteLength(file.content));

    assert.ok(files.filter(({ file }) => file.content.split('\n').length > 200).length >= 10);
    assert.equal(sizes.filter((size) => size > 262_144).length, 1);
    assert.ok(registry.sources.some((source) => source.changelogFiles.length === 2));
    assert.ok(files.every(({ source }) => source.type === 'github'));
  });

  it('have an entry for the newest stable release that is out', () => {
    for (const { source, file } of files.filter(({ file }) => file.path === 'CHANGELOG.md')) {
      const newest = source.releases.findLast(
        (release) => !release.prerelease && (release.publishedAt ?? '') <= '2026-02-28T00:00:00.000Z',
      );
      const number = newest?.version?.replace(/^v/, '') ?? '';
      assert.ok(file.content.slice(0, 400).includes(number), `${source.key} ${number}`);
    }
  });
});

describe('summaries', () => {
  it('fit their limit, one rolling row a source and one row a month', () => {
    for (const source of registry.sources) {
      const keys = source.summaries.map((row) => (row.type === 'rolling' ? 'rolling' : `${row.year}-${row.month}`));
      assert.equal(new Set(keys).size, keys.length);
      assert.ok(source.summaries.every((row) => row.summary.length > 0 && row.summary.length <= 600));
      assert.ok(source.summaries.every((row) => (row.windowDays === 30) === (row.type === 'rolling')));
      if (source.releases.length > 0) assert.equal(keys[0], 'rolling');
    }
  });
});

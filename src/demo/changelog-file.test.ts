import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildDemoRegistry } from './registry.ts';

const registry = buildDemoRegistry({ now: new Date('2026-02-28T09:00:00Z') });

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

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SourceType } from '../../contract/enums.ts';
import { platformBadge, splitVersion, versionMark, versionRange } from './marks.ts';

const bold = (version: string) => {
  const { prefix, before, moved, after } = splitVersion(version);
  return `${prefix}|${before}[${moved}]${after}`;
};

describe('a version', () => {
  const table: [string, string][] = [
    ['v17.0.0', 'v|[17].0.0'],
    ['v10.5.0', 'v|10.[5].0'],
    ['v10.5.2', 'v|10.5.[2]'],
    ['v10.4.0-rc.2', 'v|10.[4].0-rc.2'],
    ['osierweave@5.0.0', 'osierweave@|[5].0.0'],
    ['@osierweave/router@4.9.1', '@osierweave/router@|4.9.[1]'],
    ['connect-v1.20.1', 'connect-v|1.20.[1]'],
    ['4.21', '|4.[21]'],
    ['0.0.0', '|[0].0.0'],
    ['1.2.3.4', '|1.2.[3].4'],
    ['7', '|[7]'],
    ['2026-11-12', '|[2026-11-12]'],
    ['v2026.11.12', '|[v2026.11.12]'],
    ['nightly', '|[nightly]'],
    ['', '|[]'],
  ];
  for (const [version, expected] of table) {
    it(`"${version}" shows what moved`, () => assert.equal(bold(version), expected));
  }

  it('is escaped', () => {
    assert.equal(
      String(versionMark('<b>1.0.0')),
      '<span class="version"><span class="pkg">&lt;b&gt;</span><b>1</b>.0.0</span>',
    );
  });

  it('in a range emboldens the first part that differs', () => {
    const text = String(versionRange('4.6.0', '4.9.1')).replaceAll(/<\/?span[^>]*>/g, '');
    assert.match(text, /4\.<b>6<\/b>\.0/);
    assert.match(text, /4\.<b>9<\/b>\.1/);
  });
});

describe('the platform of a source', () => {
  const cases: [type: SourceType, settings: Record<string, unknown>, word: string | null][] = [
    ['feed', { feedUrl: 'https://acme.example/feed', feedType: 'atom' }, 'Atom'],
    ['feed', { feedType: 'rss' }, 'RSS'],
    ['feed', { feedType: 'jsonfeed' }, 'JSON Feed'],
    ['feed', {}, null],
    ['scrape', { feedUrl: 'https://acme.example/feed', feedType: 'rss' }, 'RSS'],
    ['scrape', {}, null],
    ['appstore', { appPlatform: 'macos' }, 'macOS'],
    ['appstore', {}, 'iOS'],
    ['video', { videoProvider: 'vimeo' }, 'Vimeo'],
    ['video', {}, null],
    ['github', { feedType: 'atom' }, null],
    ['agent', {}, null],
  ];
  for (const [type, settings, word] of cases) {
    it(`of type ${type} with ${JSON.stringify(settings)} is ${word ?? 'not named'}`, () => {
      const shown = String(platformBadge({ type, metadata: JSON.stringify(settings) }));
      assert.equal(shown, word === null ? '' : `<span class="badge line">${word}</span>`);
    });
  }
});

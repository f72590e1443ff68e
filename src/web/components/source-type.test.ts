import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SourceType } from '../../contract/enums.ts';
import { platformBadge } from './source-type.ts';

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

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { factsOf, SOURCE_TYPES, type SourceType } from './source-types.ts';

const PAGE = 'https://acme.example/changes';
const FOUND = {
  recommendedMethod: 'scrape',
  recommendedUrl: PAGE,
  finalUrl: PAGE,
  feedUrl: null,
  feedType: null,
  appStore: null,
  video: null,
};
const FEED = { feedUrl: 'https://acme.example/feed.xml', feedType: 'rss' };
const APP = { appId: '7', platform: 'ios', storefront: 'de', iconUrl: null };

describe('what creates a source after an evaluation', () => {
  const table: [SourceType, Partial<Parameters<ReturnType<typeof factsOf>['creation']>[0]>, object][] = [
    ['scrape', {}, {}],
    [
      'scrape',
      { recommendedMethod: 'markdown', recommendedUrl: `${PAGE}.md` },
      { url: PAGE, metadata: { markdownUrl: `${PAGE}.md` } },
    ],
    ['feed', { recommendedMethod: 'feed', recommendedUrl: FEED.feedUrl, ...FEED }, { url: PAGE, metadata: FEED }],
    [
      'appstore',
      { appStore: APP },
      { metadata: { appId: '7', appPlatform: 'ios', appStorefront: 'de', appIconUrl: null } },
    ],
    [
      'video',
      { video: { provider: 'vimeo', feedUrl: 'https://videos.example/rss' } },
      { metadata: { videoProvider: 'vimeo', videoFeed: 'https://videos.example/rss' } },
    ],
  ];
  for (const [type, found, expected] of table) {
    it(`is, for ${type} ${JSON.stringify(found)}, ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(factsOf(type).creation({ ...FOUND, ...found }), expected);
    });
  }

  it('is the recommended address alone where nothing was found beside it', () => {
    for (const type of SOURCE_TYPES.filter((one) => one !== 'feed')) {
      assert.deepEqual(factsOf(type).creation(FOUND), {});
    }
  });
});

import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { forEachEngine } from '../../test/support/engines.ts';
import type { Context } from '../context.ts';
import { find, index, indexable } from './test-support.ts';

const ORG = 'org_bbbbbbbbbbbbbbbbbbbbb';
const PRODUCT = 'prod_cccccccccccccccccccc1';
const SOURCE = 'src_ddddddddddddddddddddd';

// Numbers are keys; each release is named by what it is there for.
const NOTES: Record<number, string> = {
  1: 'Upgrade to v1.0.21 now.',
  2: 'Upgrade to 1.0.210, 11.0.21 or 1.0.2.',
  3: 'Fixes CVE-2024-12345.',
  4: 'Fixes CVE-2024-123456.',
  5: 'Moved to `@scope/pkg`.',
  6: 'The scope of each pkg.',
  7: 'Call foo.bar() first.',
  8: 'foo and bar are apart, foo bar too.',
  9: 'No more ERR_MODULE_NOT_FOUND.',
  10: 'err module not found',
  11: 'Works with react-dom.',
  12: 'Works with React DOM.',
  13: 'React renders to the DOM.',
  14: 'The cache is cached by caching.',
  15: 'New webhooks, and one webhook.',
  16: 'Added dark mode for configuration pages.',
  17: 'Dark is the new mode.',
  18: 'Bump @scope/pkg@3.2.1-beta.4 (#4711), use --watch.',
  19: 'Überarbeitete Menüs, naïve cafés, Ｆｕｌｌwidth.',
  20: 'See https://example.com/foo.baz?x=one.two for more.',
  21: 'typescript (ts), don\u2019t',
};

const QUERIES: [string, number[]][] = [
  ['1.0.21', [1]],
  ['v1.0.21', [1]],
  ['V1.0.21', [1]],
  ['(1.0.21),', [1]],
  ['1.0.210', [2]],
  ['CVE-2024-12345', [3]],
  ['cve-2024-12345', [3]],
  ['CVE-2024-123456', [4]],
  ['@scope/pkg', [18, 5]],
  ['@scope/pkg@3.2.1-beta.4', [18]],
  ['3.2.1-beta.4', [18]],
  ['#4711', [18]],
  ['--watch', [18]],
  ['scope', [18, 6, 5]],
  ['foo.bar()', [7]],
  ['foo.bar', [7]],
  ['foo bar', [8, 7]],
  ['"foo bar"', [8, 7]],
  ['ERR_MODULE_NOT_FOUND', [9]],
  ['err module not found', [10, 9]],
  ['react-dom', [12, 11]],
  ['React-DOM', [12, 11]],
  ['react dom', [13, 12, 11]],
  ['cache', [14]],
  ['caching', [14]],
  ['Cached', [14]],
  ['webho', [15]],
  ['webhook', [15]],
  ['WEBHOOKS', [15]],
  ['webho new', []],
  ['we', []],
  ['dark mode', [17, 16]],
  ['"dark mode"', [16]],
  ['add', [16]],
  ['adding', [16]],
  ['configurat', [16]],
  ['conf', [16]],
  ['configure pages', [16]],
  ['uberarbeitet', [19]],
  ['ÜBERARBEITETE', [19]],
  ['naive', [19]],
  ['cafés', [19]],
  ['fullwidth', [19]],
  ['example', [20]],
  ['foo.baz', []],
  ['https://example.com/foo.baz', [20]],
  ["don't", [21]],
  ['ts', [21]],
  ['dark | mode', [17, 16]],
  ['dark OR webhook', []],
];

forEachEngine('the q of a feed', (engine) => {
  let ctx: Context;
  before(async () => {
    ({ ctx } = await engine.openTestApp());
    await index(
      ctx,
      Object.entries(NOTES).map(([key, content]) => indexable({ doc_key: Number(key), content })),
    );
  });

  for (const [q, keys] of QUERIES) {
    it(`${q} finds ${keys.join(', ') || 'nothing'}`, async () => assert.deepEqual(await find(ctx, q), keys));
  }

  it('finds by a prefix of the last word only, and of three letters at least', async () => {
    assert.deepEqual(await find(ctx, 'new webho'), [15]);
    assert.deepEqual(await find(ctx, '"webho"'), []);
  });
});

forEachEngine('the scope of a feed search', (engine) => {
  let ctx: Context;
  before(async () => {
    ({ ctx } = await engine.openTestApp());
    await index(ctx, [
      indexable({ doc_key: 1, title: 'needle' }),
      indexable({ doc_key: 2, title: 'needle', org_id: ORG, product_id: PRODUCT, source_id: SOURCE }),
      indexable({ doc_key: 3, title: 'needle', org_id: ORG, effective_category: 'ai' }),
      indexable({ doc_key: 4, title: 'needle', prerelease: 1 }),
      indexable({ doc_key: 5, title: 'needle', listing: 1 }),
      indexable({ doc_key: 6, title: 'needle', published_at: null }),
      indexable({ doc_key: 7, summary: 'needle' }),
      indexable({ doc_key: 8, title: 'hay', content: 'category:ai pre undated \ue0feundated\ue0ff needle' }),
      indexable({ doc_key: 9, productName: 'Needle Studio', package_part: 'needle-core', version: '4.5' }),
      indexable({ doc_key: 10, title: 'Plain', title_generated: 'The needle', version: 'v16' }),
      indexable({ doc_key: 11, title: 'Some', version: 'pkg-v15.0.3', content: 'built on 2.115.0' }),
    ]);
  });

  const cases: [string, Parameters<typeof find>[2], number[]][] = [
    ['everything listed and dated', {}, [10, 9, 8, 3, 2, 1]],
    ['one org', { scope: { org: ORG } }, [3, 2]],
    ['one product', { scope: { product: PRODUCT } }, [2]],
    ['one source', { scope: { source: SOURCE } }, [2]],
    ['one category', { scope: { category: 'ai' } }, [3]],
    ['an unknown org', { scope: { org: 'org_x' } }, []],
    ['pre-releases too', { includePrereleases: true }, [10, 9, 8, 4, 3, 2, 1]],
    ['coverage too', { includeCoverage: true }, [10, 9, 8, 5, 3, 2, 1]],
    ['undated rows alone', { dates: 'undated' }, [6]],
    ['a key range, both ends included', { minKey: 2, maxKey: 8 }, [8, 3, 2]],
    ['the newest two', { limit: 2 }, [10, 9]],
  ];
  for (const [name, match, keys] of cases) {
    it(name, async () => assert.deepEqual(await find(ctx, 'needle', match), keys));
  }

  it('finds own versions by their series', async () => {
    assert.deepEqual(await find(ctx, '15.0'), [11]);
    assert.deepEqual(await find(ctx, '15'), [11]);
    assert.deepEqual(await find(ctx, 'v16'), [10]);
    assert.deepEqual(await find(ctx, '4.5'), [9]);
    assert.deepEqual(await find(ctx, '15.0.3'), [11]);
    assert.deepEqual(await find(ctx, '5.0'), []);
    assert.deepEqual(await find(ctx, '2.115'), []);
  });
});

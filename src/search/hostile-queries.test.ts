// Whatever is typed into a feed or a search is plain words: it raises nothing and reaches nothing that is out of reach.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../test/support/any-character.ts';
import { movableClock } from '../../test/support/clock.ts';
import { forEachEngine } from '../../test/support/engines.ts';
import type { Context } from '../context.ts';
import { askChunks, askReleases, NOW, publish, search } from './lexical/test-support.ts';
import { find, index, indexable } from './test-support.ts';

const NOTHING_TO_LOOK_FOR = [
  '',
  '   ',
  '"',
  '""',
  '" "',
  '*',
  '!!!',
  '()',
  '&|!<->',
  '\\',
  "'",
  "''",
  '--',
  '\u0000',
  '\u0000\u0001\u001f',
  '\ud83d\ude80\ud83c\udf89',
  '\ud800',
  '\udc00\ud800',
  '\ue0fe\ue0ff',
  '\u0301',
  '\u200b\u200d\ufe0f',
];

const PLAIN_WORDS = [
  'needle"',
  '"needle',
  '"needle"',
  'needle*',
  '*needle',
  '^needle',
  'needle)',
  '(needle',
  '{needle}',
  "needle'",
  "'needle",
  'needle\\',
  '\\needle',
  'needle:*',
  '!needle',
  'needle!',
  '-needle',
  '+needle',
  'needle;',
  'needle AND',
  'needle OR',
  'needle NOT',
  'needle & !',
  'needle | *',
  "needle '; drop",
  'needle NEAR(',
  'needle\u0000drop',
  'needle \u0007',
  'needle \ud83d\ude80',
  'needle\ud800',
  '\ue0feneedle\ue0ff',
  'n\u0065\u0301edle',
  '\uff2eEEDLE',
];

const PIECE = fc.constantFrom(
  ...'"\'\\()*:!&|<>-+^~{}[]@#._/% ',
  'a',
  '1',
  'needle',
  'NOT',
  '\u0000',
  '\ud800',
  '\ue0ff',
);
const TYPED = fc.oneof(fc.string({ unit: PIECE, maxLength: 60 }), fc.string({ unit: anyCharacter, maxLength: 60 }));

const FILTER = { includePrereleases: false, includeCoverage: false };

forEachEngine('hostile feed queries', (engine) => {
  let ctx: Context;
  before(async () => {
    ({ ctx } = await engine.openTestApp());
    await index(ctx, [
      indexable({ doc_key: 1, title: 'needle', content: 'and or not near drop' }),
      indexable({ doc_key: 2, title: 'hay', content: 'pre undated', prerelease: 1 }),
    ]);
  });

  for (const q of NOTHING_TO_LOOK_FOR) {
    it(`${JSON.stringify(q)} finds nothing`, async () => assert.deepEqual(await find(ctx, q), []));
  }

  for (const q of PLAIN_WORDS) {
    it(`${JSON.stringify(q)} is plain words`, async () => assert.deepEqual(await find(ctx, q), [1]));
  }

  const syntax = [
    'foo:bar "x',
    'title:needle',
    'title : needle',
    '{title content}:hay',
    'NEAR(needle hay, 5)',
    'needle AND hay',
    'hay NOT needle',
    "needle' | 'hay",
    'needle:A | hay:D',
    'needle <-> hay',
    'hay OR 1=1',
    "') OR release_fts MATCH ('hay",
    "'; DROP TABLE release_search; --",
    'release_fts',
    '\ue0fepre\ue0ff',
    'a '.repeat(100),
    'a'.repeat(200),
    '"a" '.repeat(50),
    '('.repeat(200),
    '"'.repeat(200),
    'a.'.repeat(100),
    '\u4e2d'.repeat(200),
    '\ufdfa'.repeat(200),
    'x'.repeat(300),
  ];
  for (const q of syntax) {
    it(`${JSON.stringify(q.slice(0, 40))} reaches no other release`, async () => {
      assert.deepEqual(await find(ctx, q), []);
    });
  }

  it('never raise, whatever is typed', async () => {
    await fc.assert(
      fc.asyncProperty(TYPED, async (q) => {
        for (const key of await find(ctx, q)) assert.equal(key, 1);
      }),
      { numRuns: 300 },
    );
  });
});

forEachEngine('hostile searches', (engine) => {
  let ctx: Context;
  before(async () => {
    ({ ctx } = await engine.openTestApp({ clock: movableClock(NOW) }));
    await publish(ctx, [
      { title: 'needle', content: 'and or not near drop table' },
      { title: 'secret', content: 'unseen', prerelease: true, version: '1.0.0-rc.1' },
    ]);
  });

  const queries = [
    'needle" OR "unseen',
    "needle' OR 'unseen",
    'title:needle',
    '{title} : needle',
    'NEAR(needle unseen, 5)',
    "'; DROP TABLE releases; --",
    "') OR release_fts MATCH ('unseen",
    'needle:A | unseen:D',
    'needle <-> unseen',
    '\ue0fepre\ue0ff',
    '\u0000',
    '\ud800\udc00 \udc00',
    '\ud83d\ude80'.repeat(100),
    'needle '.repeat(2_000),
    'a'.repeat(10_000),
    '('.repeat(10_000),
    '"'.repeat(10_001),
    '\ufdfa'.repeat(5_000),
    'a.'.repeat(5_000),
    '%_%\\',
    '__proto__ constructor toString',
  ];
  for (const q of queries) {
    it(`${JSON.stringify(q.slice(0, 40))} reaches nothing that is out of reach`, async () => {
      for (const { title } of await search(ctx, q)) assert.equal(title, 'needle');
      await askChunks(ctx, { q, filter: FILTER });
    });
  }

  it('never raise, whatever is typed', async () => {
    await fc.assert(
      fc.asyncProperty(TYPED, async (q) => {
        const { hits } = await askReleases(ctx, { q, filter: FILTER });
        assert.ok(hits.length <= 1);
        await askChunks(ctx, { q, filter: FILTER });
      }),
      { numRuns: 150 },
    );
  });
});

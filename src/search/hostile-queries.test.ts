import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../test/support/any-character.ts';
import { forEachEngine } from '../../test/support/engines.ts';
import type { Context } from '../context.ts';
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
    const piece = fc.constantFrom(
      ...'"\'\\()*:!&|<>-+^~{}[]@#._/ ',
      'a',
      '1',
      'needle',
      'NOT',
      '\u0000',
      '\ud800',
      '\ue0ff',
    );
    const typed = fc.oneof(fc.string({ unit: piece, maxLength: 60 }), fc.string({ unit: anyCharacter, maxLength: 60 }));
    await fc.assert(
      fc.asyncProperty(typed, async (q) => {
        for (const key of await find(ctx, q)) assert.equal(key, 1);
      }),
      { numRuns: 300 },
    );
  });
});

import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import type { Context } from '../../context.ts';
import { askChunks, askReleases, NOW, publish, search } from './test-support.ts';

const FILTER = { includePrereleases: false, includeCoverage: false };

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
    const piece = fc.constantFrom(
      ...'"\'\\()*:!&|<>-+^~{}[]@#._/% ',
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
        const { hits } = await askReleases(ctx, { q, filter: FILTER });
        assert.ok(hits.length <= 1);
        await askChunks(ctx, { q, filter: FILTER });
      }),
      { numRuns: 150 },
    );
  });
});

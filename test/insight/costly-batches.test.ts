// What a batch costs is known before it starts, equal questions are one, and work for a client that has gone ends.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { ClientGone, type Context } from '../../src/context.ts';
import { countVersions } from '../../src/entities/packages/version-spans.ts';
import { whatsChanged, whatsChangedBatch, whatsChangedOfAll } from '../../src/packages/whats-changed/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { statements } from '../support/statements.ts';
import { numbered, publishLargePackage } from './large-package.ts';

const NAME = 'large';
const VERSIONS = 5_000;

forEachEngine('a batch about very many versions', (engine) => {
  let ctx: Context;

  before(async () => {
    ({ ctx } = await engine.openTestApp());
    await publishLargePackage(ctx, NAME, VERSIONS);
  });

  const items = Array.from({ length: 100 }, (_, index) => {
    return { package: NAME, ecosystem: 'npm' as const, from: numbered(index + 1), to: numbered(VERSIONS) };
  });

  it('answers as many ranges as it may, and says of the others to ask again', async () => {
    const seen = await statements(ctx, async (watched) => {
      const { items: answers } = await whatsChangedBatch(watched, { items });
      const refused = answers.filter((answer) => 'error' in answer);
      assert.deepEqual([answers.length - refused.length, refused.length], [30, 70]);
      for (const one of refused) {
        assert.equal(one.error.code, 'payload_too_large');
        assert.match(one.error.message, /ask this one again, with fewer others/);
      }
    });
    const rows = seen.map((query) => query.rows);
    assert.ok(Math.max(...rows) <= 2_000, `${Math.max(...rows)} rows at once`);
    assert.ok(rows.reduce((sum, count) => sum + count, 0) <= 4 * VERSIONS);
  });

  it('equal questions count once', async () => {
    const [first] = items;
    const { items: answers } = await whatsChangedBatch(ctx, { items: items.flatMap(() => first ?? []) });
    assert.ok(answers.every((answer) => 'history' in answer && answer.history?.published === VERSIONS - 1));
  });

  it('who cannot ask again has all answered', async () => {
    const answers = await whatsChangedOfAll(ctx, items.slice(0, 34));
    assert.deepEqual(
      answers.map((answer) => ('history' in answer ? answer.history?.published : answer)),
      items.slice(0, 34).map((_, index) => VERSIONS - 1 - index),
    );
  });

  it('a span is read in parts that meet', async () => {
    const answer = await whatsChanged(ctx, {
      package: NAME,
      ecosystem: 'npm',
      from: numbered(1),
      to: numbered(VERSIONS),
    });
    assert.equal(answer.history?.published, VERSIONS - 1);
    const [count] = await countVersions(ctx, [{ ecosystem: 'npm', name: NAME, after: '', upTo: '\u007f' }]);
    assert.equal(count, VERSIONS);
  });

  it('nothing more is read for a client that has gone', async () => {
    let reads = 0;
    const seen = await statements({ ...ctx, isAbandoned: () => ++reads > 3 }, (watched) =>
      assert.rejects(whatsChangedBatch(watched, { items }), ClientGone),
    );
    assert.equal(seen.length, 3);
  });
});

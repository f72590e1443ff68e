// The work of an upgrade answer is bounded: ranges are counted in the version index, texts are read only where they are
// shown, and a hundred upgrades do not take hundreds of statements.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { sql } from 'kysely';
import type { Context } from '../../src/context.ts';
import { whatsChanged, whatsChangedBatch } from '../../src/packages/whats-changed/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { plan, statements } from '../support/statements.ts';

forEachEngine('the work behind an upgrade', (engine) => {
  let ctx: Context;
  const sources: { id: string; slug: string }[] = [];

  before(async () => {
    ({ ctx } = await engine.openTestApp());
    const { id: orgId } = await createOrg(ctx);
    for (let number = 0; number < 4; number += 1) {
      const source = await createSource(ctx, { orgId });
      sources.push(source);
      const rows = Array.from({ length: 400 }, (_, index) => {
        const version = `${number % 2 === 0 ? '' : `pkg${index % 3}@`}${Math.floor(index / 20)}.${index % 20}.0`;
        return releaseRow(version, { url: `https://releases.example/${source.id}/${version}` });
      });
      await postReleases(ctx, source.id, rows, { silent: true });
    }
    await ctx.store.transaction((tx) => sql`ANALYZE`.execute(tx), 'bookkeeping');
  });

  it('every statement on releases walks an index, and counting reads nothing else', async () => {
    const ranges = [
      { package: sources[0]?.slug ?? '', from: '1.0.0', to: '9.0.0' },
      { package: sources[1]?.slug ?? '', from: 'pkg1@1.0.0', to: 'latest' },
      { package: sources[0]?.slug ?? '', from: '50.0.0', to: '60.0.0' },
    ];
    for (const requested of ranges) {
      const seen = await statements(ctx, (watched) => whatsChanged(watched, requested));
      const onReleases = seen.filter(({ sql: text }) => /\breleases\b/.test(text));
      assert.ok(onReleases.length > 0);
      for (const query of onReleases) {
        const reported = await plan(ctx, query, { asIfLarge: true });
        assert.doesNotMatch(reported, /SCAN (?:r|releases)\b|Seq Scan on releases/, `${query.sql}\n${reported}`);
        assert.doesNotMatch(query.sql.replace(/substr\("?content"?, 1, \d+\)/g, ''), /"content"/, query.sql);
      }
      const counting = onReleases.filter(({ sql: text }) => /group by/i.test(text));
      for (const query of counting) {
        const reported = await plan(ctx, query, { asIfLarge: true });
        assert.match(
          reported,
          /COVERING INDEX releases_by_version|(?:Index Only|Bitmap Index) Scan.*releases_by_version/,
          reported,
        );
      }
    }
  });

  it('a hundred questions take few statements', async () => {
    const ask = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        package: index % 3 === 2 ? `unknown-${index}` : (sources[index % sources.length]?.slug ?? ''),
        from: `pkg1@${index % 10}.0.0`,
        to: index % 2 === 0 ? `pkg1@${(index % 10) + 3}.0.0` : 'latest',
      }));

    const few = await statements(ctx, (watched) => whatsChangedBatch(watched, { items: ask(3) }));
    const many = await statements(ctx, (watched) => whatsChangedBatch(watched, { items: ask(100) }));

    assert.ok(few.length <= 13, `${few.length} statements`);
    assert.ok(many.length <= 30, `${many.length} statements after ${few.length}`);
  });
});

// What stands beside a version is found in the index of versions, whatever a source has: no statement sorts its versions.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { sql } from 'kysely';
import { forEachEngine } from '../../test/support/engines.ts';
import { createSource, postReleases, releaseRow } from '../../test/support/factories.ts';
import { plan, statements } from '../../test/support/statements.ts';
import type { Context } from '../context.ts';
import { resolveSource } from '../entities/resolve.ts';
import { whatsChanged } from '../packages/whats-changed/index.ts';
import { releaseNeighbours } from './neighbours.ts';
import { StableVersions } from './stable-versions.ts';
import { versionFields, versionPatterns } from './versions.ts';

const SORT = /^[ >-]*(?:Incremental )?Sort {2}|TEMP B-TREE FOR ORDER BY/gm;

forEachEngine('versions in the order of their index', (engine) => {
  let ctx: Context;
  let src: string;
  let slug: string;

  before(async () => {
    ({ ctx } = await engine.openTestApp());
    ({ id: src, slug } = await createSource(ctx));
    const rows = Array.from({ length: 400 }, (_, index) => releaseRow(`${Math.floor(index / 20)}.${index % 20}.0`));
    await postReleases(ctx, src, rows, { silent: true });
    await ctx.store.transaction((tx) => sql`ANALYZE`.execute(tx), 'bookkeeping');
  });

  async function sorts(read: (watched: Context) => Promise<unknown>): Promise<number[]> {
    const seen = await statements(ctx, read);
    const ofVersions = seen.filter(({ sql: text }) => /version_sort/.test(text) && /limit 1\b/i.test(text));
    assert.ok(ofVersions.length > 0);
    const plans: number[] = [];
    for (const query of ofVersions) {
      plans.push((await plan(ctx, query, { asIfLarge: true })).match(SORT)?.length ?? 0);
    }
    return plans;
  }

  it('the version below a new one', async () => {
    const { source } = await resolveSource(ctx, { src });
    const version = versionFields({ version: '7.7.1', prerelease: undefined }, versionPatterns(source));

    const found = await sorts(async (watched) => {
      const { previous } = await new StableVersions(watched, source).before(version);
      assert.deepEqual(previous?.numbers.map(Number), [7, 7, 0]);
    });

    assert.deepEqual(found, [0]);
  });

  it('the releases beside another; only those three are sorted', async () => {
    const place = await ctx.store.read
      .selectFrom('releases')
      .selectAll()
      .where('version', '=', '7.7.0')
      .executeTakeFirstOrThrow();

    const found = await sorts(async (watched) => {
      const { previous, next, newest } = await releaseNeighbours(watched, place);
      assert.deepEqual([previous?.version, next?.version, newest?.version], ['7.6.0', '7.8.0', '19.19.0']);
    });

    assert.deepEqual(found, [1]);
  });

  it('the first and last version of an upgrade', async () => {
    const found = await sorts((watched) => whatsChanged(watched, { package: slug, from: '7.7.0', to: '7.9.0' }));

    assert.deepEqual(new Set(found), new Set([0]));
  });

  it('a batch among stored versions finds the same as each of its versions alone', async () => {
    const { id } = await createSource(ctx);
    const stored = ['1.0.0', '1.2.0', '2.0.0', '3.0.0-beta.1', 'kit@1.0.0', 'kit@1.5.0'];
    await postReleases(
      ctx,
      id,
      stored.map((version) => releaseRow(version)),
    );
    const { source } = await resolveSource(ctx, { src: id });
    const patterns = versionPatterns(source);
    const added = [
      '0.9.0',
      '1.0.1',
      '1.3.0',
      '2.0.1',
      '3.0.0-beta.2',
      '3.0.0',
      '4.0.0',
      'kit@1.0.1',
      'kit@2.0.0',
      'cli@1.0.0',
    ];
    const batch = added.map((version) => versionFields({ version, prerelease: undefined }, patterns));

    const together = new StableVersions(ctx, source, batch);
    await together.load();
    const alone = new StableVersions(ctx, source, batch);
    const [bases, expected] = await Promise.all(
      [together, alone].map((versions) => Promise.all(batch.map((version) => versions.before(version)))),
    );

    assert.deepEqual(bases, expected);
    assert.deepEqual(
      bases?.map(
        ({ previous, continues }) => `${previous?.numbers.join('.') ?? 'none'}${continues ? ' continued' : ''}`,
      ),
      ['none', '1.0.0', '1.2.0', '2.0.0', '2.0.1 continued', '2.0.1', '3.0.0', '1.0.0', '1.5.0', 'none'],
    );
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { type Context, plainAnswer, transact } from '../../context.ts';
import { ANONYMOUS, type Caller } from '../../contract/caller.ts';
import type { ListedVersion, PackageListing } from '../../domain/published-package.ts';
import { putPackage } from '../../entities/packages/put.ts';
import { packageViewer, seenPackage, seenPackages } from '../../entities/packages/viewer.ts';
import { storeListing } from './store-listing.ts';

function listed(version: string, more: Partial<ListedVersion> = {}): ListedVersion {
  const none = { withdrawn: false, withdrawnReason: null, deprecated: null, tarballUrl: null, integrity: null };
  return { version, publishedAt: '2026-02-03T00:00:00.000Z', ...none, ...more };
}

function listing(spelling: string, versions: ListedVersion[], more: Partial<PackageListing> = {}): PackageListing {
  const none = { registry: null, latest: null, repository: null, homepage: null };
  return { ecosystem: 'npm', spelling, ...none, versions, ...more };
}

const store = (ctx: Context, one: PackageListing) => transact(ctx, (ctx) => storeListing(ctx, one));
const as = (ctx: Context, caller: Caller): Context => ({ ...ctx, caller, answer: plainAnswer() });

async function versionsOf(ctx: Context, name: string) {
  const rows = ctx.store.read.selectFrom('package_versions').selectAll().where('name', '=', name);
  return await rows.orderBy('version_sort').execute();
}

forEachEngine('published versions', (engine) => {
  it('stores a listing, marks what has gone and takes it back when it is listed again', async () => {
    const { ctx } = await engine.openTestApp();
    const first = await store(ctx, listing('JSONStream', [listed('1.0.0'), listed('1.1.0'), listed('1.10.0')]));
    const second = await store(
      ctx,
      listing('JSONStream', [listed('1.0.0', { publishedAt: null }), listed('1.10.0', { deprecated: 'Old.' })]),
    );
    assert.deepEqual(first, { inserted: 3, changed: 0, gone: 0 });
    assert.deepEqual(second, { inserted: 0, changed: 2, gone: 1 });
    const rows = await versionsOf(ctx, 'jsonstream');
    assert.deepEqual(
      rows.map((row) => [row.version, row.withdrawn, row.deprecated, row.published_at?.slice(0, 10)]),
      [
        ['1.0.0', 0, null, '2026-02-03'],
        ['1.1.0', 1, null, '2026-02-03'],
        ['1.10.0', 0, 'Old.', '2026-02-03'],
      ],
    );
    const state = await ctx.store.read.selectFrom('package_states').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([state.id, state.spelling, state.outcome], ['npm:jsonstream', 'JSONStream', 'listed']);
    const third = await store(ctx, listing('JSONStream', [listed('1.0.0'), listed('1.1.0'), listed('1.10.0')]));
    assert.deepEqual(third, { inserted: 0, changed: 2, gone: 0 });
  });

  it('is whole or not at all', async () => {
    const { ctx } = await engine.openTestApp();
    await store(ctx, listing('whole', [listed('1.0.0')]));
    const broken = transact(ctx, async (ctx) => {
      await storeListing(ctx, listing('whole', [listed('2.0.0')]));
      throw new Error('the process ends here');
    });
    await assert.rejects(broken, /ends here/);
    const rows = await versionsOf(ctx, 'whole');
    assert.deepEqual(
      rows.map((row) => [row.version, row.withdrawn]),
      [['1.0.0', 0]],
    );
  });

  it('links versions with releases of their part of the repository', async () => {
    const { ctx } = await engine.openTestApp();
    const { id: sourceId } = await createSource(ctx);
    const { insertedIds } = await postReleases(ctx, sourceId, [releaseRow('core@1.0.0'), releaseRow('other@1.1.0')]);
    await putPackage(ctx, { ecosystem: 'npm', name: 'core', sourceId, packagePart: 'core' });
    await store(ctx, listing('core', [listed('1.0.0'), listed('1.1.0')]));
    const rows = await versionsOf(ctx, 'core');
    assert.deepEqual(
      rows.map((row) => [row.version, row.release_id]),
      [
        ['1.0.0', insertedIds[0]],
        ['1.1.0', null],
      ],
    );
  });

  it('shows the scope of a private registry to machines and admitted accounts alone', async () => {
    const { ctx } = await engine.openTestApp({
      env: { REGISTRY_PACKAGE_REGISTRIES: '@acme=https://npm.acme.example' },
    });
    const at = ctx.clock().toISOString();
    await ctx.store.transaction(async (tx) => {
      for (const id of ['user-in', 'user-out']) {
        const user = { id, name: id, email: `${id}@mail.example`, email_verified: 1, created_at: at, updated_at: at };
        await tx
          .insertInto('users')
          .values({ ...user, image: null } as never)
          .execute();
      }
      await tx
        .insertInto('package_admissions')
        .values({ scope: '@acme', user_id: 'user-in', created_at: at })
        .execute();
    }, 'catalog');
    await store(ctx, listing('@acme/forms', [listed('1.0.0')], { registry: '@acme' }));
    await store(ctx, listing('@gone/forms', [listed('1.0.0')], { registry: '@gone' }));
    await store(ctx, listing('@acmexyz/forms', [listed('1.0.0')]));
    const account = (userId: string): Caller => ({
      ...ANONYMOUS,
      kind: 'session',
      account: { userId, id: null, grants: [], expiresAt: null },
    });
    const cases: [Caller, string][] = [
      [ANONYMOUS, '@acmexyz'],
      [account('user-out'), '@acmexyz'],
      [account('user-in'), '@acme @acmexyz'],
      [{ ...ANONYMOUS, kind: 'token', scope: 'read' }, '@acme @gone @acmexyz'],
    ];
    for (const [caller, seen] of cases) {
      const theirs = as(ctx, caller);
      const viewer = await packageViewer(theirs);
      const states = await ctx.store.read.selectFrom('package_states').select(['ecosystem', 'name']).execute();
      const rows = theirs.store.read.selectFrom('package_states as p').select('p.name').orderBy('p.name');
      const inQuery = await rows.where(seenPackage(viewer.hidden, 'p')).execute();
      const expected = seen
        .split(' ')
        .map((scope) => `${scope}/forms`)
        .sort();
      const names = seenPackages(theirs, viewer, states).map(({ name }) => name);
      assert.deepEqual(names.sort(), expected, caller.kind);
      assert.deepEqual(
        inQuery.map(({ name }) => name),
        expected,
        caller.kind,
      );
      assert.equal(theirs.answer.containsHidden, seen.includes('@acme '), caller.kind);
    }
  });
});

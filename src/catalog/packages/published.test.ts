import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { type Context, plainAnswer, transact } from '../../context.ts';
import { ANONYMOUS, type Caller } from '../../contract/caller.ts';
import type { ListedVersion, PackageListing } from '../../domain/published-package.ts';
import { putPackage } from './put.ts';
import { readPackages, readVersions } from './read-published.ts';
import { storeListing } from './store-listing.ts';
import { packageViewer } from './viewer.ts';

function listed(version: string, more: Partial<ListedVersion> = {}): ListedVersion {
  const none = { withdrawn: false, withdrawnReason: null, deprecated: null, tarballUrl: null, integrity: null };
  return { version, publishedAt: '2026-02-03T00:00:00.000Z', ...none, ...more };
}

function listing(spelling: string, versions: ListedVersion[], more: Partial<PackageListing> = {}): PackageListing {
  const none = { registry: null, latest: null, repository: null, homepage: null };
  return { ecosystem: 'npm', spelling, ...none, versions, ...more };
}

const store = (ctx: Context, one: PackageListing) => transact(ctx, (ctx) => storeListing(ctx, one));
const npm = (name: string, from: string | null = null, to: string | null = null) => ({
  ecosystem: 'npm' as const,
  name,
  from,
  to,
});
const as = (ctx: Context, caller: Caller): Context => ({ ...ctx, caller, answer: plainAnswer() });

async function versionsOf(ctx: Context, name: string) {
  const found = await readVersions(ctx, await packageViewer(ctx), [npm(name)]);
  return found.get(`npm:${name}`) ?? [];
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
      rows.map((row) => [row.version, row.withdrawn, row.deprecated, row.publishedAt?.slice(0, 10)]),
      [
        ['1.0.0', false, null, '2026-02-03'],
        ['1.1.0', true, null, '2026-02-03'],
        ['1.10.0', false, 'Old.', '2026-02-03'],
      ],
    );
    const viewer = await packageViewer(ctx);
    const state = (await readPackages(ctx, viewer, [npm('jsonstream')])).get('npm:jsonstream');
    assert.deepEqual([state?.spelling, state?.outcome, state?.isCurrent], ['JSONStream', 'listed', true]);
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
      [['1.0.0', false]],
    );
  });

  it('links versions with releases of their part of the repository, whose dates count more', async () => {
    const { ctx } = await engine.openTestApp();
    const { id: sourceId } = await createSource(ctx);
    const { insertedIds } = await postReleases(ctx, sourceId, [
      releaseRow('core@1.0.0'),
      releaseRow('other@1.1.0'),
      releaseRow('core@1.2.0', { content: '' }),
    ]);
    await putPackage(ctx, { ecosystem: 'npm', name: 'core', sourceId, packagePart: 'core' });
    await store(ctx, listing('core', [listed('1.0.0'), listed('1.1.0'), listed('1.2.0')]));
    const rows = await versionsOf(ctx, 'core');
    assert.deepEqual(
      rows.map((row) => [row.version, row.releaseId, row.noted, row.publishedAt?.slice(0, 10)]),
      [
        ['1.0.0', insertedIds[0], true, '2026-01-02'],
        ['1.1.0', null, false, '2026-02-03'],
        ['1.2.0', insertedIds[2], false, '2026-01-02'],
      ],
    );
  });

  it('reads ranges of many packages with one query', async () => {
    const { ctx } = await engine.openTestApp();
    for (const name of ['one', 'two', '@acme/three']) {
      await store(ctx, listing(name, [listed('1.0.0'), listed('1.9.0'), listed('1.10.0'), listed('latest-build')]));
    }
    const sorts = new Map((await versionsOf(ctx, 'one')).map((row) => [row.version, row.versionSort]));
    const from = sorts.get('1.9.0') ?? null;
    const viewer = await packageViewer(ctx);
    const found = await readVersions(ctx, viewer, [
      npm('one', from),
      npm('two', null, from),
      npm('@acme/three'),
      npm('no'),
    ]);
    assert.deepEqual(
      [...found].map(([key, rows]) => [key, rows.map((row) => row.version).join(' ')]),
      [
        ['npm:@acme/three', 'latest-build 1.0.0 1.9.0 1.10.0'],
        ['npm:one', '1.9.0 1.10.0'],
        ['npm:two', '1.0.0 1.9.0'],
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
      const asked = ['@acme', '@gone', '@acmexyz'].map((scope) => npm(`${scope}/forms`));
      const states = await readPackages(theirs, viewer, asked);
      const versions = await readVersions(theirs, viewer, asked);
      const expected = seen
        .split(' ')
        .map((scope) => `npm:${scope}/forms`)
        .sort();
      assert.deepEqual([...states.keys()].sort(), expected, caller.kind);
      assert.deepEqual([...versions.keys()].sort(), expected, caller.kind);
      assert.equal(theirs.answer.containsHidden, seen.includes('@acme '), caller.kind);
    }
  });
});

// What is corrected, suppressed, hidden or deleted shows in stacks with the next look of the worker, seconds later.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onBehalfOf } from '../../src/accounts/on-behalf-of.ts';
import { createStackFeed } from '../../src/accounts/stacks/feed-token.ts';
import { judgeStale } from '../../src/accounts/stacks/judge-stale.ts';
import { MAINTENANCE } from '../../src/worker/maintenance.ts';
import { openUpgradeWorld } from '../insight/upgrade-world.ts';
import { signUp } from '../support/accounts.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { plan, statements } from '../support/statements.ts';

const signal = new AbortController().signal;
const NEWS = '### Breaking changes\n- `sealedWord` was removed.';

forEachEngine('stacks after a change', (engine) => {
  it('tell what everything else tells', async () => {
    const clock = movableClock('2026-03-20T12:00:00.000Z');
    const world = await openUpgradeWorld(engine, { clock });
    const { ctx, service } = world;
    const { root } = service;
    const account = await signUp(service);
    const owner = onBehalfOf(ctx, account.id);
    const made: { source: string; release: string; map: string }[] = [];
    const kinds = ['correct', 'suppress', 'hide', 'delete', 'erase', 'remap', 'unmap', 'move'] as const;
    for (const kind of kinds) {
      const { id: source } = await world.fill([
        { version: '1.0.0', content: 'First.' },
        { version: '2.0.0', content: NEWS },
      ]);
      const map = (await root.put('/v1/packages', { ecosystem: 'pypi', name: kind, sourceId: source })).body.id;
      const rows = ctx.store.read.selectFrom('releases').select('id').where('source_id', '=', source);
      const release = await rows.where('version', '=', '2.0.0').executeTakeFirstOrThrow();
      made.push({ source, release: release.id, map });
    }
    const other = await world.fill([{ version: '1.0.0', content: 'First.' }]);
    const packages = kinds.map((name) => ({ ecosystem: 'pypi', package: name, version: '1.0.0' }));
    assert.equal((await account.session.put('/v1/me/stacks/web', { packages })).status, 201);
    const token = (await createStackFeed(owner, { name: 'web' })).feedUrl.split('/').at(-1);
    await judgeStale(ctx, { signal });
    const report = async () => {
      const { rows } = (await account.session.get('/v1/me/stacks/web/report')).body;
      return new Map(rows.map((row: { package: string }) => [row.package, row]));
    };
    const telling = async () =>
      [...(await report())].filter(([, row]) => JSON.stringify(row).includes('sealedWord')).map(([name]) => name);
    assert.deepEqual((await telling()).sort(), [...kinds].sort());

    clock.move(1000);
    const of = (kind: (typeof kinds)[number]) => made[kinds.indexOf(kind)] ?? { source: '', release: '', map: '' };
    const answers = [
      await root.patch(`/v1/releases/${of('correct').release}`, { content: 'Nothing of note.', breaking: 'none' }),
      await root.post(`/v1/releases/${of('suppress').release}/suppress`, { reason: 'wrong' }),
      await root.patch(`/v1/sources/${of('hide').source}`, { isHidden: true }),
      await root.delete(`/v1/releases/${of('delete').release}`),
      await root.delete(`/v1/sources/${of('erase').source}?hard=true`),
      await root.put('/v1/packages', { ecosystem: 'pypi', name: 'remap', sourceId: other.id }),
      await root.delete(`/v1/packages/${of('unmap').map}`),
      await root.delete(`/v1/sources/${of('move').source}`),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status < 300),
      kinds.map(() => true),
      answers.map(({ text }) => text.slice(0, 200)).join('\n'),
    );
    clock.move(2000);
    const watch = MAINTENANCE.find(({ name }) => name === 'stack-changes');
    assert.ok(watch && watch.everyMs <= 4000, 'it looks every few seconds');
    await watch.run(ctx, signal);

    assert.deepEqual(await telling(), []);
    const feed = await service.anonymous.get(`/v1/feed/stack/${token}`);
    assert.equal(feed.status, 200);
    assert.doesNotMatch(feed.text, /sealedWord/);
  });

  it('are found by the time of the change, not by reading all packages of all stacks', async () => {
    const { ctx } = await engine.openTestApp();
    const asked = await statements(ctx, (watched) => judgeStale(watched, { signal, since: ctx.clock() }));
    const changes = asked.filter(({ sql }) => sql.includes('changed_at'));
    assert.equal(changes.length, 1);
    for (const query of changes) {
      const told = await plan(ctx, query, { asIfLarge: true });
      assert.doesNotMatch(
        told,
        /SCAN [fmpk]\b|Seq Scan on (?:stack_packages|packages|source_figures|package_states)/,
        told,
      );
    }
  });
});

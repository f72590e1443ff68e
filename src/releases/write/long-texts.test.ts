import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import { type Context, queries, transact } from '../../context.ts';
import { elementAt } from '../../domain/records.ts';
import { rederiveReleases } from '../../insight/rederivation/rederive-releases.ts';
import { pooledTasks } from '../../threads/documents.ts';
import { storeChangelogFile } from '../changelog-files/store-file.ts';
import { fillBody } from './fill-body.ts';
import { patchRelease } from './patch.ts';
import { writeReleases } from './write-batch.ts';

// Counts the tasks of other threads.
function watched(real: Context) {
  let before = pooledTasks();
  const tasks = () => {
    const count = pooledTasks() - before;
    before += count;
    return count;
  };
  // Tasks that a transaction waited for.
  let waitedFor = 0;
  const transaction: Context['store']['transaction'] = (work, kind) =>
    real.store.transaction(async (tx) => {
      const begun = pooledTasks();
      const result = await work(tx);
      waitedFor += pooledTasks() - begun;
      return result;
    }, kind);
  const store = { ...real.store, transaction };
  return { ctx: { ...real, store }, tasks, waitedFor: () => waitedFor };
}

const FILLER = '- Fixed the `thing` that broke\n'.repeat(300);
const ROWS = [
  { version: '1.0.0', content: `## Features\n- Added a lid\n${FILLER}` },
  { version: '1.1.0', content: `## Breaking changes\n- Removed \`open()\`, use \`lift()\` instead\n${FILLER}` },
  { version: '2.0.0', content: `The second one.\n\n${FILLER}` },
  { version: '2.0.1-rc.1', content: 'Short' },
].map((row) => ({ title: row.version, url: `https://acme.example/r/${row.version}`, ...row }));
const LONG = 3;

const COLUMNS = [
  'version',
  'summary',
  'title_short',
  'title_generated',
  'breaking',
  'migration_notes',
  'upgrade_steps',
  'importance',
  'composition',
  'type',
  'content_tokens',
] as const;

// Generated titles begin with the name of the source.
async function stored(ctx: Context, src: string) {
  const rows = queries(ctx).selectFrom('releases').select(COLUMNS).where('source_id', '=', src).orderBy('version');
  return (await rows.execute()).map((row) => ({
    ...row,
    title_generated: row.title_generated?.replace(/^Source \d+/, ''),
  }));
}

async function releaseId(ctx: Context, version: string): Promise<string> {
  const found = queries(ctx).selectFrom('releases').select('id').where('version', '=', version);
  return (await found.executeTakeFirstOrThrow()).id;
}

forEachEngine('long texts', (engine) => {
  it('of a batch are read on a thread before its transaction, or inside of an open one', async () => {
    const { ctx: real } = await engine.openTestApp();
    const { ctx, tasks, waitedFor } = watched(real);
    const [here, there] = [String((await createSource(real)).id), String((await createSource(real)).id)];

    await writeReleases(ctx, { path: { src: there }, rows: ROWS });
    // Type, digest and tokens of each text.
    assert.equal(tasks(), 3 * LONG);
    assert.equal(waitedFor(), 0);

    await writeReleases(ctx, { path: { src: there }, rows: ROWS });
    assert.equal(tasks(), LONG, 'only the types of texts that are stored');
    assert.equal(waitedFor(), 0);

    await transact(ctx, (inner) => writeReleases(inner, { path: { src: here }, rows: ROWS }));
    assert.equal(tasks(), 3 * LONG);
    assert.deepEqual(await stored(ctx, there), await stored(ctx, here));
  });

  it('are read on a thread by every other write, too', async () => {
    const { ctx: real } = await engine.openTestApp();
    const { ctx, tasks } = watched(real);
    const src = String((await createSource(real)).id);
    await writeReleases(ctx, { path: { src }, rows: ROWS });
    tasks();
    const writes: [string, () => Promise<unknown>][] = [
      ['a correction', async () => patchRelease(ctx, await releaseId(ctx, '1.0.0'), { title: 'A lid' })],
      [
        'a new text beside a pinned title',
        () => writeReleases(ctx, { path: { src }, rows: [{ ...ROWS[0], title: 'x', content: `${FILLER}\n- More` }] }),
      ],
      [
        'a filled body',
        async () => {
          const filling = { sourceId: src, releaseId: await releaseId(ctx, '2.0.1-rc.1'), teaser: 'Short', media: [] };
          assert.equal(await transact(ctx, (inner) => fillBody(inner, { ...filling, content: FILLER })), true);
        },
      ],
      [
        'other rules',
        async () => {
          await transact(ctx, ({ tx }) => tx.updateTable('releases').set({ origin: 'release' }).execute());
          assert.equal(await rederiveReleases(ctx), true);
        },
      ],
      [
        'a changelog file',
        () =>
          transact(ctx, (inner) => {
            const addresses = { url: 'https://acme.example/c', rawUrl: 'https://acme.example/c' };
            const content = `# Changes\n\n## 1.0.0\n${FILLER}`;
            return storeChangelogFile(inner, {
              sourceId: src,
              path: 'CHANGELOG.md',
              ...addresses,
              content,
              canonical: true,
            });
          }),
      ],
    ];
    for (const [name, write] of writes) {
      await write();
      assert.ok(tasks() > 0, name);
    }
  });

  it('alone need a thread, and a large batch of short ones stores what small ones do', async () => {
    const { ctx: real } = await engine.openTestApp();
    const { ctx, tasks } = watched(real);
    const [alone, together] = [String((await createSource(real)).id), String((await createSource(real)).id)];
    const rows = Array.from({ length: 300 }, (_, at) => ({
      ...elementAt(ROWS, at % ROWS.length),
      version: `${Math.floor(at / 10)}.${at % 10}.0${at % 7 === 0 ? '-rc.1' : ''}`,
      title: `Release ${at}`,
      url: `https://acme.example/r/${at}`,
    }));
    const short = rows.map((row) => ({ ...row, content: row.content.replace(FILLER, `- Fixed ${row.title}\n`) }));

    for (let start = 0; start < short.length; start += 50) {
      await writeReleases(ctx, { path: { src: alone }, rows: short.slice(start, start + 50) });
    }
    await writeReleases(ctx, { path: { src: together }, rows: short });

    assert.equal(tasks(), 0);
    assert.deepEqual(await stored(ctx, together), await stored(ctx, alone));
  });

  it('are stored, however many more than may wait for a thread at once', async () => {
    const { ctx } = await engine.openTestApp();
    const src = String((await createSource(ctx)).id);
    const rows = Array.from({ length: 220 }, (_, at) => ({
      version: `1.${at}.0`,
      title: `1.${at}.0`,
      content: `${at}\n${FILLER}`,
    }));

    await writeReleases(ctx, { path: { src }, rows });

    assert.equal((await stored(ctx, src)).length, rows.length);
  });
});

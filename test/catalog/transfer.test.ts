// Export and import: the same bytes on both engines and between them, and only public data.
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Context, transact } from '../../src/context.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { exportRecords } from '../../src/ingest/transfer/export-records.ts';
import { importRecords } from '../../src/ingest/transfer/import-records.ts';
import { storeListing } from '../../src/packages/listings/store-listing.ts';
import { changeListing } from '../../src/releases/write/change-listing.ts';
import { patchRelease } from '../../src/releases/write/patch.ts';
import { suppressRelease } from '../../src/releases/write/suppress.ts';
import { signUp } from '../support/accounts.ts';
import { DEMO_NOW, openDemoDatabase } from '../support/demo.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { answersOf, assertSameAnswers, publicReads } from '../support/public-answers.ts';
import { scratchFolder } from '../support/scratch.ts';
import { type Service, startService } from '../support/service.ts';

const clock = () => DEMO_NOW;

async function exported(ctx: Context, options: { org?: string; since?: string } = {}): Promise<string> {
  const lines: string[] = [];
  await exportRecords(ctx, { ...options, write: async (line) => void lines.push(line) });
  return lines.join('');
}

interface Line {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the fields are what the test asserts.
  data: any;
}

// The file leaves them out, because they follow from the notes.
async function stepsOf({ store }: Context): Promise<Map<string, string | null>> {
  const asking = store.read.selectFrom('releases').where('migration_notes', 'is not', null);
  const rows = await asking.select(['id', 'upgrade_steps']).execute();
  return new Map(rows.map(({ id, upgrade_steps }) => [id, upgrade_steps]));
}

function linesOf(text: string): Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const totals = (counts: Record<string, Record<string, number>>) => {
  const sum = (outcome: string) => Object.values(counts).reduce((total, one) => total + (one[outcome] ?? 0), 0);
  return ['inserted', 'updated', 'unchanged', 'skipped'].map(sum);
};

const LISTED = {
  publishedAt: '2026-01-02T00:00:00.000Z',
  withdrawn: false,
  withdrawnReason: null,
  deprecated: null,
  tarballUrl: 'https://npm.example/works.tgz',
  integrity: 'sha512-AA==',
};
const WITHDRAWN = { suppressed: 1, suppressed_reason: 'yanked', suppressed_by: 'source' } as const;
const publicSince = '2026-05-19T00:00:00.000Z';
// The export of the first engine, which the second one imports too.
let ofOtherEngine: string | null = null;

forEachEngine('export and import', (engine) => {
  let folder = '';
  let origin: App;
  let service: Service;
  let text = '';
  let file = '';
  const hidden: string[] = [];

  const open = (options = {}) => engine.openTestApp({ clock, ...options });
  const write = async (name: string, content: string | Uint8Array) => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };

  before(async () => {
    folder = await scratchFolder('registry-transfer-');
    origin = await open({ database: await openDemoDatabase(engine) });
    const { ctx } = origin;
    const org = await createOrg(ctx, { name: 'Public Works' });
    const source = await createSource(ctx, { name: 'Works Log', orgSlug: org.slug });
    const secret = await createSource(ctx, { name: 'Hidden Log', orgSlug: org.slug, isHidden: true });
    const { insertedIds } = await postReleases(ctx, source.id, [
      releaseRow('1.0.0', { title: 'Works one', content: 'First words of the works.' }),
      releaseRow('1.1.0', { title: 'Suppressed words', content: 'Nobody reads this.' }),
      releaseRow('1.2.0', { title: 'Withdrawn works', content: 'Taken back.' }),
      releaseRow('2.0.0', { title: 'Words of tomorrow', publishedAt: '2026-05-21T00:00:00.000Z' }),
    ]);
    await postReleases(ctx, secret.id, [releaseRow('1.0.0', { title: 'Hidden words' })]);
    await patchRelease(ctx, insertedIds[0] ?? '', { content: 'Second words of the works.' });
    await suppressRelease(ctx, insertedIds[1] ?? '', { suppressed: true });
    await transact(ctx, (ctx) => changeListing(ctx, insertedIds[2] ?? '', WITHDRAWN));
    const versions = ['1.0.0', '1.1.0'].map((version) => ({ ...LISTED, version }));
    const tags = { latest: '1.1.0', old: '1.0.0' };
    const listing = { ecosystem: 'npm' as const, latest: '1.1.0', tags, repository: null, homepage: null, versions };
    for (const [spelling, sourceId, registry] of [
      ['works', source.id, null],
      ['hidden-works', secret.id, null],
      ['@walled/works', source.id, '@walled'],
    ] as const) {
      await putPackage(ctx, { ecosystem: 'npm', name: spelling, sourceId });
      await transact(ctx, (ctx) => storeListing(ctx, { ...listing, spelling, registry }));
    }
    hidden.push('hidden-works', '@walled');
    service = await startService(origin, { verifyAnswers: false });
    await signUp(service, { email: 'somebody@mail.example' });
    hidden.push('Hidden Log', 'Hidden words', 'Suppressed words', 'Words of tomorrow', 'somebody@mail.example');
    // Of a revision only the public fields are exported.
    hidden.push('First words of the works');
    text = await exported(ctx);
    file = await write('origin.ndjson', text);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('tells all that is public and nothing else, in an order of its own, with a manifest at the end', async () => {
    const lines = linesOf(text);
    const manifest = lines.at(-1);

    assert.equal(await exported(origin.ctx), text);
    for (const words of hidden) assert.ok(!text.includes(words), words);
    assert.deepEqual([manifest?.type, manifest?.data.records], ['manifest', lines.length - 1]);
    const types = [...new Set(lines.map(({ type }) => type))];
    assert.deepEqual(types, [...Object.keys(manifest?.data.counts), 'manifest'], 'the sample holds every type');
    const orgs = await service.anonymous.get('/v1/orgs?includeEmpty=true&limit=1');
    assert.equal(manifest?.data.counts.org, orgs.body.pagination.totalItems);
    const release = lines.find(({ data }) => data.title === 'Works one')?.data;
    assert.equal(release.content, 'Second words of the works.');
    assert.deepEqual(Object.keys(release.revisions[0]).includes('content'), false);
  });

  it('interrupted and taken up again, gives a registry that answers and exports the same; nobody is told', async () => {
    const copy = await open();
    const dry = await importRecords(copy.ctx, { path: file, dryRun: true });
    assert.deepEqual(await copy.ctx.store.read.selectFrom('orgs').select('id').execute(), []);
    const stop = new AbortController();
    const half = await importRecords(copy.ctx, { path: file, signal: stop.signal, onProgress: () => stop.abort() });
    const done = await importRecords(copy.ctx, { path: file });
    const again = await importRecords(copy.ctx, { path: await write('packed.ndjson', gzipSync(text)) });

    assert.deepEqual([half.isComplete, half.resumedAfter, done.isComplete], [false, 0, true]);
    assert.ok(done.resumedAfter > 0 && done.resumedAfter < done.records);
    assert.deepEqual(dry.counts, done.counts);
    assert.deepEqual(totals(done.counts), [linesOf(text).length - 1, 0, 0, 0]);
    assert.deepEqual(totals(again.counts), [0, 0, linesOf(text).length - 1, 0]);
    assert.equal(await exported(copy.ctx), text);
    const [steps, copied] = [await stepsOf(origin.ctx), await stepsOf(copy.ctx)];
    assert.ok(copied.size > 0);
    for (const [id, text] of copied) assert.ok(text !== null && text === steps.get(id), id);
    assert.deepEqual(await copy.ctx.store.read.selectFrom('events').select('id').execute(), []);
    assert.deepEqual(
      await copy.ctx.store.read.selectFrom('settings').select('key').where('key', 'like', 'import:%').execute(),
      [],
    );
    const { anonymous } = await startService(copy, { verifyAnswers: false });
    // The notice belongs to the operator, and the statistics count fetches of this registry only.
    const own = ['/v1/site-notice', '/v1/stats'];
    const reads = (await publicReads(service.anonymous)).filter((read) => !own.includes(read));
    assertSameAnswers(await answersOf(anonymous, reads), await answersOf(service.anonymous, reads));
  });

  it('goes from one engine to the other and back', async () => {
    // The test before this one imports what its own engine has exported.
    if (engine.name !== 'sqlite') {
      const sqlite = await createApp(
        readConfig({ REGISTRY_DATA_DIR: join(folder, 'data'), REGISTRY_LOG_LEVEL: 'silent', REGISTRY_EMBEDDER: 'off' }),
        { clock },
      );
      await sqlite.ctx.store.migrate();
      await importRecords(sqlite.ctx, { path: file });
      assert.equal(await exported(sqlite.ctx), text);
      await sqlite.close();
    }
    if (ofOtherEngine !== null) {
      const copy = await open();
      await importRecords(copy.ctx, { path: await write('other.ndjson', ofOtherEngine) });
      assert.equal(await exported(copy.ctx), ofOtherEngine);
    }
    ofOtherEngine = text;
  });

  it('refuses a file that is not what its manifest says, before it writes anything', async () => {
    const copy = await open();
    // One org, because each of these files is read to its end.
    const { id: org } = linesOf(text).find(({ data }) => data.name === 'Public Works')?.data ?? {};
    const small = await exported(origin.ctx, { org });
    const lines = small.trimEnd().split('\n');
    const [first = '', last = ''] = [lines[0], lines.at(-1)];
    const cases: [string, RegExp, string | Uint8Array][] = [
      ['changed', /does not match/, small.replace('Second words', 'Other words')],
      ['without a line', /does not match/, `${lines.filter((_, index) => index !== 3).join('\n')}\n`],
      ['cut off', /ends without a manifest/, `${lines.slice(0, -1).join('\n')}\n`],
      ['cut off in a line', /is no record/, small.slice(0, small.indexOf('\n') + 20)],
      ['with more behind it', /behind the manifest/, `${small}${first}\n`],
      ['of a later program', /format 2/, small.replace('"format":1', '"format":2')],
      ['with an unknown type', /no record type "user"/, `{"type":"user","data":{}}\n${last}\n`],
      ['with a wrong field', /line 1: org slug /, `{"type":"org","data":{"id":"org_${'0'.repeat(21)}"}}\n${last}\n`],
      ['no export', /is no record/, 'hello\n'],
      ['packed and cut off', /damaged or cut off/, gzipSync(small).subarray(0, 600)],
    ];
    for (const [name, message, content] of cases) {
      const path = await write('bad.ndjson', content);
      await assert.rejects(importRecords(copy.ctx, { path }), message, name);
    }
    for (const table of ['orgs', 'tags', 'categories', 'settings'] as const) {
      assert.deepEqual(await copy.ctx.store.read.selectFrom(table).selectAll().execute(), [], table);
    }
  });

  it('updates what differs, and takes nothing from others: names, suppressed and deleted releases stay', async () => {
    const copy = await open();
    const { ctx } = copy;
    const works = linesOf(text).find(({ data }) => data.name === 'Public Works')?.data;
    const only = await exported(origin.ctx, { org: works.id });
    const path = await write('works.ndjson', only);
    await importRecords(ctx, { path });
    assert.equal(await exported(ctx, { org: works.id }), only);

    const release = linesOf(only).find(({ data }) => data.title === 'Works one')?.data;
    const change = (set: object) =>
      ctx.store.transaction(
        (tx) => tx.updateTable('releases').set(set).where('id', '=', release.id).execute(),
        'catalog',
      );
    await change({ title: 'Other words', suppressed: 1, listing: 0 });
    await ctx.store.transaction((tx) => tx.updateTable('orgs').set({ name: 'Renamed' }).execute(), 'catalog');
    const { counts } = await importRecords(ctx, { path });
    const stored = await ctx.store.read
      .selectFrom('releases')
      .selectAll()
      .where('id', '=', release.id)
      .executeTakeFirstOrThrow();
    const org = await ctx.store.read.selectFrom('orgs').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([counts.org.updated, counts.release.updated, counts.source.unchanged], [1, 1, 1]);
    assert.deepEqual(
      [org.name, stored.title, stored.suppressed, stored.listing],
      ['Public Works', release.title, 1, 0],
    );

    const withdrawn = await ctx.store.read
      .selectFrom('releases')
      .select(['suppressed_by', 'suppressed_reason', 'listing'])
      .where('title', '=', 'Withdrawn works')
      .executeTakeFirstOrThrow();
    assert.deepEqual({ ...withdrawn }, { suppressed_by: 'source', suppressed_reason: 'yanked', listing: 0 });

    const taken = await open();
    const own = await createOrg(taken.ctx, { name: 'Public Works', slug: works.slug });
    const expected = await importRecords(taken.ctx, { path, dryRun: true });
    const refused = await importRecords(taken.ctx, { path });
    // What a package registry lists belongs to nobody.
    assert.equal(refused.counts.listing.inserted, 1);
    assert.deepEqual(totals(refused.counts), [1, 0, 0, linesOf(only).length - 2]);
    assert.match(refused.refused[0]?.reason ?? '', new RegExp(`the slug ${works.slug} belongs to ${own.id} here`));
    assert.deepEqual(expected.counts, refused.counts);

    const forgotten = await open();
    const { sourceId, identityKey } = release;
    await importRecords(forgotten.ctx, { path });
    await forgotten.ctx.store.transaction(async (tx) => {
      await tx.deleteFrom('releases').execute();
      const row = { source_id: sourceId, identity_key: identityKey, deleted_at: DEMO_NOW.toISOString() };
      await tx.insertInto('deleted_releases').values(row).execute();
    }, 'catalog');
    assert.equal((await importRecords(forgotten.ctx, { path })).counts.release.skipped, 1);
  });

  it('narrows to an org and to what has changed since', async () => {
    const { ctx } = origin;
    const { id } = linesOf(text).find(({ data }) => data.name === 'Public Works')?.data ?? {};
    const own = linesOf(await exported(ctx, { org: id }));
    const recent = linesOf(await exported(ctx, { since: publicSince }));

    assert.deepEqual(
      own.map(({ type }) => type),
      ['org', 'source', 'package', 'release', 'release', 'listing', 'manifest'],
    );
    assert.equal(own.at(-1)?.data.org, id);
    const releases = (lines: Line[]) => lines.filter(({ type }) => type === 'release').map(({ data }) => data);
    assert.deepEqual(
      releases(recent).map((one) => one.id),
      releases(linesOf(text))
        .filter((one) => one.updatedAt >= publicSince)
        .map((one) => one.id),
    );
    assert.equal(
      recent.filter(({ type }) => type === 'org').length,
      linesOf(text).filter(({ type }) => type === 'org').length,
    );
  });
});

// Export files that somebody else has prepared: each record with one hostile value, and a manifest that matches.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { exportRecords } from '../../src/ingest/transfer/export-records.ts';
import { InvalidRecords, importRecords } from '../../src/ingest/transfer/import-records.ts';
import { DEMO_NOW, openDemoApp } from '../support/demo.ts';
import { forEachEngine } from '../support/engines.ts';
import { scratchFolder } from '../support/scratch.ts';

interface Line {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests put every kind of value into the fields.
  data: any;
}

const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

// Each change of the first record of a type, and what is said of it.
const HOSTILE: [type: string, change: Record<string, unknown>, reason: RegExp][] = [
  ...['', '../../etc', 'admin', 'UPPER', 'a--b', 'a b', 'x'.repeat(81), 'a\u0000', null].map(
    (slug): [string, Record<string, unknown>, RegExp] => ['org', { slug }, /^slug /],
  ),
  ['product', { slug: 'releases' }, /^slug is a reserved word/],
  ['source', { slug: '..%2f' }, /^slug /],
  ['collection', { slug: '/' }, /^slug /],
  ['tag', { slug: '<b>' }, /^slug /],
  ['org', { name: '' }, /^name /],
  ['org', { name: 'a\u001b[2J' }, /^name must not contain control/],
  ['org', { name: 'x'.repeat(121) }, /^name /],
  ['org', { name: '\ud800' }, /^name must be well-formed/],
  ['org', { domain: '"><script>alert(1)</script>' }, /^domain /],
  ['org', { domain: 'WWW.Acme.example' }, /^domain /],
  ['org', { avatarUrl: 'javascript:alert(1)' }, /^avatarUrl /],
  ['org', { avatarUrl: 'http://acme.example/a.png' }, /^avatarUrl /],
  ['org', { aliases: [{ domain: 'not a domain', createdAt: '2024-01-01T00:00:00.000Z' }] }, /^aliases/],
  ['org', { accounts: [{ platform: 'GitHub', handle: 'a', createdAt: '2024-01-01T00:00:00.000Z' }] }, /^accounts/],
  ['org', { notice: { message: 'a', href: 'javascript:alert(1)' } }, /^notice/],
  ['org', { notice: deep(5000) }, /^notice/],
  ['org', { createdAt: 'yesterday' }, /^createdAt /],
  ['org', { createdAt: '2024-02-30T00:00:00.000Z' }, /^createdAt /],
  ['org', { createdAt: "2024-01-01'; DROP TABLE orgs; --" }, /^createdAt /],
  ['source', { url: 'javascript:alert(1)' }, /^url /],
  ['source', { url: 'file:///etc/passwd' }, /^url /],
  ['source', { url: 'http://169.254.169.254/latest/meta-data' }, /^url must not lead .*private_address/],
  ['source', { url: 'http://[::ffff:127.0.0.1]/' }, /^url must not lead .*private_address/],
  ['source', { url: 'http://0x7f000001/', fetchPriority: 'paused' }, /^url must not lead .*private_address/],
  ['source', { url: 'http://db.internal/', fetchPriority: 'normal' }, /^url must not lead .*internal_host/],
  ['source', { feedUrl: 'http://10.0.0.1/feed' }, /^feedUrl must not lead/],
  ['source', { url: 'https://user:word@acme.example/' }, /^url must not lead .*user_info/],
  ['source', { settings: { itemAllow: ['(a+)+$('] } }, /^settings/],
  ['source', { settings: { markdownUrl: 'http://127.0.0.1/' } }, /^markdownUrl must not lead/],
  ['source', { settings: { unknown: true } }, /^settings/],
  ['source', { extra: { text: 'x'.repeat(40_000) } }, /^extra /],
  ['source', { extra: { deep: deep(50_000) } }, /^extra /],
  ['source', { githubCoordinate: '../..' }, /^githubCoordinate /],
  ['source', { consecutiveErrors: -1 }, /^consecutiveErrors /],
  ['source', { nextFetchAfter: '9'.repeat(30) }, /^nextFetchAfter /],
  ['location', { url: 'javascript:alert(1)' }, /^url /],
  ['location', { feed: 'http://192.168.0.1/' }, /^feed must not lead/],
  ['package', { name: '' }, /^name /],
  ['package', { ecosystem: '__proto__' }, /^ecosystem /],
  ['release', { url: 'javascript:alert(1)' }, /^url /],
  ['release', { title: 'a\u0007' }, /^title /],
  ['release', { version: '1'.repeat(1_000_000) }, /^version /],
  ['release', { content: 'a\u0000b' }, /^content /],
  ['release', { publishedAt: '9999-12-31T00:00:00.000Z', feedAt: '9999-12-31T00:00:00.000Z' }, /lies in the future/],
  ['release', { feedAt: '9998-12-31T00:00:00.000Z' }, /^feedAt /],
  ['release', { publishedAt: 'soon' }, /^publishedAt /],
  ['release', { media: [{ type: 'image', url: 'data:text/html,x' }] }, /^media/],
  ['release', { media: [{ type: 'image', url: 'https://a.example/x.png', r2Url: 'javascript:alert(1)' }] }, /^media/],
  ['release', { importance: 99 }, /^importance /],
  ['release', { id: "rel_' OR 1=1" }, /^id /],
  ['changelogFile', { path: '../../../etc/passwd' }, /^path /],
  ['changelogFile', { url: 'javascript:alert(1)' }, /^url /],
  ['changelogFile', { headings: { offsets: ['a'] } }, /^headings/],
  ['summary', { generatedAt: 5 }, /^generatedAt /],
  ['overview', { citations: [{ sourceUrl: 'javascript:alert(1)' }] }, /^citations/],
];

forEachEngine('hostile export files', (engine) => {
  let folder = '';
  let lines: Line[] = [];

  before(async () => {
    folder = await scratchFolder('registry-hostile-');
    const { ctx } = await openDemoApp(engine);
    const texts: string[] = [];
    await exportRecords(ctx, { write: async (line) => void texts.push(line) });
    const all = texts.map((text): Line => JSON.parse(text));
    // One record of each type is enough.
    lines = all.filter(({ type }, index) => type !== 'manifest' && all.findIndex((one) => one.type === type) === index);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const written = async (records: readonly Line[]) => {
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    const counts: Record<string, number> = {};
    for (const { type } of records) counts[type] = (counts[type] ?? 0) + 1;
    const sha256 = createHash('sha256').update(text).digest('hex');
    const data = { format: 1, org: null, since: null, counts, records: records.length, sha256 };
    const path = join(folder, 'hostile.ndjson');
    await writeFile(path, `${text}${JSON.stringify({ type: 'manifest', data })}\n`);
    return path;
  };
  const open = async () => (await engine.openTestApp({ clock: () => DEMO_NOW })).ctx;

  it(`names the line of each of ${HOSTILE.length} kinds, and writes nothing`, async () => {
    const ctx = await open();
    for (const [type, change, reason] of HOSTILE) {
      const at = lines.findIndex((line) => line.type === type);
      assert.ok(at >= 0, type);
      const changed = lines.map((line, index) => (index === at ? { type, data: { ...line.data, ...change } } : line));
      const name = `${type} ${JSON.stringify(change).slice(0, 80)}`;
      const error = await importRecords(ctx, { path: await written(changed) }).catch((error) => error);
      assert.ok(error instanceof InvalidRecords, `${name}: ${error?.message}`);
      assert.deepEqual(
        error.refused.map((one) => [one.line, one.type]),
        [[at + 1, type]],
        name,
      );
      assert.match(error.refused[0]?.reason ?? '', reason, name);
    }
    for (const table of ['orgs', 'sources', 'releases', 'tags', 'settings'] as const) {
      assert.deepEqual(await ctx.store.read.selectFrom(table).selectAll().execute(), [], table);
    }
  });

  it('refuses two records with one name before it writes either', async () => {
    const ctx = await open();
    const org = lines.find(({ type }) => type === 'org') as Line;
    const twin = {
      type: 'org',
      data: { ...org.data, id: `org_${'A'.repeat(21)}`, domain: null, aliases: [], accounts: [] },
    };
    const error = await importRecords(ctx, { path: await written([org, twin]) }).catch((error) => error);
    assert.match(error.message, /line 2: org claims the same slug as line 1/);
    assert.deepEqual(await ctx.store.read.selectFrom('orgs').select('id').execute(), []);
  });

  it('takes the rest on demand, and reports what it left out', async () => {
    const ctx = await open();
    const changed = lines.map((line) =>
      line.type === 'org' ? { ...line, data: { ...line.data, slug: 'admin' } } : line,
    );
    const path = await written(changed);
    const dry = await importRecords(ctx, { path, skipInvalid: true, dryRun: true });
    const done = await importRecords(ctx, { path, skipInvalid: true });
    const at = changed.findIndex(({ type }) => type === 'org') + 1;
    assert.deepEqual([done.refused[0]?.line, done.refused[0]?.reason], [at, 'slug is a reserved word']);
    assert.deepEqual([done.counts.org.skipped, done.counts.tag.inserted, dry.counts.org.skipped], [1, 1, 1]);
    assert.deepEqual(await ctx.store.read.selectFrom('orgs').select('id').execute(), []);
  });

  it('keeps a source out of the product of another org', async () => {
    const ctx = await open();
    const [org, product] = ['org', 'product'].map((type) => lines.find((line) => line.type === type) as Line);
    const other = {
      type: 'org',
      data: { ...org?.data, id: `org_${'B'.repeat(21)}`, slug: 'other', domain: null, aliases: [], accounts: [] },
    };
    const source = lines.find(({ type }) => type === 'source') as Line;
    const owner = {
      ...org,
      data: { ...org?.data, id: product?.data.orgId, slug: 'owner', domain: null, aliases: [], accounts: [] },
    };
    const stray = { type: 'source', data: { ...source.data, orgId: other.data.id, productId: product?.data.id } };
    const { refused } = await importRecords(ctx, {
      path: await written([owner as Line, other, product as Line, stray]),
    });
    assert.match(refused[0]?.reason ?? '', /its product prod_\w+ belongs to org_/);
  });
});

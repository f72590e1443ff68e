import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Context, transact } from '../../src/context.ts';
import { sourceById } from '../../src/entities/resolve.ts';
import type { Draft } from '../../src/releases/write/draft.ts';
import { writeDrafts } from '../../src/releases/write/write-drafts.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { startService } from '../support/service.ts';

const CHANGELOG = `# Changelog

## [2.0.0] - 2026-02-03

- Faster builds

## 1.0.0

- First
`;

async function fetchAgain(ctx: Context, sourceId: string, draft: Pick<Draft, 'title' | 'content'> & Partial<Draft>) {
  const sourceInOrg = await sourceById(ctx, sourceId);
  assert.ok(sourceInOrg);
  const fetched = { version: '2.0.0', url: 'https://acme.example/2', guid: 'g2', publishedAt: null, origin: 'feed' };
  return transact(ctx, (ctx) =>
    writeDrafts(ctx, { sourceInOrg, drafts: [{ ...fetched, ...draft }], writtenBy: 'fetch' }),
  );
}

forEachEngine('publishing', (engine) => {
  async function open() {
    const app = await engine.openTestApp();
    const service = await startService(app);
    const { ctx } = app;
    const org = await createOrg(ctx);
    const source = await createSource(ctx, { orgId: String(org.id) });
    const other = await createSource(ctx, { orgId: String(org.id) });
    const { body } = await service.root.post('/v1/tokens', { name: 'ci', scopes: ['publish'], source: source.id });
    const author = service.as(body.token);
    const publish = (more: object, query = '') =>
      author.post(`/v1/publish${query}`, { source: source.id, version: '2.0.0', ...more });
    return { ctx, service, org, source: String(source.id), other: String(other.id), author, publish };
  }

  it('stores the section of the version once, and revises it when its text is another', async () => {
    const { service, org, source, publish } = await open();

    const dry = await publish({ changelog: CHANGELOG }, '?dryRun=true');
    assert.deepEqual([dry.status, dry.body.outcome, dry.body.dryRun], [200, 'inserted', true]);
    assert.deepEqual((await service.anonymous.get(`/v1/sources/${source}/releases`)).body.releases, []);

    const first = await publish({ changelog: CHANGELOG });
    assert.deepEqual([first.status, first.body.outcome], [201, 'inserted'], first.text);
    const { id, content, publishedAt } = first.body.release;
    assert.deepEqual([content, publishedAt.slice(0, 10)], ['- Faster builds', '2026-02-03']);
    assert.equal(first.headers.get('location'), `/v1/releases/${id}`);

    const again = await publish({ changelog: CHANGELOG });
    assert.deepEqual([again.status, again.body.outcome, again.body.release.id], [200, 'unchanged', id]);
    const revised = await publish({ tag_name: undefined, body: '- Faster', name: 'Two' });
    assert.deepEqual([revised.status, revised.body.outcome, revised.body.release.id], [200, 'updated', id]);
    assert.deepEqual([revised.body.release.content, revised.body.release.revisionCount], ['- Faster', 1]);

    const { body: detail } = await service.anonymous.get(`/v1/releases/${id}`);
    assert.deepEqual([detail.authored.by, detail.authored.via, detail.authored.differs], [org.slug, 'token', null]);
    const [listed] = (await service.anonymous.get(`/v1/sources/${source}/releases`)).body.releases;
    assert.equal(listed.authored.by, org.slug);
    assert.match((await service.anonymous.get(`/release/${id}`)).text, /From its author/);
    const { body: audit } = await service.root.get('/v1/admin/audit');
    assert.match(JSON.stringify(audit), /release\.publish/);
  });

  it('keeps the text of the author, and tells what the source says otherwise', async () => {
    const { ctx, service, source, publish } = await open();
    const { id } = (await publish({ content: '- Faster builds' })).body.release;

    const { updated, inserted } = await fetchAgain(ctx, source, { title: '2.0.0', content: 'Something else' });
    assert.deepEqual([updated, inserted], [0, 0]);
    const { body } = await service.anonymous.get(`/v1/releases/${id}`);
    assert.deepEqual([body.content, body.url], ['- Faster builds', 'https://acme.example/2']);
    assert.deepEqual(body.authored.differs.fields, ['content']);
    assert.match((await service.anonymous.get(`/release/${id}`)).text, /The source<\/a> has another text/);

    await fetchAgain(ctx, source, { title: '2.0.0', content: '- Faster builds' });
    assert.equal((await service.anonymous.get(`/v1/releases/${id}`)).body.authored.differs, null);
  });

  it('takes over what was fetched before, and raises a verdict without lowering it', async () => {
    const { ctx, service, source, publish } = await open();
    const { insertedIds } = await postReleases(ctx, source, [releaseRow('v1.0.1'), releaseRow('1.0.0')]);

    const taken = await publish({ version: '1.0.1', content: 'Faster.', breaking: 'major' });
    assert.deepEqual([taken.body.outcome, taken.body.release.id], ['updated', insertedIds[0]]);
    assert.deepEqual([taken.body.release.breaking, taken.body.release.pinned], ['major', ['breaking']]);
    const lower = await publish({
      version: '3.0.0',
      content: '### Breaking\n- The option x was removed',
      breaking: 'none',
    });
    assert.equal(lower.body.release.breaking, 'major');
    const byOperator = await service.root.post('/v1/publish', { source, version: '4.0.0', content: 'x' });
    assert.equal((await service.anonymous.get(`/v1/releases/${byOperator.body.release.id}`)).body.authored, undefined);
  });

  it('refuses what lies outside, what it does not know and what it cannot find', async () => {
    const { service, source, other, author, publish } = await open();
    await service.root.put('/v1/packages', { ecosystem: 'npm', name: 'acme-cli', sourceId: source });
    const byPackage = { ecosystem: 'npm', package: 'acme-cli', version: '2.1.0', content: 'x' };
    assert.equal((await author.post('/v1/publish', byPackage)).status, 201);
    const cases: [sent: object, status: number, reason: RegExp][] = [
      [{ source: other, content: 'x' }, 403, /not within it/],
      [{ notes: 'x' }, 400, /did you mean content\?/],
      [{ content: 'x', body: 'y' }, 400, /says the same as content/],
      [{ content: 'x', changelog: CHANGELOG }, 400, /not both/],
      [{}, 400, /send content or changelog/],
      [{ version: '9.9.9', changelog: CHANGELOG }, 400, /has no section for 9\.9\.9; its newest are 2\.0\.0, 1\.0\.0/],
      [{ ecosystem: 'npm', content: 'x' }, 400, /name a source, or ecosystem and package/],
      [{ version: 'unknown', content: 'x' }, 400, /a version is required/],
    ];
    for (const [sent, status, reason] of cases) {
      const answer = await publish(sent);
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.text, reason);
    }
    assert.equal((await service.anonymous.post('/v1/publish', {})).status, 401);
  });
});

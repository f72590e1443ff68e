import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { App } from '../../src/app.ts';
import { writeSearchLog } from '../../src/search/search.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

const TEXTS = [
  '"',
  '""',
  '"unclosed',
  "'",
  "'; DROP TABLE releases; --",
  '" OR 1=1 --',
  'NEAR(heron, 2)',
  'heron AND',
  'NOT heron',
  'heron*',
  '^heron',
  '{title}: heron',
  'title:heron',
  'heron:*',
  'heron & !',
  'heron <-> bird',
  '(((((',
  ')',
  '\\',
  '%',
  '_',
  '$1',
  '?',
  '@',
  '#',
  '--',
  '~1.0',
  '\u0000',
  'heron\u0000bird',
  '\u0007\u001f',
  'heron\u0007bird',
  '\u200b',
  '\ufeff',
  '\ue0fekind\ue0ff',
  '🚀',
  '👩‍👩‍👧‍👦 heron',
  '\ud800',
  '日本語',
  'ﬁle',
  'e\u0301'.repeat(200),
  'a.'.repeat(250),
  '@a/'.repeat(160),
  'x'.repeat(500),
  '🚀'.repeat(250),
  'word '.repeat(100),
  '"a" '.repeat(120),
  '1.2.3.4.5.6.7.8.9',
  `${'9'.repeat(400)}.0`,
  'github.com/../../etc/passwd',
  '../..',
  '<script>alert(1)</script>',
  'http://user:pass@host.example/?q=1',
  '::1',
  'constructor',
  '__proto__',
  'toString',
];

forEachEngine('hostile searches', (engine) => {
  let app: App;
  let service: Service;
  before(async () => {
    app = await engine.openTestApp({ env: { REGISTRY_EMBEDDER: 'off' } });
    service = await startService(app);
    const org = await createOrg(app.ctx, { name: 'Heron', slug: 'heron' });
    const source = await createSource(app.ctx, { orgId: org.id });
    await postReleases(app.ctx, source.id, [releaseRow('1.0.0', { content: 'A heron & a bird <b>' })]);
  });

  it('are answered', async () => {
    for (const text of TEXTS) {
      for (const path of ['/v1/search', '/v1/search/releases']) {
        const { status, body } = await service.anonymous.get(`${path}?q=${encodeURIComponent(text.toWellFormed())}`);
        const wanted = text.trim() === '' || text.includes('\u0000') ? 400 : 200;
        assert.equal(status, wanted, `${path} ${JSON.stringify(text)} ${JSON.stringify(body.error)}`);
      }
    }
  });

  it('cannot be passed off as a filter either', async () => {
    for (const text of TEXTS) {
      const value = encodeURIComponent(text.toWellFormed());
      for (const name of ['org', 'product', 'source', 'domain', 'collection']) {
        const { status, body } = await service.anonymous.get(`/v1/search?q=heron&${name}=${value}`);
        const known = body[`${name}Status`];
        const fits = status === 400 || (status === 200 && known !== 'matched');
        assert.ok(fits, `${name} ${JSON.stringify(text)} ${status} ${known} ${JSON.stringify(body.error)}`);
      }
    }
  });

  it('raw bytes that are no text are refused', async () => {
    for (const query of ['q=%', 'q=%ff', 'q=%c3%28', 'q=%ed%a0%80']) {
      const { status, body } = await service.anonymous.get(`/v1/search?${query}`);
      assert.deepEqual([status, body.error.code], [400, 'bad_request'], query);
    }
  });

  it('too much is refused by length', async () => {
    for (const length of [501, 10_000]) {
      const { status } = await service.anonymous.get(`/v1/search?q=${'a'.repeat(length)}`);
      assert.equal(status, 400);
    }
  });

  it('are counted without who asked, and nothing is written before it is time', async () => {
    const rows = () => app.ctx.store.read.selectFrom('search_log').selectAll().execute();
    assert.deepEqual(await rows(), []);

    const written = await writeSearchLog(app.ctx);

    const stored = await rows();
    assert.ok(written > 0 && stored.length === written);
    assert.deepEqual(Object.keys(stored[0] ?? {}).toSorted(), ['at', 'hits', 'id', 'mode', 'query', 'took_ms']);
    assert.ok(stored.some(({ query }) => query === 'heron bird'));
    assert.ok(stored.some(({ query, hits }) => query === 'heron:*' && hits === 1));
    assert.equal(await writeSearchLog(app.ctx), 0);
  });
});

// What a reader is told when a statement of the answer takes too long: on pages, in the API and by tools of agents.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { openWebServer } from '../../src/cli/web-server.ts';
import { numbered, publishLargePackage } from '../insight/large-package.ts';
import { forEachEngine } from '../support/engines.ts';
import { beforeStatements } from '../support/statements.ts';

const QUESTION = { package: 'big', ecosystem: 'npm', from: numbered(1), to: numbered(9) };
const QUERY = new URLSearchParams(QUESTION);
const WORDS = /took too long to answer/i;

forEachEngine('an answer that takes too long', (engine) => {
  let server: Awaited<ReturnType<typeof openWebServer>>;

  before(async () => {
    const { ctx } = await engine.openTestApp({ env: { REGISTRY_PORT: '0' } });
    await publishLargePackage(ctx, 'big', 10);
    // As each engine ends a statement.
    const code = engine.name === 'sqlite' ? 'STATEMENT_TOO_LONG' : '57014';
    const read = beforeStatements(ctx.store.read, async (text) => {
      if (text.includes('package_versions')) throw Object.assign(new Error('ended'), { code });
    });
    server = await openWebServer({ ...ctx, store: { ...ctx.store, read } });
  });

  after(() => server.close({ drain: false }));

  it('is 503 in the envelope of errors, with when to ask again', async () => {
    const response = await fetch(`${server.url}/v1/whats-changed?${QUERY}`);
    const { error } = (await response.json()) as { error: { code: string; message: string; details: object } };
    assert.deepEqual(
      [response.status, error.code, error.details],
      [503, 'service_unavailable', { reason: 'too_long' }],
    );
    assert.match(error.message, WORDS);
    assert.equal(response.headers.get('retry-after'), '30');
  });

  it('is a page in plain words that says when to try again', async () => {
    const response = await fetch(`${server.url}/whats-changed?${QUERY}`, { headers: { Accept: 'text/html' } });
    const page = await response.text();
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '30']);
    assert.match(page, WORDS);
    assert.match(page, /try again in half a minute/i);
    assert.doesNotMatch(page, /service_unavailable|too_long|SELECT/);
  });

  it('is a result of the tool that says what to do', async () => {
    const params = { name: 'whats_changed', arguments: QUESTION };
    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const text = await response.text();
    assert.equal(response.status, 200);
    assert.match(text, WORDS);
    assert.match(text, /ask for less/);
    assert.match(text, /"isError":true/);
  });
});

// A client whose connection ends in the middle of a batch: nothing more is read for it.
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type ClientRequest, request, type ServerResponse } from 'node:http';
import { after, before, it } from 'node:test';
import { openWebServer } from '../../src/cli/web-server.ts';
import type { Context } from '../../src/context.ts';
import { numbered, publishLargePackage, RANGES, VERSIONS } from '../insight/large-package.ts';
import { forEachEngine } from '../support/engines.ts';
import { beforeStatements } from '../support/statements.ts';

const STARTED = 'http.server.request.start';
const items = RANGES.map(({ from }) => {
  return { package: 'big', ecosystem: 'npm', from: numbered(from), to: numbered(VERSIONS) };
});
const tool = { name: 'check_upgrades', arguments: { items } };
const CASES: [what: string, path: string, body: object][] = [
  ['a batch', '/v1/whats-changed/batch', { items }],
  ['a tool of agents', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }],
];

forEachEngine('a client that has gone', (engine) => {
  let server: Awaited<ReturnType<typeof openWebServer>>;
  let response: ServerResponse;
  let onStatement = async () => {};
  let read = 0;
  const started = (message: unknown) => {
    ({ response } = message as { response: ServerResponse });
  };

  before(async () => {
    const { ctx } = await engine.openTestApp({ env: { REGISTRY_PORT: '0' } });
    await publishLargePackage(ctx, 'big');
    const watched = beforeStatements(ctx.store.read, async (text) => {
      if (!text.includes('package_versions')) return;
      read += 1;
      await onStatement();
    });
    server = await openWebServer({ ...ctx, store: { ...ctx.store, read: watched } } satisfies Context);
    subscribe(STARTED, started);
  });

  after(async () => {
    unsubscribe(STARTED, started);
    await server.close({ drain: false });
  });

  function send(path: string, body: object): ClientRequest {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const sent = request(server.url + path, { method: 'POST', headers });
    sent.end(JSON.stringify(body));
    return sent;
  }

  async function answered(path: string, body: object): Promise<number> {
    read = 0;
    const [answer] = await once(send(path, body), 'response');
    answer.resume();
    await once(answer, 'end');
    assert.equal(answer.statusCode, 200);
    return read;
  }

  for (const [what, path, body] of CASES) {
    it(`${what} ends with the connection`, async () => {
      await answered(path, body);
      const whole = await answered(path, body);
      assert.ok(whole >= 3, `${whole} statements`);

      const gone = Promise.withResolvers<void>();
      read = 0;
      onStatement = async () => {
        onStatement = async () => {};
        const closed = once(response, 'close');
        sent.destroy();
        await closed;
        gone.resolve();
      };
      const sent = send(path, body).on('error', () => {});
      await gone.promise;
      const early = read;
      // Whoever comes later is answered, by which time the first one would have read on.
      assert.equal(await answered(path, body), whole);
      assert.equal(early, 1);
    });
  }
});

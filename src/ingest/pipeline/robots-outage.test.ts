// A site whose robots.txt cannot be read is out of order, which is no ban: the log, the counters and `/evaluate` say so.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import { startOutsideWorld } from '../../../test/support/outside-world.ts';
import type { ApiError } from '../../contract/errors.ts';
import { createFetch } from '../../net/fetch.ts';
import { withProofs } from '../adapters/probe.ts';
import { evaluateUrl } from '../evaluate/evaluate.ts';
import { fetchSource } from './fetch-source.ts';

const PAGE = '<!doctype html><title>a</title><main><h2>1.0.0</h2><p>One</p><h2>0.9.0</h2><p>Two</p></main>';

forEachEngine('a robots.txt that cannot be read', (engine) => {
  async function ask(url: string, fetch: ReturnType<typeof createFetch>) {
    const { ctx } = await engine.openTestApp({ fetch });
    const { id } = await createSource(ctx, { type: 'scrape', url });
    const failed = await evaluateUrl(withProofs(ctx), { url }).then(
      () => null,
      (error: ApiError) => error,
    );
    await fetchSource(ctx, id, { trigger: 'schedule' });
    const log = await ctx.store.read.selectFrom('fetch_log').selectAll().executeTakeFirstOrThrow();
    return { failed, log };
  }
  const open = (rules = {}) =>
    createFetch({ userAgent: 'test', allow: ['127.0.0.1'], rules: { retry: false, ...rules } });

  it('refusal: unreachable, 502', async () => {
    const { failed, log } = await ask(`http://127.0.0.1:${await closedPort()}/changelog`, open());
    assert.equal(log.error_category, 'unreachable');
    assert.match(log.error ?? '', /^unreachable: connection_refused/);
    assert.deepEqual([failed?.code, failed?.status], ['upstream_error', 502]);
    assert.match(failed?.message ?? '', /could not be reached/);
  });

  it('a name without an address: unreachable, 502', async () => {
    const lookup = async () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
    const fetch = createFetch({ userAgent: 'test', rules: { retry: false }, lookup });
    const { failed, log } = await ask('https://gone.example/changelog', fetch);
    assert.match(log.error ?? '', /^unreachable: dns_error/);
    assert.equal(failed?.code, 'upstream_error');
  });

  it('no answer in time: timeout, 502', async () => {
    const world = await startOutsideWorld();
    world.route('/robots.txt', { hang: true });
    const { failed, log } = await ask(`${world.url}/changelog`, open({ limits: { firstByteMs: 50 } }));
    await world.close();
    assert.deepEqual([log.error_category, log.status], ['timeout', 'timeout']);
    assert.equal(failed?.code, 'upstream_error');
    assert.match(failed?.message ?? '', /did not answer in time/);
  });

  it('a fault of the server: unreachable, 502', async () => {
    const world = await startOutsideWorld();
    world.route('/robots.txt', { status: 503 });
    world.route('/changelog', PAGE);
    const { failed, log } = await ask(`${world.url}/changelog`, open());
    await world.close();
    assert.match(log.error ?? '', /^unreachable: robots\.txt answered http 503/);
    assert.deepEqual([failed?.code, failed?.details], ['upstream_error', { host: world.host, status: 503 }]);
  });

  it('a rule that was read is a ban', async () => {
    const world = await startOutsideWorld();
    world.route('/robots.txt', { body: 'User-agent: *\nDisallow: /', headers: { 'content-type': 'text/plain' } });
    const { failed, log } = await ask(`${world.url}/changelog`, open());
    await world.close();
    assert.deepEqual([log.error_category, log.error], ['blocked', 'blocked: robots']);
    assert.equal(failed?.code, 'bad_request');
    assert.match(JSON.stringify(failed?.details), /robots\.txt/);
  });

  it('a private address says that it is private', async () => {
    const { failed, log } = await ask('http://10.0.0.1/changelog', open());
    assert.match(log.error ?? '', /private_address/);
    assert.notEqual(log.error_category, 'blocked');
    assert.equal(failed?.code, 'bad_request');
    assert.match(JSON.stringify(failed?.details), /private/);
  });
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

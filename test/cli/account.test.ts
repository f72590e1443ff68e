// The commands of an account, from the device login to a verified delivery.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, it, mock } from 'node:test';
import type { App } from '../../src/app.ts';
import { createDeliveryEngine } from '../../src/webhooks/delivery/engine.ts';
import { fanOut } from '../../src/webhooks/delivery/fan-out.ts';
import { type Account, signUp } from '../support/accounts.ts';
import { as } from '../support/callers.ts';
import { type Cli, createCli, golden } from '../support/cli.ts';
import { forEachEngine, ROOT_KEY } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type OutsideWorld, type SeenRequest, startOutsideWorld } from '../support/outside-world.ts';
import { type Service, startService } from '../support/service.ts';

const NEVER = new AbortController().signal;

forEachEngine('commands of an account', (engine) => {
  let app: App;
  let service: Service;
  let cli: Cli;
  let account: Account;
  let world: OutsideWorld;
  let sourceId = '';

  before(async () => {
    world = await startOutsideWorld();
    app = await engine.openTestApp({ env: { REGISTRY_EGRESS_ALLOW: '127.0.0.1' } });
    service = await startService(app);
    cli = await createCli(service.url);
    account = await signUp(service);
    const ctx = as(app.ctx, 'admin');
    const org = await createOrg(ctx, { name: 'Acme', slug: 'acme' });
    const product = await createProduct(ctx, org.id, { name: 'CLI', slug: 'cli' });
    sourceId = (await createSource(ctx, { slug: 'cli', orgId: org.id, productId: product.id })).id;
    await createOrg(ctx, { name: 'Other', slug: 'other' });
  });
  after(() => world.close());
  afterEach(() => mock.timers.reset());

  const stored = () => JSON.parse(readFileSync(join(cli.configHome, 'credentials.json'), 'utf8'))[service.url];

  // Approves or denies like the person at the browser; waiting moves the clock instead.
  async function withApproval(args: string[], decide: 'approve' | 'deny' = 'approve', polls = 1) {
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
    let userCode = '';
    const waits: number[] = [];
    const run = await cli.run(args, {
      onError(line) {
        userCode ||= /enter the code (\S+)$/.exec(line)?.[1] ?? '';
      },
      async wait(ms) {
        waits.push(ms);
        mock.timers.setTime(Date.now() + ms);
        if (waits.length !== polls) return;
        await account.cookie.get(`/api/auth/device?user_code=${userCode}`);
        const answer = await account.cookie.post(`/api/auth/device/${decide}`, { userCode });
        assert.equal(answer.status, 200, answer.text);
      },
    });
    mock.timers.reset();
    return { ...run, waits };
  }

  it('login: a code, an approval, a key that only the owner can read; the key before it is revoked', async () => {
    const first = await withApproval(['login'], 'approve', 2);
    const { key, id } = stored();
    const second = await withApproval(['login', '--json']);

    assert.match(first.stderr, /^Open \S+\/device and enter the code [A-Z0-9]{4}-[A-Z0-9]{4}\n$/);
    assert.equal(first.stdout, `signed in to ${service.url} as ${account.email}\n`);
    assert.deepEqual(first.waits, [5000, 5000]);
    assert.match(key, /^relu_/);
    assert.equal(statSync(join(cli.configHome, 'credentials.json')).mode & 0o777, 0o600);
    assert.deepEqual(JSON.parse(second.stdout), { server: service.url, account: account.email });
    assert.equal((await service.as(key).get('/v1/me')).status, 401);
    assert.notEqual(stored().id, id);
    // The session of the login is signed out.
    const sessions = await account.cookie.get('/api/auth/list-sessions');
    assert.equal(sessions.body.length, 1);
  });

  it('1: a login that is denied', async () => {
    const { code, stdout, stderr } = await withApproval(['login'], 'deny');

    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /the request was denied in the browser/);
  });

  it('whoami: account, server, kind of credential; --check exits by it', async () => {
    const known = await cli.run(['whoami']);
    const wrong = await cli.run(['whoami', '--check'], { env: { REGISTRY_API_KEY: 'relu_wrong' } });

    assert.equal(
      known.stdout,
      `server\t${service.url}\ncredential\tuser_key (from the file)\nname\t${/name\t(.*)/.exec(known.stdout)?.[1]}\naccount\t${account.email}\nscope\tread\n`,
    );
    assert.equal((await cli.run(['whoami', '--check'])).code, 0);
    assert.match(wrong.stdout, /^credential\tnot valid$/m);
    assert.equal(wrong.code, 1);
    assert.equal((await cli.run(['whoami'], { env: { REGISTRY_API_KEY: 'relu_wrong' } })).code, 1);
    assert.equal((await cli.run(['whoami', '--no-auth', '--check'])).code, 1);
    assert.match(
      (await cli.run(['whoami'], { env: { REGISTRY_API_KEY: ROOT_KEY } })).stdout,
      /credential\troot \(from the environment\)/,
    );
  });

  it('follow, following, unfollow, feed, feed -f, feed url', async () => {
    assert.equal((await cli.run(['follow', 'acme/cli', 'other'])).stdout, 'following acme/cli\nfollowing other\n');
    assert.match(
      golden((await cli.run(['following'])).stdout),
      /^other\torg\tOther\t\S+\torg_…\nacme\/cli\tproduct\tCLI\t\S+\tprod_…\n$/,
    );
    assert.equal((await cli.run(['unfollow', 'other'])).stdout, 'no longer following other\n');
    const missing = await cli.run(['follow', 'acme/cli', 'nobody']);
    assert.deepEqual([missing.code, missing.stdout], [1, '']);

    const ctx = as(app.ctx, 'admin');
    const foreign = await createSource(ctx);
    await postReleases(ctx, sourceId, [releaseRow('1.0.0')]);
    let posted: Promise<unknown> | null = null;
    const followed = await cli.run(['feed', '-f'], {
      onLine(printed, interrupt) {
        posted ??= postReleases(ctx, foreign.id, [releaseRow('9.0.0')]).then(() =>
          postReleases(ctx, sourceId, [releaseRow('1.1.0')]),
        );
        if (printed.includes('1.1.0')) interrupt();
      },
    });
    await posted;
    const versions = followed.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[2]);
    assert.deepEqual([versions, followed.code], [['1.0.0', '1.1.0'], 130]);
    assert.equal((await cli.run(['feed', '--all'])).stdout.split('\n').length, 3);

    const url = (await cli.run(['feed', 'url'])).stdout;
    assert.match(url, /^http\S+relf_\S+\n$/);
    assert.equal((await cli.run(['feed', 'url'])).stdout, url);
    assert.notEqual((await cli.run(['feed', 'url', '--rotate'])).stdout, url);
  });

  it('keys: create and revoke need an approval, a key ends itself alone', async () => {
    const created = await withApproval(['keys', 'create', 'build', '--expires-in-days', '90', '--json']);
    const { key, id } = JSON.parse(created.stdout);
    assert.equal((await service.as(key).get('/v1/me')).status, 200);
    assert.match((await cli.run(['keys', 'list'])).stdout, new RegExp(`^${id}\tbuild\t`, 'm'));

    assert.equal((await cli.run(['keys', 'revoke', id])).code, 2);
    assert.equal((await cli.run(['keys', 'revoke', id], { answers: ['no'] })).code, 1);
    const revoked = await withApproval(['keys', 'revoke', id, '--yes']);
    assert.equal(revoked.stdout, `revoked ${id}\n`);
    assert.equal((await service.as(key).get('/v1/me')).status, 401);
  });

  it('webhook: add, test --wait, verify what arrived, edit, pause, rotate, replay, delete', async () => {
    world.route('/in', { status: 204 });
    world.route('/broken', { status: 400 });
    const sender = createDeliveryEngine();
    const wait = () => sender.run(app.ctx, NEVER);
    const added = await cli.run(['webhook', 'add', `${world.url}/in`, '--org', 'acme', '--source', 'cli', '--json']);
    const { id, signingKey, standardSecret } = JSON.parse(added.stdout);
    assert.equal(added.code, 0, added.stderr);

    const tested = await cli.run(['webhook', 'test', id, '--wait'], { wait });
    assert.match(golden(tested.stdout), /^\S+\tsuccess\t204\t\d+\t1\t\tdlv_…\tevt_…\n$/);
    assert.equal(tested.code, 0);

    const { headers, body } = world.requested('/in')[0] as SeenRequest;
    const [bodyFile, keyFile] = [join(cli.configHome, 'body'), join(cli.configHome, 'key')];
    writeFileSync(bodyFile, body);
    writeFileSync(keyFile, `${standardSecret}\n`);
    const timestamp = String(headers['webhook-timestamp']);
    const verify = (args: string[], env = {}) =>
      cli.run(['webhook', 'verify', '--timestamp', timestamp, '--body-file', bodyFile, ...args], { env });
    const byService = ['--signature', String(headers['x-service-signature'])];
    const standard = ['--signature', String(headers['webhook-signature']), '--id', String(headers['webhook-id'])];
    const cases: [run: Awaited<ReturnType<typeof verify>>, code: number, stdout: string][] = [
      [await verify([...byService], { REGISTRY_WEBHOOK_KEY: signingKey }), 0, 'valid\n'],
      [await verify([...standard, '--key-file', keyFile]), 0, 'valid\n'],
      [await verify([...standard, '--key-file', keyFile, '--json']), 0, '{"valid":true,"result":"valid"}\n'],
      [await verify([...byService], { REGISTRY_WEBHOOK_KEY: '0'.repeat(64) }), 1, 'signature_mismatch\n'],
      [
        await verify([...byService, '--timestamp', '1'], { REGISTRY_WEBHOOK_KEY: signingKey }),
        1,
        'timestamp_outside_window\n',
      ],
      [
        await verify([...byService, '--timestamp', 'x'], { REGISTRY_WEBHOOK_KEY: signingKey }),
        1,
        'invalid_timestamp\n',
      ],
      [await verify([...byService]), 2, ''],
      [await verify(['--signature', 'v1,abc', '--key-file', keyFile]), 2, ''],
      [await verify([...byService, '--key-file', bodyFile]), 2, ''],
    ];
    for (const [index, [run, code, stdout]] of cases.entries()) {
      assert.deepEqual([run.code, run.stdout], [code, stdout], `case ${index}: ${run.stderr}`);
    }

    const edited = await cli.run(['webhook', 'edit', id, '--url', `${world.url}/broken`, '--clear', 'source']);
    assert.match(edited.stdout, /^for\tacme\/\*$/m);
    const meant = await cli.run([
      'webhook',
      'edit',
      id,
      '--min-breaking',
      'minor',
      '--min-importance',
      '4',
      '--security',
    ]);
    assert.match(meant.stdout, /^only\tminor and major breaks, or importance 4 and above, or security fixes$/m);
    const less = await cli.run(['webhook', 'edit', id, '--clear', 'min-breaking,min-importance']);
    assert.match(less.stdout, /^only\tsecurity fixes$/m);
    assert.doesNotMatch((await cli.run(['webhook', 'edit', id, '--clear', 'security'])).stdout, /^only\t/m);
    for (const wrong of [
      ['--min-breaking', 'unknown'],
      ['--min-importance', '6'],
    ]) {
      assert.equal((await cli.run(['webhook', 'edit', id, ...wrong])).code, 2, wrong.join(' '));
    }
    assert.equal((await cli.run(['webhook', 'edit', id])).code, 2);
    const failed = await cli.run(['webhook', 'test', id, '--wait'], { wait });
    assert.match(failed.stdout, /\tperm_fail\t400\t/);
    assert.equal(failed.code, 1);

    assert.match((await cli.run(['webhook', 'pause', id])).stdout, /^state\tpaused/m);
    assert.match((await cli.run(['webhook', 'resume', id])).stdout, /^state\ton$/m);
    assert.match(
      (await cli.run(['webhook', 'rotate', id])).stdout,
      /^signing key\t[0-9a-f]{64}\nstandard secret\twhsec_/,
    );
    assert.match(golden((await cli.run(['webhook', 'list'])).stdout), /^whk_…\tacme\/\*\thttp:\S+\/broken\tjson\ton\t/);
    assert.match((await cli.run(['webhook', 'show', id])).stdout, /^health\t/m);

    await cli.run(['webhook', 'edit', id, '--url', `${world.url}/in`]);
    await postReleases(as(app.ctx, 'admin'), sourceId, [releaseRow('3.0.0')]);
    await fanOut(app.ctx);
    await sender.run(app.ctx, NEVER);
    const log = await cli.run(['webhook', 'deliveries', id, '--limit', '1', '--json']);
    const [delivery] = JSON.parse(log.stdout).data;
    assert.equal(delivery.outcome, 'success');
    assert.match((await cli.run(['webhook', 'deliveries', id, '--failed'])).stdout, /^\S+\tperm_fail\t400\t[^\n]+\n$/);
    assert.match((await cli.run(['webhook', 'replay', id, delivery.delivery_id])).stdout, /^queued\tdlv_/);
    assert.match((await cli.run(['webhook', 'replay', id, '--since', '1d'])).stdout, /^matched\t\d+\nqueued\t/);
    assert.equal((await cli.run(['webhook', 'replay', id])).code, 2);

    assert.equal((await cli.run(['webhook', 'delete', id])).code, 2);
    assert.equal((await cli.run(['webhook', 'delete', id], { answers: ['y'] })).stdout, `deleted ${id}\n`);
    assert.equal((await cli.run(['webhook', 'show', id])).code, 1);
  });

  it('login --with-key, then logout: the key is revoked and forgotten', async () => {
    const { value } = await account.key('for stdin');
    const given = await cli.run(['login', '--with-key'], { input: `${value}\n` });
    assert.equal(given.stdout, `signed in to ${service.url} as ${account.email}\n`);
    assert.equal(stored().key, value);
    assert.equal((await cli.run(['login', '--with-key'], { input: '' })).code, 2);
    assert.equal((await cli.run(['login', '--with-key'], { input: 'relu_wrong' })).code, 1);

    assert.equal((await cli.run(['logout'])).stdout, `signed out of ${service.url}\n`);
    assert.equal((await service.as(value).get('/v1/me')).status, 401);
    assert.equal(stored(), undefined);
    assert.equal((await cli.run(['logout'])).code, 1);
    assert.match((await cli.run(['following'])).stderr, /run `registry login`/);
  });
});

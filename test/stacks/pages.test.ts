// Stacks as their owner handles them: on pages, and from a terminal with a key that can do nothing else.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, it } from 'node:test';
import { load } from 'cheerio';
import { judgeStale } from '../../src/accounts/stacks/judge-stale.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { listPublished } from '../insight/published.ts';
import { openUpgradeWorld, type UpgradeWorld } from '../insight/upgrade-world.ts';
import { type Account, signUp } from '../support/accounts.ts';
import { as } from '../support/callers.ts';
import { createCli } from '../support/cli.ts';
import { forEachEngine } from '../support/engines.ts';
import { browse } from '../support/forms.ts';

const LOCKFILE = JSON.stringify({
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { breaker: '^1.0.0' } },
    'node_modules/breaker': { version: '1.0.0' },
    'node_modules/<b>odd': { version: '1.0.0' },
    'node_modules/nobody': { version: '1.0.0' },
  },
});

forEachEngine('pages of stacks', (engine) => {
  let world: UpgradeWorld;
  let account: Account;
  let browser: ReturnType<typeof browse>;
  before(async () => {
    world = await openUpgradeWorld(engine);
    account = await signUp(world.service);
    browser = browse(world.service, { cookies: account.cookieHeader });
    const source = await world.fill([
      { version: '1.0.0', content: 'First.' },
      { version: '2.0.0', content: '### Breaking changes\n- `open` was removed, use `read` instead.' },
    ]);
    await putPackage(as(world.ctx, 'admin'), { ecosystem: 'npm', name: 'breaker', sourceId: source.id });
  });

  it('add one from a pasted lockfile, show it by risk, mark it as seen and remove it', async () => {
    const list = await browser.get('/account/stacks');
    assert.match(load(list.text)('main').text(), /No stacks yet/);
    const refused = await browser.submit(list, { name: 'web shop', lock: LOCKFILE }, 'stack');
    assert.equal(refused.status, 422);
    assert.match(load(refused.text)('textarea').text(), /node_modules/, 'what was pasted stays');
    await browser.submit(list, { name: 'web-shop', lock: LOCKFILE }, 'stack');
    const page = await browser.get('/account/stacks/web-shop');
    const $ = load(page.text);
    assert.equal($('h1').text(), 'web-shop');
    assert.match($('.answer h2').text(), /^1 update breaks/);
    assert.match($('#breaks').text(), /1 breaks/);
    assert.match($('main').text(), /Nothing is new since the last push/);
    assert.match($('#not-known').text(), /1 not known: 1 has no notes and no findings/);
    const ids = $('[id]')
      .map((_, element) => $(element).attr('id'))
      .get();
    assert.equal(new Set(ids).size, ids.length, 'ids are unique');

    const at = new Date(Date.now() + 1000).toISOString();
    await listPublished(world.ctx, 'breaker', ['1.0.0', '2.0.0', '3.0.0'], { listedAt: at });
    await judgeStale(world.ctx, { signal: new AbortController().signal });
    const later = await browser.get('/account/stacks/web-shop');
    assert.match(load(later.text)('section[aria-labelledby=nh]').text(), /breaker.*3\.0\.0/s);
    assert.match(load((await browser.get('/account/stacks')).text)('tbody').text(), /1 since the last push/);
    await browser.submit(later, {}, 'seen');
    const seen = await browser.get('/account/stacks/web-shop');
    assert.match(load(seen.text)('main').text(), /Nothing is new/);

    await browser.submit(seen, {}, 'feed-new');
    const fed = load((await browser.get('/account/stacks/web-shop')).text)('output').text();
    assert.match(fed, /\/v1\/feed\/stack\/relf_\w+\.atom$/);
    await browser.submit(await browser.get('/account/stacks/web-shop'), {}, 'stack-remove');
    assert.equal((await browser.get('/account/stacks/web-shop')).status, 404);
  });

  it('keep what a report was about', async () => {
    const made = await browser.submit(
      await browser.get('/whats-changed?input=files'),
      { text: LOCKFILE },
      'whats-changed-files',
    );
    const report = await browser.get(made.headers.get('location') ?? '');
    await browser.submit(report, { name: 'kept' }, 'keep-stack');
    const { body } = await account.session.get('/v1/me/stacks/kept');
    assert.deepEqual(
      body.packages.map((one: { package: string; version: string }) => [one.package, one.version]),
      [
        ['breaker', '1.0.0'],
        ['nobody', '1.0.0'],
      ],
    );
  });

  it('take marks of their owner: done until the next version, ignored for a reason', async () => {
    const path = '/account/stacks/kept';
    const keep = async () => load((await browser.get(path)).text);
    await browser.submit(await browser.get(path), { done: 'npm:breaker' }, 'stack-marks');
    assert.match((await keep())('#done').text(), /1 done/);
    await browser.submit(await browser.get(path), { again: 'npm:breaker' }, 'stack-marks');
    assert.match((await keep())('#breaks').text(), /1 breaks/);
    const asked = await browser.get(`${path}?ignore=npm%3Abreaker`);
    await browser.submit(asked, { reason: 'Waits for <Node>', until: '2999-01-01' }, 'stack-ignore');
    const $ = await keep();
    assert.match($('#ignored').text(), /1 ignored/);
    assert.match($('.answer h2').text(), /Not known for 1 package/);
    const { body } = await account.session.get('/v1/me/stacks/kept/report');
    const row = body.rows.find((one: { package: string }) => one.package === 'breaker');
    assert.deepEqual(
      [row.group, row.mark.kind, row.mark.reason, row.mark.until],
      ['ignored', 'ignored', 'Waits for <Node>', '2999-01-01'],
    );
    const mark = { ecosystem: 'npm', package: 'breaker', mark: 'ignored' };
    const marks = '/v1/me/stacks/kept/marks';
    assert.equal((await account.session.put(marks, mark)).status, 400, 'a reason is needed');
    assert.equal((await account.session.put(marks, { ...mark, reason: 'x', until: '2001-01-01' })).status, 400);
    assert.equal((await account.session.put(marks, { ...mark, package: 'elsewhere', mark: 'none' })).status, 404);
    assert.equal((await account.session.put(marks, { ...mark, mark: 'none' })).status, 200);
  });

  it('are pushed, listed, shown and removed from a terminal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stack-'));
    const file = join(folder, 'package-lock.json');
    writeFileSync(file, LOCKFILE);
    const { key } = (await account.session.post('/v1/me/api-keys', { name: 'ci', scope: 'stacks' })).body;
    const cli = await createCli(world.service.url);
    const env = { REGISTRY_API_KEY: key };
    const pushed = await cli.run(['stack', 'push', file, '--name', 'from-ci'], { env });
    assert.deepEqual([pushed.code, /pushed 2 packages as from-ci/.test(pushed.stdout)], [0, true], pushed.stderr);
    const shown = await cli.run(['stack', 'show', 'from-ci'], { env });
    assert.match(shown.stdout, /Breaks\s+breaker\s+1\.0\.0/);
    assert.match((await cli.run(['stack', 'list'], { env })).stdout, /from-ci/);
    assert.notEqual((await cli.run(['stack', 'delete', 'from-ci', '--yes'], { env })).code, 0, 'the key may not');

    const asOwner = { env: { REGISTRY_API_KEY: account.sessionToken } };
    const url = 'https://93.184.216.34/in';
    const hook = await cli.run(
      ['webhook', 'add', url, '--stack', 'from-ci', '--min-breaking', 'major', '--json'],
      asOwner,
    );
    const { scope, stackName, minBreaking } = JSON.parse(hook.stdout || '{}');
    assert.deepEqual([scope, stackName, minBreaking], ['stack', 'from-ci', 'major'], hook.stderr);
    const both = await cli.run(['webhook', 'add', url, '--stack', 'from-ci', '--org', 'acme'], asOwner);
    assert.equal(both.code, 2);
  });
});

// "Track it": a reader has a repository read from the home page and from the page about an upgrade, without script.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { load } from 'cheerio';
import { release, serveGithub } from '../../src/ingest/adapters/github/github.fixture.ts';
import { signUp } from '../support/accounts.ts';
import type { Answer } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource, postReleases, releaseRow } from '../support/factories.ts';
import { browse } from '../support/forms.ts';
import { type OutsideWorld, startOutsideWorld } from '../support/outside-world.ts';
import { serveNpm } from '../support/package-documents.ts';
import { type Service, startService } from '../support/service.ts';

const FORM = 'application/x-www-form-urlencoded';

forEachEngine('having a repository read from a page', (engine) => {
  let world: OutsideWorld;
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());

  const start = async (env: Record<string, string> = {}) => {
    const upstream = {
      REGISTRY_GITHUB_API_URL: world.url,
      REGISTRY_GITHUB_RAW_URL: world.url,
      REGISTRY_NPM_URL: world.url,
    };
    const app = await engine.openTestApp({ fetch: world.fetch(), env: { ...upstream, ...env } });
    return { app, service: await startService(app) };
  };
  const asked = (name: string, more: Record<string, string> = {}) =>
    `/whats-changed?${new URLSearchParams({ package: name, ecosystem: 'github', from: '1.0.0', ...more })}`;
  const backOf = (answer: Answer) => new URL(answer.headers.get('location') ?? '');
  const words = (page: Answer) => load(page.text)('main').text();
  const trackOf = async (service: Service, page: Answer, fill: Record<string, string> = {}) => {
    const sent = await browse(service).submit(page, fill, 'track');
    assert.equal(sent.status, 303);
    return backOf(sent);
  };

  it('reads it, leads back to the question, and answers it', async () => {
    serveGithub(world, { releases: [release(1), release(2)] });
    const { service } = await start();
    const page = await service.anonymous.get(asked('Acme/Engine'), { Accept: 'text/html' });
    const $ = load(page.text);
    assert.equal($('form[data-form=track] button').text(), 'Track acme/engine');
    assert.equal($('form[data-form=track] input[name=csrf]').length, 0, 'the page is the same for all');

    const back = await trackOf(service, page);

    const { from, track, ...question } = Object.fromEntries(back.searchParams);
    assert.deepEqual([from, track], ['1.0.0', 'read']);
    assert.deepEqual(question, { package: 'acme/engine', ecosystem: 'github', to: 'latest' });
    const answer = await browse(service).get(back.href);
    assert.match(words(answer), /The releases of acme\/engine were read just now/);
    assert.doesNotMatch(words(answer), /not tracked here/);
    assert.equal((await trackOf(service, page)).searchParams.get('track'), 'known');
  });

  it('says why nothing was read', async () => {
    serveGithub(world, { releases: [release(1)] });
    const { service } = await start();
    const missing = await service.anonymous.get(asked('acme/none'), { Accept: 'text/html' });
    const back = await trackOf(service, missing);
    assert.equal(back.searchParams.get('track'), 'missing');
    assert.match(words(await browse(service).get(back.href)), /no public repository acme\/none with releases/);

    const home = await service.anonymous.get('/', { Accept: 'text/html' });
    const unclear = await trackOf(service, home, { package: 'engine', ecosystem: 'github' });
    assert.deepEqual(Object.fromEntries(unclear.searchParams), {
      package: 'engine',
      ecosystem: 'github',
      track: 'unclear',
    });
    assert.match(words(await browse(service).get(unclear.href)), /Name the repository as owner\/name/);
  });

  it('counts in the same limit as the API', async () => {
    serveGithub(world, { releases: [release(1)] });
    const { service } = await start();
    const kim = await signUp(service);
    const browser = browse(service, { cookies: kim.cookieHeader });
    const page = await browser.get(asked('acme/none'));
    for (let call = 0; call < 10; call += 1) await browser.submit(page, {}, 'track');
    const stopped = backOf(await browser.submit(page, {}, 'track'));
    assert.equal(stopped.searchParams.get('track'), 'wait');
    assert.match(words(await browser.get(stopped.href)), /Wait a minute/);
    const call = await kim.cookie.post('/v1/lookups', { provider: 'github', coordinate: 'acme/none' });
    assert.equal(call.status, 429);
  });

  it('takes an address of GitHub on the home page, and asks for the version', async () => {
    serveGithub(world, { releases: [release(1), release(2)] });
    const { service } = await start();
    const home = await service.anonymous.get('/', { Accept: 'text/html' });
    // A repository is recognized, whatever the form says beside it.
    const back = await trackOf(service, home, { package: ' https://github.com/Acme/Engine ' });
    const page = load((await browse(service).get(back.href)).text);
    assert.equal(page('#w-p').attr('value'), 'acme/engine');
    assert.equal(page('#w-e option[selected]').attr('value'), 'github');
    assert.match(page('.notice').text(), /were read just now\..*Enter the version that you have/);
  });

  it('adds no more than the daily number', async () => {
    serveGithub(world, { releases: [release(1)] });
    const { service } = await start({ REGISTRY_LOOKUP_DAILY: '0' });
    const page = await service.anonymous.get(asked('acme/engine'), { Accept: 'text/html' });
    const back = await trackOf(service, page);
    assert.equal(back.searchParams.get('track'), 'full');
    assert.match(words(await browse(service).get(back.href)), /no more repositories today/);
  });

  it('offers nothing where readers may not look repositories up', async () => {
    for (const access of ['off', 'write']) {
      const { service } = await start({ REGISTRY_LOOKUPS: access });
      const home = await service.anonymous.get('/', { Accept: 'text/html' });
      assert.equal(load(home.text)('[data-form=track]').length, 0);
      const page = await service.anonymous.get(asked('acme/engine'), { Accept: 'text/html' });
      assert.equal(load(page.text)('[data-form=track]').length, 0);
      assert.match(words(page), /Only operators can add repositories here/);
      const sent = await service.anonymous.post('/whats-changed/track', 'coordinate=acme%2Fengine', {
        'Content-Type': FORM,
        Origin: service.origin,
      });
      assert.equal(backOf(sent).searchParams.get('track'), 'closed');
    }
  });

  it('takes forms of this site only, and of a session only with its token', async () => {
    const { app, service } = await start({ REGISTRY_ASK: 'on' });
    const kim = await signUp(service);
    const page = load((await browse(service, { cookies: kim.cookieHeader }).get('/')).text);
    const csrf = page('[data-form=track] input[name=csrf]').attr('value') ?? '';
    assert.notEqual(csrf, '');
    const send = (fields: Record<string, string>, headers: Record<string, string>) =>
      service.anonymous.post('/whats-changed/track', new URLSearchParams(fields).toString(), {
        'Content-Type': FORM,
        ...headers,
      });
    const own = { Origin: service.origin };
    const session = { ...own, Cookie: kim.cookieHeader };
    const coordinate = 'acme/engine';
    assert.equal((await send({ coordinate }, { Origin: 'https://elsewhere.example' })).status, 403);
    assert.equal((await send({ coordinate }, {})).status, 403);
    assert.equal((await send({ coordinate }, session)).status, 403);
    assert.equal((await send({ coordinate, csrf: 'made.up' }, session)).status, 403);
    const none = await app.ctx.store.read.selectFrom('sources').select('id').execute();
    assert.deepEqual(none, []);
    serveGithub(world, { releases: [release(1)] });
    const done = await send({ coordinate, csrf }, session);
    assert.deepEqual([done.status, backOf(done).searchParams.get('track')], [303, 'read']);
  });

  it('has a stored source read again when its last reading is older than a day and newer versions may exist', async () => {
    const { app, service } = await start({ REGISTRY_ASK: 'on' });
    const source = await createSource(app.ctx, { url: 'https://github.com/acme/stored', type: 'github' });
    await postReleases(app.ctx, source.id, [releaseRow('1.0.0'), releaseRow('1.1.0', { breaking: 'major' })]);
    const read = (query: Record<string, string>) =>
      service.anonymous.get(asked('acme/stored', query), { Accept: 'text/html' });
    const page = await read({ to: '3.0.0' });
    assert.equal(load(page.text)('[data-form=track] button').text(), 'Read the source now');
    assert.equal(load(page.text)('.answer > .todos > .todo').length, 2, 'what to do, and the button below it');
    const back = await trackOf(service, page);
    assert.deepEqual([back.searchParams.get('track'), back.searchParams.get('to')], ['again', '3.0.0']);
    assert.match(words(await browse(service).get(back.href)), /acme\/stored is read again now\./);
    const jobs = await app.ctx.store.read
      .selectFrom('jobs')
      .select('kind')
      .where('source_id', '=', source.id)
      .execute();
    assert.ok(jobs.some(({ kind }) => kind === 'fetch'));

    const fetched = { last_fetched_at: app.ctx.clock().toISOString() };
    await app.ctx.store.transaction(
      (tx) => tx.updateTable('sources').set(fetched).where('id', '=', source.id).execute(),
      'bookkeeping',
    );
    assert.equal(load((await read({ to: '3.1.0' })).text)('[data-form=track]').length, 0);
  });

  it('offers to track a package, and the search for it under another name', async () => {
    const { service } = await start();
    const page = await service.anonymous.get('/whats-changed?package=@a/b&from=1.0.0&ecosystem=npm', {
      Accept: 'text/html',
    });
    const $ = load(page.text);
    assert.equal($('[data-form=track] button').text(), 'Track @a/b');
    assert.equal($('.todo a').attr('href'), '/search?q=%40a%2Fb');
    const either = load(
      (await service.anonymous.get('/whats-changed?package=lamp&from=1.0.0', { Accept: 'text/html' })).text,
    );
    const buttons = either('[data-form=track] button').map((_, one) => either(one).text());
    assert.deepEqual(buttons.get(), ['Track lamp from npm', 'Track lamp from PyPI']);
  });

  it('reads a package, leads back to the question, and answers it', async () => {
    serveGithub(world, { releases: [release(1), release(2)] });
    serveNpm(world, { name: 'engine', versions: { '1.1.0': '2024-05-01', '1.2.0': '2024-05-01' } });
    const { service } = await start();
    const question = '/whats-changed?package=engine&from=1.1.0&to=1.2.0&ecosystem=npm';
    const back = await trackOf(service, await service.anonymous.get(question, { Accept: 'text/html' }));
    const { track, ...asked } = Object.fromEntries(back.searchParams);
    assert.deepEqual([track, asked], ['read', { package: 'engine', ecosystem: 'npm', from: '1.1.0', to: '1.2.0' }]);
    const answer = await browse(service).get(back.href);
    assert.match(words(answer), /The releases of engine were read just now/);
    assert.doesNotMatch(words(answer), /not tracked here/);

    const unknown = await service.anonymous.get('/packages/npm/@acme/dark', { Accept: 'text/html' });
    assert.deepEqual(
      [unknown.status, load(unknown.text)('form[data-form=track] button').text()],
      [404, 'Track @acme/dark'],
    );

    assert.match(words(unknown), /@acme\/dark is not known here yet/);

    const home = await service.anonymous.get('/', { Accept: 'text/html' });
    const named = await trackOf(service, home, { package: 'engine' });
    assert.deepEqual(Object.fromEntries(named.searchParams), { package: 'engine', ecosystem: 'npm', track: 'known' });

    const missing = await service.anonymous.get('/whats-changed?package=Nobody&from=1&ecosystem=npm', {
      Accept: 'text/html',
    });
    const gone = await trackOf(service, missing);
    assert.equal(gone.searchParams.get('track'), 'missing');
    assert.match(words(await browse(service).get(gone.href)), /no package Nobody on npm/);
  });

  // A question orders what it lacks, and nobody is told to ask again.
  it('is not needed for a report, which has its packages read', async () => {
    serveGithub(world, { releases: [release(1), release(2)] });
    serveNpm(world, { name: 'engine', versions: { '1.1.0': '2024-05-01', '1.2.0': '2024-05-01' } });
    const { app, service } = await start({ REGISTRY_ASK: 'on' });
    const locked = Array.from({ length: 11 }, (_, index) => `none-${index}`);
    const packages = Object.fromEntries(
      [...locked, 'engine'].map((name) => [`node_modules/${name}`, { version: '1.1.0' }]),
    );
    const root = { dependencies: { engine: '^1.0.0' } };
    const text = JSON.stringify({ name: 'app', lockfileVersion: 3, packages: { '': root, ...packages } });
    const later = text.replaceAll('"1.1.0"', '"1.2.0"');
    const browser = browse(service);
    const form = await browser.get('/whats-changed?input=files');
    const report = await browser.submit(form, { mode: 'both', old_text: text, new_text: later }, 'whats-changed-files');
    assert.equal(report.status, 303);
    const page = await browser.get(report.headers.get('location') ?? '');
    assert.equal(page.status, 200);
    assert.match(words(page), /12 not known: 12 are being read/);
    assert.equal(load(page.text)('#not-known').parent().find('button').length, 0, 'nobody has to ask for it');
    const orders = await app.ctx.store.read.selectFrom('readings').select('name').execute();
    assert.deepEqual(new Set(orders.map(({ name }) => name)), new Set([...locked, 'engine']));
  });
});

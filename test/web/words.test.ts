// What pages say is English: no name of a variable, no value that was never filled in, no word twice.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { load } from 'cheerio';
import { TRACK_OUTCOMES } from '../../src/web/components/track.ts';
import { signUp } from '../support/accounts.ts';
import { forEachEngine, ROOT_KEY } from '../support/engines.ts';
import { openWebWorld, type WebWorld } from './world.ts';

// What a machine compares stands in these parts, and what publishers and operators wrote in the last ones.
const NO_SENTENCES = 'script, style, svg title, code, pre, kbd, textarea, .mono, .version, .prose, .row';
const SPOKEN = ['aria-label', 'title', 'alt', 'placeholder'];
const NAMES = /\b(?:iOS|iPhone|iPad|eBay|macOS)\b|https?:\/\/\S+/g;
const NOT_ENGLISH = [
  /\b[a-z]+[A-Z]\w*/g,
  /\b[A-Za-z]+_\w+/g,
  /\b(?:undefined|NaN|null)\b|\[object \w+\]/g,
  /\b([A-Za-z]{2,}) \1\b/gi,
  /\b0 of 0\b/g,
];

function oddWords(markup: string): string[] {
  const $ = load(markup);
  $(NO_SENTENCES).replaceWith(' ~ ');
  const attributes = SPOKEN.flatMap((name) => [...$(`[${name}]`)].map((part) => $(part).attr(name) ?? ''));
  // Texts of neighbouring parts are no sentence together.
  const texts = [...$('*').contents()].flatMap((node) => (node.type === 'text' ? [node.data] : []));
  return [...texts, ...attributes].flatMap((text) =>
    NOT_ENGLISH.flatMap((pattern) => text.replaceAll(NAMES, '').match(pattern) ?? []),
  );
}

const LOCKFILE = (version: string) => JSON.stringify({ dependencies: { 'widgets-js': version, other: version } });

forEachEngine('words of pages', (engine) => {
  // What pages say does not depend on the engine.
  if (engine.name !== 'sqlite') return;
  let world: WebWorld;
  before(async () => {
    world = await openWebWorld(engine);
  });

  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { Origin: world.origin, Accept: 'text/html', ...init.headers };
    return fetch(world.url + path, { ...init, headers, redirect: 'manual' });
  };

  it('finds the name of a variable, a missing value and a doubled word', () => {
    const odd = (text: string) => oddWords(`<main><p>${text}</p></main>`);
    assert.deepEqual(odd('What it migrationSteps of you'), ['migrationSteps']);
    assert.deepEqual(odd('Try it in undefined hours with retry_after'), ['retry_after', 'undefined']);
    assert.deepEqual(odd('Fixed Fixed in iOS on GitHub'), ['Fixed Fixed']);
    assert.deepEqual(oddWords('<p title="lastSeen">Use <code>fromVersion</code> of <b>of</b></p>'), ['lastSeen']);
  });

  it('are English on every public page', async () => {
    const paths = [
      '/',
      '/catalog',
      '/catalog?q=nothing-has-this',
      '/categories',
      '/categories/ai',
      '/collections',
      '/collections/good',
      '/tags',
      '/tags/agents',
      '/search',
      '/search?q=step',
      '/search?q=zzqqxy&range=30d&filter=releases',
      '/acme',
      '/acme?q=nothing-has-this',
      '/acme/overview',
      '/acme/sources',
      '/acme/widgets',
      '/acme/widgets-js',
      '/acme/widgets-js/highlights',
      '/other/single',
      '/source/lone',
      '/source/shared',
      `/release/${world.ids.release}`,
      '/whats-changed',
      '/whats-changed?package=widgets-js&from=1.0.0',
      '/whats-changed?package=widgets-js&from=1.0.0&to=9.0.0',
      '/whats-changed?package=widgets-js&from=8.0.0',
      '/whats-changed?package=widgets-js&from=2.0.0&to=1.0.0',
      '/whats-changed?package=widgets-js&from=soon',
      '/whats-changed?package=nobody-knows&from=1.0.0&ecosystem=npm',
      '/whats-changed?package=shared&from=1.0.0',
      '/whats-changed?package=some/repository&from=1.0.0&ecosystem=github',
      ...TRACK_OUTCOMES.map((outcome) => `/whats-changed?package=some/repository&track=${outcome}`),
      '/live/breaking',
      '/live',
      '/docs',
      ...['api', 'cli', 'errors', 'feeds', 'mcp', 'self-hosting', 'webhooks'].map((guide) => `/docs/${guide}`),
      '/about',
      '/about/crawler',
      '/login',
      '/signup',
      '/forgot-password',
      '/nothing-has-this-name',
    ];
    const findings: string[] = [];
    for (const path of paths) {
      const page = await (await send(path)).text();
      findings.push(...oddWords(page).map((word) => `${path}: ${word}`));
    }
    assert.deepEqual(findings, []);
  });

  it('are English in the report on the files of a project', async () => {
    await world.root.put('/v1/packages', { ecosystem: 'npm', name: 'widgets-js', sourceId: world.ids.js });
    for (const body of [
      new URLSearchParams({ old_text: LOCKFILE('1.0.0'), new_text: LOCKFILE('2.0.0') }),
      new URLSearchParams({ text: LOCKFILE('1.0.0') }),
      new URLSearchParams({ text: 'no lockfile at all' }),
    ]) {
      const page = await (await send('/whats-changed', { method: 'POST', body })).text();
      assert.deepEqual(oddWords(page), []);
    }
  });

  it('are English on the pages of an account', async () => {
    const kim = await signUp(world);
    const read = async (path: string) => {
      const page = await send(path, { headers: { Cookie: kim.cookieHeader } });
      assert.equal(page.status, 200, path);
      return oddWords(await page.text()).map((word) => `${path}: ${word}`);
    };
    const paths = ['', '/webhooks', '/keys', '/feed', '/security'].map((path) => `/account${path}`);
    const findings: string[] = [];
    for (const path of ['/following', '/device', ...paths]) findings.push(...(await read(path)));
    // The same pages once there is something to show.
    await kim.cookie.post('/v1/me/follows', { targetType: 'org', targetId: world.ids.org });
    await kim.key('build server');
    await kim.cookie.post('/v1/me/feed/token');
    const url = 'https://93.184.216.34/in';
    const hook = await kim.cookie.post('/v1/me/webhooks', { url, scope: 'follows', description: 'All' });
    assert.equal(hook.status, 201, hook.text);
    const done = ['/account/feed?done=new', '/account/keys?done=revoked', '/account/security?done=password'];
    for (const path of ['/following', ...paths, `/account/webhooks/${hook.body.id}`, ...done]) {
      findings.push(...(await read(path)));
    }
    assert.deepEqual(findings, []);
  });

  it('are English in the operator area', async () => {
    const entered = await send('/admin/session', { method: 'POST', body: new URLSearchParams({ token: ROOT_KEY }) });
    const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const findings: string[] = [];
    for (const path of [
      '',
      '/sources',
      '/stuck',
      '/add',
      '/orgs',
      '/orgs/acme',
      '/collections',
      '/notice',
      '/tokens',
      '/fetch-log',
      '/waiting',
      '/webhooks',
      '/audit',
    ]) {
      const page = await send(`/admin${path}`, { headers: { Cookie: cookie } });
      assert.equal(page.status, 200, path);
      findings.push(...oddWords(await page.text()).map((word) => `/admin${path}: ${word}`));
    }
    assert.deepEqual(findings, []);
  });
});

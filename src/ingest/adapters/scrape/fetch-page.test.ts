import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { conditional, type OutsideWorld, startOutsideWorld } from '../../../../test/support/outside-world.ts';
import { toJson } from '../../../store/json-text.ts';
import type { SourceRow } from '../../../store/schema/sources.ts';
import type { AdapterInput, AdapterResult } from '../contract.ts';
import { ROBOTS } from '../outcomes.ts';
import { fetchPage } from './fetch-page.ts';
import * as fixture from './page.fixture.ts';
import { LAUNCHES } from './page.fixture.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
let world: OutsideWorld;
let address = '';
let made = 0;

function withWorld(): void {
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());
  // Every test has a page of its own.
  beforeEach(() => {
    made += 1;
    address = `/site-${made}/changelog`;
  });
}

function input(source: Partial<SourceRow> = {}, more: Partial<AdapterInput> = {}): AdapterInput {
  return {
    source: { url: world.url + address, parser: null, settings: '{}', ...source } as SourceRow,
    names: ['Acme'],
    validators: [],
    known: { guids: new Set(), urls: new Set(), count: 0 },
    firstFetch: false,
    backfill: null,
    ...more,
  };
}

const after2 = (first: AdapterResult): Partial<AdapterInput> => ({
  validators: first.validators,
  memory: first.memory,
});

describe('a page that is read', () => {
  withWorld();

  it('gives its entries, pins the parser and counts requests and bytes', async () => {
    world.route(address, { headers: { ...HTML, etag: '"one"' }, body: fixture.siblingsPage() });

    const result = await fetchPage(world.context(), input());

    assert.equal(result.outcome, 'success');
    assert.deepEqual(
      result.items.map(({ title }) => title),
      LAUNCHES.map(({ title }) => title),
    );
    assert.equal(result.items[0]?.url, `${world.url}${address}#shared-dashboards`);
    assert.deepEqual(result.sourceChanges, { parser: 'siblings' });
    assert.equal(result.validators.find(({ endpoint }) => endpoint === world.url + address)?.etag, '"one"');
    assert.equal(result.requests, 1);
    assert.ok(result.bytes > 0);
  });

  it('asks with what the server said last time and takes 304 for an answer', async () => {
    world.route(address, conditional({ headers: { ...HTML, etag: '"one"' }, body: fixture.siblingsPage() }));
    const first = await fetchPage(world.context(), input());

    const second = await fetchPage(world.context(), input({ parser: 'siblings' }, after2(first)));

    assert.equal(second.outcome, 'no_change');
    assert.equal(second.httpStatus, 304);
    assert.deepEqual(second.items, []);
  });

  it('sees through what changes with every request', async () => {
    let visit = 0;
    world.route(address, () => {
      visit += 1;
      const head = `<meta name="csrf-token" content="t${visit}"><script nonce="n${visit}">go(${visit})</script>`;
      const form = `<form><input type="hidden" name="csrf" value="${visit}"></form><!-- ${visit} -->`;
      const clock = `<p>Rendered 2024-06-01T12:00:0${visit}Z, ${visit} minutes ago</p>`;
      const html = fixture
        .siblingsPage()
        .replace('</head>', `${head}</head>`)
        .replace('</body>', `${form}${clock}</body>`);
      return { headers: HTML, body: html };
    });
    const first = await fetchPage(world.context(), input());

    const second = await fetchPage(world.context(), input({ parser: 'siblings' }, after2(first)));

    assert.equal(second.outcome, 'no_change');
    assert.equal(second.httpStatus, 200);
  });

  it('notices a new entry', async () => {
    world.route(address, { headers: HTML, body: fixture.siblingsPage(LAUNCHES.slice(1)) });
    const first = await fetchPage(world.context(), input());
    world.route(address, { headers: HTML, body: fixture.siblingsPage() });

    const second = await fetchPage(world.context(), input({ parser: 'siblings' }, after2(first)));

    assert.equal(second.outcome, 'success');
    assert.equal(second.items.length, 4);
    assert.deepEqual(second.sourceChanges, {});
  });

  it('chooses anew when the pinned parser finds less than half of what it found', async () => {
    world.route(address, { headers: HTML, body: fixture.siblingsPage() });
    const first = await fetchPage(world.context(), input());
    world.route(address, { headers: HTML, body: fixture.headingsPage() });

    const second = await fetchPage(world.context(), input({ parser: 'siblings' }, after2(first)));

    assert.deepEqual(second.sourceChanges, { parser: 'headings' });
    assert.equal(second.items[0]?.version, '2.1.0');
  });

  it('reads a markdown answer as a changelog', async () => {
    const body = '# Changes\n\n## 1.1.0 - 2024-05-20\n\n- Shared dashboards\n\n## 1.0.0 - 2024-04-01\n\n- Start\n';
    world.route(address, { headers: { 'content-type': 'text/markdown' }, body });

    const result = await fetchPage(world.context(), input());

    assert.deepEqual(
      result.items.map(({ version, content, url }) => [version, content, url]),
      [
        ['1.1.0', '- Shared dashboards', `${world.url}${address}#110---2024-05-20`],
        ['1.0.0', '- Start', `${world.url}${address}#100---2024-04-01`],
      ],
    );
    assert.match(String(world.requested(address)[0]?.headers.accept), /^text\/markdown/);
  });

  it('prefers a configured markdown address', async () => {
    const markdownUrl = `${world.url}${address}.txt`;
    world.route(`${address}.txt`, { headers: { 'content-type': 'text/plain' }, body: '## 1.1.0\n\n- One\n' });

    const result = await fetchPage(world.context(), input({ settings: toJson({ markdownUrl }) }));

    assert.equal(result.items[0]?.version, '1.1.0');
    assert.equal(world.requested(address).length, 0);
  });

  it('finds the markdown twin of a provider, then asks for it alone, and returns to the page when it is gone', async () => {
    const twin = `${address}.md`;
    world.route(address, { headers: { ...HTML, 'x-mintlify-client-version': '1' }, body: fixture.siblingsPage() });
    world.route(twin, { headers: { 'content-type': 'text/markdown' }, body: '## 1.1.0\n\n- One\n' });

    const first = await fetchPage(world.context(), input());
    const second = await fetchPage(world.context(), input({ parser: 'markdown-twin' }, after2(first)));
    world.route(twin, { status: 404 });
    const third = await fetchPage(world.context(), input({ parser: 'markdown-twin' }, after2(first)));

    assert.deepEqual(first.sourceChanges, { parser: 'markdown-twin' });
    assert.equal(second.outcome, 'no_change');
    assert.equal(world.requested(address).length, 3 - 1);
    assert.equal(third.outcome, 'success');
    assert.deepEqual(third.sourceChanges, { parser: 'siblings' });
  });
});

describe('an index of pages', () => {
  withWorld();

  const many = Array.from({ length: 12 }, (_, at) => ({
    title: `Launch number ${at + 1}`,
    day: `2024-05-${String(28 - at).padStart(2, '0')}`,
    words: `The text of launch number ${at + 1} is long enough to be one.`,
  }));
  const route = (launches: typeof many) => {
    const html = fixture.indexPage(launches).replaceAll('/changelog/', `${address}/`);
    world.route(address, { headers: HTML, body: html });
    for (const launch of launches) {
      world.route(`${address}/${fixture.slugOf(launch)}`, { headers: HTML, body: fixture.entryPage(launch) });
    }
  };

  it('reads ten of its pages, and the rest in the next run', async () => {
    route(many);

    const first = await fetchPage(world.context(), input());
    const urls = new Set(first.items.flatMap(({ url }) => url ?? []));
    const known = { guids: new Set<string>(), urls, count: urls.size };
    const second = await fetchPage(world.context(), input({ parser: 'index' }, { known, backfill: first.backfill }));

    assert.equal(first.items.length, 10);
    assert.match(first.items[0]?.content ?? '', /^The text of launch number 1 is long enough/);
    assert.doesNotMatch(first.items[0]?.content ?? '', /# Launch/);
    assert.equal(first.backfill, world.url + address);
    assert.deepEqual(first.validators, []);
    assert.equal(first.requests, 11);
    assert.equal(second.items.length, 12);
    assert.equal(second.requests, 3);
    assert.equal(second.backfill, null);
    assert.deepEqual([second.validators.length, Object.keys(second.memory ?? {}).length], [1, 1]);
  });

  it('keeps an entry whose page is gone, and stops where the site asks to wait', async () => {
    route(many.slice(0, 4));
    world.route(`${address}/launch-number-1`, { status: 404 });
    world.route(`${address}/launch-number-3`, { status: 429, headers: { 'retry-after': '60' } });

    const result = await fetchPage(world.context(), input());

    assert.equal(result.outcome, 'throttled');
    assert.deepEqual(
      result.items.map(({ title, content }) => [title, content.length > 0]),
      [
        ['Launch number 1', false],
        ['Launch number 2', true],
      ],
    );
    assert.deepEqual(result.validators, []);
  });
});

describe('a page that cannot be read', () => {
  withWorld();

  const cases: [name: string, answer: Parameters<OutsideWorld['route']>[1], outcome: string, detail: RegExp | null][] =
    [
      ['404', { status: 404 }, 'gone', /404/],
      ['410', { status: 410 }, 'gone', /410/],
      ['403', { status: 403, body: 'no' }, 'blocked', /403/],
      ['429', { status: 429, headers: { 'retry-after': '120' } }, 'throttled', /429/],
      ['503 with a time', { status: 503, headers: { 'retry-after': '120' } }, 'throttled', /503/],
      ['500', { status: 500 }, 'unreachable', /500/],
      ['418', { status: 418 }, 'error', /418/],
      ['a reset', { reset: true }, 'unreachable', /reset/],
      ['a picture', { headers: { 'content-type': 'image/png' }, body: 'x' }, 'malformed', /wrong type: image\/png/],
      ['304 that nobody asked for', { status: 304 }, 'malformed', /304/],
      [
        'a challenge',
        { headers: HTML, body: '<html><title>Just a moment...</title><p>Checking your browser</p></html>' },
        'blocked',
        /challenge/,
      ],
      [
        'a page about nothing',
        { headers: HTML, body: fixture.page('<p>Nothing to see on this page.</p>') },
        'empty',
        /0\.6: json-ld 0, article 0/,
      ],
      ['a shell', { headers: HTML, body: fixture.emptyShell() }, 'empty', /^needs_renderer$/],
      ['an empty changelog', { headers: { 'content-type': 'text/markdown' }, body: '# Soon\n' }, 'empty', /no entry/],
    ];
  for (const [name, answer, outcome, detail] of cases) {
    it(`${name}: ${outcome}`, async () => {
      world.route(address, answer);

      const result = await fetchPage(world.context(), input());

      assert.equal(result.outcome, outcome);
      if (detail) assert.match(result.detail ?? '', detail);
      assert.deepEqual([result.items, result.validators], [[], []]);
    });
  }

  it('over the size cap: malformed', async () => {
    world.route(address, { headers: HTML, body: 'x'.repeat(5_000) });

    const result = await fetchPage(world.context({ rules: { limits: { maxBytes: 1_000 } } }), input());

    assert.equal(result.outcome, 'malformed');
    assert.match(result.detail ?? '', /too_large/);
  });

  it('no answer in time: timeout', async () => {
    world.route(address, { hang: true });

    const result = await fetchPage(world.context({ rules: { limits: { firstByteMs: 20 } } }), input());

    assert.equal(result.outcome, 'timeout');
  });

  it('forbidden by robots.txt: blocked, and nothing is asked', async () => {
    const result = await fetchPage(world.context({ robotsFailure: async () => ROBOTS }), input());

    assert.deepEqual([result.outcome, result.detail, result.requests], ['blocked', 'robots', 0]);
    assert.equal(world.requested(address).length, 0);
  });
});

describe('a page that needs scripts', () => {
  withWorld();

  it('is read through the renderer when there is one', async () => {
    world.route(address, { headers: HTML, body: fixture.emptyShell() });
    world.route('/render', ({ path }) => {
      assert.equal(new URL(path, world.url).searchParams.get('url'), world.url + address);
      return { headers: HTML, body: fixture.siblingsPage() };
    });
    const context = world.context();
    context.settings = { ...context.settings, rendererUrl: `${world.url}/render` };

    const result = await fetchPage(context, input());

    assert.equal(result.outcome, 'success');
    assert.equal(result.items[0]?.url, `${world.url}${address}#shared-dashboards`);
  });
});

// Pages for programs: `.json`, `.md` and `.atom`, and the responses to `Accept` and wrong paths.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { parse } from 'yaml';
import { forEachEngine } from '../support/engines.ts';
import { openWebWorld, type WebWorld } from './world.ts';

forEachEngine('suffixes', (engine) => {
  let world: WebWorld;
  before(async () => {
    world = await openWebWorld(engine);
  });

  // Each page with suffixes, and the API call with the same content.
  const pairs = (): [page: string, call: string][] => [
    ['/acme', '/v1/orgs/acme'],
    ['/acme/overview', '/v1/orgs/acme/overview'],
    ['/acme/widgets', '/v1/orgs/acme/products/widgets'],
    ['/acme/widgets-js', '/v1/orgs/acme/sources/widgets-js'],
    [`/sources/${world.ids.covered}`, `/v1/orgs/acme/sources/widgets`],
    ['/source/lone', `/v1/sources/${world.ids.lone}`],
    [`/release/${world.ids.release}`, `/v1/releases/${world.ids.release}`],
    ['/collections/good', '/v1/collections/good/releases'],
    ['/categories/ai', '/v1/categories/ai/releases'],
  ];

  it('.json is the answer of the API, byte for byte', async () => {
    const { anonymous, root } = world;
    for (const [page, call] of [...pairs(), ['/feed', '/v1/releases/latest'] as const]) {
      const mine = await anonymous.get(`${page}.json`);
      const api = await anonymous.get(call);
      assert.deepEqual([mine.status, mine.text], [200, api.text], page);
      assert.equal(mine.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(mine.headers.get('etag'), api.headers.get('etag'));
      assert.equal(mine.headers.get('link'), `<https://registry.example${page}>; rel="canonical"`);
      assert.equal(mine.headers.get('x-robots-tag'), 'noindex');
      assert.equal(mine.headers.get('cache-control'), 'public, max-age=60, stale-while-revalidate=600');
      assert.equal(mine.headers.get('vary'), 'Accept-Encoding');
      assert.equal((await root.get(`${page}.json`)).text, api.text, `${page} with a credential`);
      assert.equal((await anonymous.head(`${page}.json`)).headers.get('etag'), api.headers.get('etag'));
    }
  });

  it('.json passes on cursors and filters', async () => {
    const { anonymous } = world;
    const first = await anonymous.get('/acme/widgets-js.json?limit=3');
    const next = `cursor=${first.body.pagination.nextCursor}&limit=3`;
    const paged = await anonymous.get(`/acme/widgets-js.json?${next}`);
    assert.equal(paged.text, (await anonymous.get(`/v1/orgs/acme/sources/widgets-js?${next}`)).text);
    const typed = 'limit=2&source_type=feed,github';
    assert.equal(
      (await anonymous.get(`/categories/ai.json?${typed}`)).text,
      (await anonymous.get(`/v1/categories/ai/releases?${typed}`)).text,
    );
  });

  it('what changed has both forms, and a page without forms is taken for no organization', async () => {
    const { anonymous } = world;
    const question = 'package=widgets-js&from=1.1.0&to=1.2.0';
    const json = await anonymous.get(`/whats-changed.json?${question}`);
    assert.equal(json.text, (await anonymous.get(`/v1/whats-changed?${question}`)).text);
    const md = await anonymous.get(`/whats-changed.md?${question}`);
    assert.match(md.headers.get('content-type') ?? '', /^text\/markdown/);
    assert.equal((await anonymous.get('/whats-changed.md')).body.error.code, 'bad_request');
    for (const path of ['/catalog.md', '/search.json', '/whats-changed.atom']) {
      const { status, body } = await anonymous.get(path);
      assert.deepEqual([status, body.error.code], [404, 'not_found'], path);
      assert.match(body.error.message, /^no such page: /, path);
    }
  });

  it('.md is the text of the API where it has one', async () => {
    const { anonymous } = world;
    const markdown = { Accept: 'text/markdown' };
    for (const [page, call] of pairs().filter(([path]) => path !== '/acme/overview')) {
      const mine = await anonymous.get(`${page}.md`);
      const api = await anonymous.get(call, markdown);
      assert.equal(mine.status, 200, page);
      if (page === '/acme') assert.ok(mine.text.startsWith(api.text));
      else assert.equal(mine.text, api.text, page);
      assert.equal(mine.headers.get('content-type'), 'text/markdown; charset=utf-8');
      assert.equal(mine.headers.get('x-markdown-tokens'), String(Math.ceil(mine.text.length / 4)));
      assert.equal(mine.headers.get('x-robots-tag'), 'noindex');
      assert.equal(mine.headers.get('link'), `<https://registry.example${page}>; rel="canonical"`);

      const negotiated = await anonymous.get(page, markdown);
      assert.equal(negotiated.text, mine.text, page);
      assert.equal(negotiated.headers.get('vary'), 'Accept, Cookie, Accept-Encoding');
      assert.match((await anonymous.get(page)).headers.get('content-type') ?? '', /^text\/html/);
    }
  });

  it('the document of an org ends with its latest releases, that of an overview names its sources', async () => {
    const org = (await world.anonymous.get('/acme.md')).text;
    const sections = [...org.matchAll(/^## (.+)\n\n(.+)\n/gm)].map(([, title, facts]) => [title, facts]);
    assert.deepEqual(sections.at(-10), ['Two 2.0.0', '2026-03-09 · widgets-js · <https://releases.example/2.0.0>']);
    const rest = /^(\d+) more\. The next ones: <(.+)>\n$/m.exec(org);
    assert.equal(rest?.[1], '54');
    const next = await world.anonymous.get((rest?.[2] ?? '').replace('https://registry.example', ''));
    assert.equal(next.status, 200);

    const overview = await world.anonymous.get('/acme/overview.md');
    const [, front = '', body = ''] = overview.text.split(/^---\n/m);
    const { updated, ...facts } = parse(front);
    assert.deepEqual(facts, {
      title: 'Acme overview',
      slug: 'acme',
      url: 'https://registry.example/acme/overview',
      releases: 62,
      citations: 1,
    });
    assert.ok(updated);
    assert.match(
      body,
      /^\nAcme ships widgets\.\n\n## Cited\n\n1\. Step: <https:\/\/registry\.example\/release\/rel_\w+-step-1>\n$/,
    );
  });

  it('wrong addresses of programs are answered in the envelope, those of people with a page', async () => {
    const { anonymous } = world;
    assert.equal((await anonymous.get('/nobody', { Accept: 'application/json' })).body.error.code, 'not_found');
    for (const path of ['/nobody.json', '/acme/nothing.md', '/nobody.atom', '/source/none.json', '/a/b/c/d.json']) {
      const answer = await anonymous.get(path);
      assert.deepEqual([answer.status, answer.body.error?.code], [404, 'not_found'], path);
      const page = await anonymous.get(path.replace(/\.\w+$/, ''));
      assert.equal(page.status, 404);
      assert.match(page.text, /<main id="main" data-page="error">/, path);
      assert.match(page.text, /data-form="search"/);
    }
  });

  it('forms that a page does not have are not found', async () => {
    const { anonymous } = world;
    for (const path of [
      `/release/${world.ids.release}.atom`,
      '/acme/overview.atom',
      '/feed.md',
      '/other/overview.md',
    ]) {
      const answer = await anonymous.get(path);
      assert.deepEqual([answer.status, answer.body.error?.code], [404, 'not_found'], path);
    }
  });

  it('broken queries are refused as by the API', async () => {
    const { anonymous } = world;
    assert.equal((await anonymous.get('/acme.json?x=%E0')).status, 400);
    assert.equal((await anonymous.get('/categories/ai.json?kind=boat')).body.error.code, 'bad_request');
    assert.equal((await anonymous.get('/acme/widgets-js.md?cursor=x')).body.error.code, 'invalid_cursor');
  });

  it('paths below the API are never pages', async () => {
    const { anonymous } = world;
    for (const path of ['/v1/nothing', '/v1/nothing.json', '/api/nothing', '/mcp/nothing']) {
      assert.equal((await anonymous.get(path)).body.error?.code, 'not_found', path);
    }
    assert.ok((await anonymous.get('/v1/openapi.json')).body.paths);
  });

  it('a bare slug of a source without an org serves, that of one with an org leads to its path', async () => {
    const { anonymous } = world;
    for (const below of ['', '/highlights', '.json', '.md', '.atom']) {
      const moved = await anonymous.get(`/source/single${below}?limit=1`);
      assert.deepEqual([moved.status, moved.headers.get('location')], [308, `/other/single${below}?limit=1`]);
      assert.equal((await anonymous.get(`/source/lone${below}`)).status, 200, below);
      assert.equal((await anonymous.get(`/source/nothing${below}`)).status, 404);
    }
    assert.equal((await anonymous.get('/source/single/changelog')).headers.get('location'), '/other/single/changelog');
  });

  it('a bare slug that several sources have offers a choice to people, and is refused to programs', async () => {
    const { anonymous } = world;
    const choice = await anonymous.get('/source/shared');
    assert.equal(choice.status, 300);
    assert.match(choice.text, /<a href="\/acme\/shared">.*<a href="\/other\/shared">/s);
    assert.match((await anonymous.get('/source/shared/highlights')).text, /<a href="\/acme\/shared\/highlights">/);
    for (const suffix of ['.json', '.md', '.atom']) {
      const refused = await anonymous.get(`/source/shared${suffix}`);
      const { code, details } = refused.body.error;
      assert.deepEqual([refused.status, code, details.candidates.length], [409, 'ambiguous_slug', 2]);
    }
  });

  it('the id of a source leads to its usual path', async () => {
    const moved = await world.anonymous.get(`/sources/${world.ids.js}.md?limit=1`);
    assert.deepEqual([moved.status, moved.headers.get('location')], [308, '/acme/widgets-js.md?limit=1']);
  });

  it('a source whose usual path is that of a product has its page by id', async () => {
    const { anonymous, ids } = world;
    const place = await anonymous.get(`/sources/${ids.covered}`);
    assert.match(place.text, /<h1>Widgets news<\/h1>/);
    assert.match(
      place.text,
      new RegExp(`<link rel="canonical" href="https://registry.example/sources/${ids.covered}">`),
    );
    assert.equal(
      (await anonymous.get(`/sources/${ids.covered}/highlights`)).headers.get('location'),
      '/acme/widgets/highlights',
    );
    assert.match((await anonymous.get('/acme/widgets')).text, /data-page="product"/);
    assert.match((await anonymous.get('/acme/sources')).text, new RegExp(`href="/sources/${ids.covered}"`));
  });
});

// All six source types against servers that lie: what is stored keeps to the rules for what operators send.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { hasControlCharacter } from '../../src/domain/clean-text.ts';
import { isHttpUrl } from '../../src/domain/urls.ts';
import type { CreateSource } from '../../src/entities/sources/create.ts';
import { fetchSource } from '../../src/ingest/pipeline/fetch-source.ts';
import { createFetch } from '../../src/net/fetch.ts';
import { serve } from '../../src/net/loopback.fixture.ts';
import { parseJson } from '../../src/store/json-text.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const LATEST = '2026-03-03T12:00:00.000Z';
const HUGE = '7'.repeat(1_000_000);
const PROSE = 'Schedules can be shared with a whole team, and every change is kept. '.repeat(12);

interface HostileSource {
  source(origin: string): Partial<CreateSource>;
  answer(path: string, origin: string): string;
  // Titles that are stored in spite of what stands around them.
  titles: RegExp[];
}

const release = (id: number, more: object) => ({
  ...{ id, tag_name: `v1.${id}.0`, name: `One ${id}`, body: 'Text', html_url: 'https://github.com/acme/cli' },
  ...{ published_at: '2026-02-20T00:00:00Z' },
  ...more,
});

const GITHUB = [
  release(1, { html_url: 'javascript:alert(document.domain)' }),
  release(2, { tag_name: 'v1\u0000.2\u001b[31m', name: 'Bell \u0007' }),
  release(3, { published_at: '9999-12-31T23:59:59Z' }),
  release(4, { tag_name: HUGE, name: null }),
  release(5, { name: 'x'.repeat(1_000_000), body: 'a\u0000b\u0085c' }),
  release(6, { published_at: null, created_at: '0001-01-01T00:00:00Z', html_url: `https://a.dev/${'x'.repeat(9000)}` }),
];

const entry = (id: string, link: string, date: string) => `<item><title>Release ${id}</title><link>${link}</link>
  <guid isPermaLink="false">${id}${'g'.repeat(2000)}</guid><pubDate>${date}</pubDate>
  <media:content xmlns:media="http://search.yahoo.com/mrss/" url="javascript:alert(1)" medium="image"/>
  <description>${PROSE}</description></item>`;

const article = (link: string, date: string) =>
  `<article><h2><a href="${link}">News of ${date}</a></h2><time datetime="${date}">${date}</time><p>${PROSE}</p></article>`;

const app = (more: object) =>
  JSON.stringify({
    results: [{ kind: 'software', trackId: 42, trackName: 'Acme', version: '5.1', releaseNotes: 'Faster', ...more }],
  });

const SOURCES: Record<string, HostileSource> = {
  github: {
    source: () => ({ type: 'github', url: 'https://github.com/acme/cli' }),
    answer: (path) =>
      JSON.stringify(path.includes('/releases') ? GITHUB : { id: 1, full_name: 'acme/cli', stargazers_count: 1 }),
    titles: [/^One 1$/, /^Bell$/, /^One 3$/, /^x{500}$/, /^One 6$/],
  },
  feed: {
    source: (origin) => ({ url: `${origin}/blog`, metadata: { feedUrl: `${origin}/feed.xml` } }),
    answer: () => `<rss version="2.0"><channel><title>Acme</title>
      ${entry('1', 'javascript:alert(1)', 'Sat, 28 Feb 2026 10:00:00 GMT')}
      ${entry('2', 'https://acme.dev/2', 'Fri, 01 Jan 2027 10:00:00 GMT')}
      ${entry(`3 &#1; ${'x'.repeat(900)}`, 'https://acme.dev/3', 'Sat, 28 Feb 2026 10:00:00 GMT')}</channel></rss>`,
    titles: [/^Release 1$/, /^Release 2$/, /^Release 3/],
  },
  scrape: {
    source: (origin) => ({ type: 'scrape', url: `${origin}/news` }),
    answer: () => `<html><body><main>${article('javascript:alert(1)', '2026-02-21')}
      ${article('/news/2', '2026-12-22')}${article('/news/3', '2026-02-23')}</main></body></html>`,
    titles: [/2026-02-21/, /2026-12-22/, /2026-02-23/],
  },
  appstore: {
    source: () => ({ type: 'appstore', url: 'https://apps.apple.com/us/app/acme/id42', metadata: { appId: '42' } }),
    answer: () =>
      app({
        trackName: `Acme\u0000 ${'x'.repeat(1000)}`,
        trackViewUrl: 'javascript:alert(1)',
        artworkUrl512: 'javascript:alert(1)',
        screenshotUrls: ['javascript:alert(1)', 'data:image/png;base64,AA'],
        currentVersionReleaseDate: '9999-01-01T00:00:00Z',
      }),
    titles: [/^Acme x+ 5\.1$/],
  },
  video: {
    source: () => ({ type: 'video', url: 'https://www.youtube.com/playlist?list=PLabcdefghijkl' }),
    answer: () => `<feed xmlns="http://www.w3.org/2005/Atom"><title>Acme</title>
      <entry><id>yt:video:a</id><title>Tour &#27;</title><link rel="alternate" href="javascript:alert(1)"/>
      <published>2999-02-20T10:00:00Z</published></entry>
      <entry><id>yt:video:b</id><title>Walk</title><link rel="alternate" href="https://www.youtube.com/watch?v=b"/>
      <published>2026-02-20T10:00:00Z</published></entry></feed>`,
    titles: [/^Walk$/],
  },
  agent: {
    source: (origin) => ({ type: 'agent', url: `${origin}/agent` }),
    answer: (path, origin) =>
      path.startsWith('/agent')
        ? '<main><h1>News</h1><h2>Shared dashboards</h2><p>December 20, 2026</p></main>'
        : modelTurn(origin),
    titles: [/^Shared dashboards$/],
  },
};

// The model hands in an entry with an address of its own and ends, whatever it is asked.
let turns = 0;
function modelTurn(origin: string): string {
  turns += 1;
  const made = { url: 'javascript:alert(1)', version: '1\u0000', type: 'x' };
  const entries = [
    { page: `${origin}/agent`, title: 'Shared dashboards', date: 'December 20, 2026' },
    { page: `${origin}/agent`, title: 'Shared dashboards', date: 'December 20, 2026', ...made },
  ];
  const call = { id: 'a', function: { name: 'submit', arguments: JSON.stringify({ entries }) } };
  return JSON.stringify({ choices: [{ message: turns % 2 === 1 ? { tool_calls: [call] } : { content: 'done' } }] });
}

forEachEngine('what a lying server says', (engine) => {
  async function setUp(t: TestContext, hostile: Pick<HostileSource, 'source' | 'answer'>) {
    const { origin } = await serve(t, (request, response) => {
      const path = request.url ?? '/';
      if (path === '/robots.txt') return void response.writeHead(404).end();
      response.end(hostile.answer(path, `http://${request.headers.host}`));
    });
    const { ctx } = await engine.openTestApp({
      clock: movableClock(NOW),
      fetch: createFetch({ userAgent: 'test', allow: ['127.0.0.1'], rules: { retry: false } }),
      env: {
        REGISTRY_GITHUB_API_URL: origin,
        REGISTRY_GITHUB_TOKEN: 'token',
        REGISTRY_ITUNES_URL: origin,
        REGISTRY_YOUTUBE_URL: origin,
        REGISTRY_MODEL_URL: `${origin}/model`,
        REGISTRY_MODEL_NAME: 'test',
      },
    });
    const { id } = await createSource(ctx, hostile.source(origin));
    const report = await fetchSource(ctx, id, { trigger: 'schedule' });
    const releases = await ctx.store.read.selectFrom('releases').selectAll().orderBy('seq').execute();
    const source = await ctx.store.read.selectFrom('sources').selectAll().executeTakeFirstOrThrow();
    return { report, releases, source };
  }

  for (const [name, hostile] of Object.entries(SOURCES)) {
    it(`is stored only as far as an operator could send it, from a source of type ${name}`, async (t) => {
      const { report, releases, source } = await setUp(t, hostile);

      assert.equal(report.status, 'success', report.error ?? '');
      for (const row of releases) {
        assert.ok(row.url === null || isHttpUrl(row.url), `url ${row.url?.slice(0, 60)}`);
        assert.ok(row.published_at === null || row.published_at <= LATEST, `date ${row.published_at}`);
        assert.ok((row.version ?? '').length <= 200 && !hasControlCharacter(row.version ?? ''), 'version');
        assert.ok(row.title.length <= 500 && !hasControlCharacter(row.title), 'title');
        assert.doesNotMatch(row.content, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        assert.ok((row.guid ?? '').length <= 500, 'guid');
        for (const { url, linkUrl } of parseJson(row.media)) assert.ok(isHttpUrl(url) && isHttpUrl(linkUrl ?? url));
      }
      assert.equal(releases.length, hostile.titles.length, releases.map(({ title }) => title.slice(0, 60)).join());
      for (const title of hostile.titles)
        assert.ok(
          releases.some((row) => title.test(row.title)),
          String(title),
        );
      assert.ok(source.name.length <= 200 && !hasControlCharacter(source.name));
      assert.ok(source.app_icon_url === null || isHttpUrl(source.app_icon_url));
    });
  }

  it('is malformed when nothing of it can be stored', async (t) => {
    const { report, releases } = await setUp(t, { ...store, answer: () => app({ version: HUGE }) });

    assert.deepEqual([report.errorCategory, releases.length], ['malformed', 0]);
  });

  it('about another app is no answer', async (t) => {
    const { report, releases, source } = await setUp(t, {
      ...store,
      answer: () => app({ trackId: 43, trackName: 'Other' }),
    });

    assert.equal(report.error, 'malformed: an answer about another app');
    assert.equal(releases.length, 0);
    assert.notEqual(source.name, 'Other');
  });
});

const store = SOURCES.appstore as HostileSource;

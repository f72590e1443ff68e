// Hostile releases stay inert on every type of page and in every feed.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Parser } from 'htmlparser2';
import { writeOverview } from '../../src/insight/overviews/write.ts';
import { atomFaults } from '../support/atom.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases } from '../support/factories.ts';
import { startService } from '../support/service.ts';
import { HOSTILE_RELEASES } from './releases.ts';

// The elements that the text of a release may contain, with those that the renderer adds.
const ELEMENTS = new Set(
  'p br hr h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre code kbd samp em strong del ins sub sup a img picture source video table thead tbody tfoot tr th td caption details summary figure figcaption abbr span div section input svg path circle'.split(
    ' ',
  ),
);
const NEVER = new Set(
  'iframe object embed base applet frame frameset portal template xmp plaintext noscript math'.split(' '),
);
const ADDRESSES = ['href', 'src', 'action', 'formaction', 'poster', 'data', 'ping', 'background', 'xlink:href'];
const SAFE = /^(?:https?:\/\/|mailto:|\/(?![/\\])|#|\?|$)/i;

function faultsOf(markup: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  // How deep inside the text of a release the parser is.
  let prose = 0;
  let script = '';
  const counts = { main: 0, h1: 0, footer: 0, body: 0 };
  const parser = new Parser({
    onopentag: (name, attributes) => {
      open.push(name);
      if (name in counts) counts[name as keyof typeof counts] += 1;
      if (prose > 0) prose += 1;
      if (NEVER.has(name)) faults.push(`<${name}>`);
      if (prose > 1 && !ELEMENTS.has(name)) faults.push(`<${name}> in the text`);
      const isData = attributes.type === 'application/ld+json';
      if (name === 'script' && !isData && !attributes.src?.startsWith('/assets/web/')) faults.push('<script>');
      if (name === 'style') faults.push('<style>');
      if (name === 'meta' && attributes['http-equiv']) faults.push('<meta http-equiv>');
      if (name === 'link' && !/^(?:\/|https:\/\/registry\.example\/)/.test(attributes.href ?? ''))
        faults.push('<link>');
      for (const [key, value] of Object.entries(attributes)) {
        if (/^on/i.test(key) || key === 'style' || key === 'srcdoc' || key.includes('pwn'))
          faults.push(`${name} ${key}`);
        const isOwn = key === 'id' ? /^r\d*-/.test(value) : !['class', 'data-page'].includes(key);
        if (value.includes('pwn') && !isOwn) faults.push(`${name} ${key}=${value}`);
        if (ADDRESSES.includes(key) && !SAFE.test(asRead(value))) faults.push(`${name} ${key}=${value}`);
        if (key === 'srcset' && !value.split(',').every((part) => /^\s*https:/.test(part)))
          faults.push(`srcset=${value}`);
        if (prose > 1 && name === 'img' && key === 'src' && !/^(?:https:|\/media\/)/.test(value))
          faults.push(`img ${value}`);
      }
      if (prose > 1 && name === 'a' && attributes.href && !attributes.href.startsWith('#')) {
        if (!attributes.rel?.includes('nofollow')) faults.push(`a link without rel: ${attributes.href}`);
      }
      if (prose === 0 && attributes.class?.split(' ').includes('prose')) prose = 1;
      if (name === 'script' && isData) script = ' ';
    },
    ontext: (text) => {
      if (script !== '') script += text;
    },
    onclosetag: (name) => {
      open.pop();
      if (prose > 0) prose -= 1;
      if (name !== 'script' || script === '') return;
      if (script.includes('<')) faults.push('markup in a data block');
      JSON.parse(script);
      script = '';
    },
  });
  parser.end(markup);
  for (const [name, count] of Object.entries(counts)) if (count !== 1) faults.push(`${count} of ${name}`);
  return faults;
}

// The URL as a browser reads it: without control characters and surrounding white space.
function asRead(address: string): string {
  return [...address].filter((letter) => letter > '\u0020').join('');
}

function framed(text: string): string {
  return `<body><main><h1></h1><a href="/x"></a><div class="prose"><p>${text}</p></div></main><footer></footer></body>`;
}

it('the check of pages finds what it is for', () => {
  assert.deepEqual(faultsOf(framed('<a href="https://a.example" rel="nofollow">a</a><h2 id="r-pwn">a</h2>')), []);
  for (const text of [
    '<script>1</script>',
    '<em onclick="1">a</em>',
    '<img src="http://a.example/x">',
    '<a href="java\nscript:1" rel="nofollow">a</a>',
    '<a href="//a.example" rel="nofollow">a</a>',
    '<p style="x">a</p>',
    '<p class="pwn">a</p>',
    '<p id="pwn">a</p>',
    '<form></form>',
    '<a href="https://a.example">a</a>',
    '</p></div></main><main><h1>a</h1>',
  ]) {
    assert.notDeepEqual(faultsOf(framed(text)), [], text);
  }
});

forEachEngine('hostile releases', (engine) => {
  it('stay text on every page and in every feed', async () => {
    assert.ok(HOSTILE_RELEASES.length >= 200, String(HOSTILE_RELEASES.length));
    const app = await engine.openTestApp({
      env: { REGISTRY_BASE_URL: 'https://registry.example', REGISTRY_RATE_PUBLIC: '0' },
    });
    const { ctx } = app;
    const name = '"><img src=x onerror=alert(`pwn`)></title><script>pwn</script>';
    const org = await createOrg(ctx, {
      slug: 'acme',
      name,
      description: name,
      category: 'ai',
      tags: ['<b>pwn</b> tag'],
    });
    const product = await createProduct(ctx, org.id, { slug: 'widgets', name, description: name });
    const source = await createSource(ctx, { slug: 'js', name, orgId: org.id, productId: product.id });
    const rows = HOSTILE_RELEASES.map((release, index) => ({
      ...release,
      version: `${index}.0.0`,
      summary: release.content.slice(0, 300),
      publishedAt: new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString(),
    }));
    await postReleases(ctx, source.id, rows, { silent: true });
    const content = HOSTILE_RELEASES.slice(0, 40)
      .map((release) => release.content)
      .join('\n\n');
    const citation = { sourceUrl: 'https://pwn.example/"><script>', title: name, startIndex: 0, endIndex: 30 };
    await writeOverview(ctx, {
      path: { org: 'acme' },
      overview: { content, releaseCount: 1, citations: [{ ...citation, citedText: content.slice(0, 30) }] },
    });
    const { anonymous, root } = await startService(app, { verifyAnswers: false });
    await root.post('/v1/collections', { name, slug: 'good', description: name });
    await root.post('/v1/collections/good/members', { orgSlug: 'acme' });
    await root.put('/v1/site-notice', { message: name, placement: 'banner', active: true });

    const releases: { id: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await anonymous.get(`/v1/orgs/acme/releases?limit=100${cursor && `&cursor=${cursor}`}`);
      releases.push(...body.releases);
      cursor = body.pagination.nextCursor;
    }
    assert.equal(releases.length, HOSTILE_RELEASES.length);
    // Rendering does not depend on the engine, so the other one shows only a part.
    const isWhole = engine.name === 'sqlite';
    const lists = ['/acme', '/acme/widgets', '/acme/js', '/live', '/collections/good', '/categories/ai'];
    const pages = [
      ...[
        '/',
        '/catalog',
        '/categories',
        '/collections',
        '/tags',
        '/tags/b-pwn-b-tag',
        '/acme/overview',
        '/acme/sources',
      ],
      ...[
        '/acme/js/highlights',
        '/whats-changed?package=js&from=1.0.0&to=9.0.0',
        '/search?q=pwn',
        '/nothing-%3Cscript%3E',
      ],
      `/search?q=${encodeURIComponent(name)}`,
      `/acme?q=${encodeURIComponent(name)}`,
      ...releases.filter((_, index) => isWhole || index % 20 === 0).map(({ id }) => `/release/${id}`),
    ];
    for (const path of pages) {
      const { text } = await anonymous.get(path);
      assert.deepEqual(faultsOf(text), [], path);
    }
    for (const list of lists) {
      for (let path: string | undefined = list; path; ) {
        const { status, text } = await anonymous.get(path);
        assert.deepEqual([status, faultsOf(text)], [200, []], path);
        const next = /<a[^>]*href="([^"]+)"[^>]*rel="next"/.exec(text)?.[1];
        path = isWhole ? next?.replaceAll('&amp;', '&') : undefined;
      }
    }
    for (const feed of ['/acme', '/acme/widgets', '/acme/js', '/collections/good', '/categories/ai', '/feed']) {
      let path: string | undefined = `${feed}.atom`;
      while (path) {
        const { text } = await anonymous.get(path);
        assert.deepEqual(atomFaults(text), [], path);
        const next = /<link rel="next" [^>]*href="https:\/\/registry\.example([^"]+)"/.exec(text)?.[1];
        path = isWhole && feed === '/acme/js' ? next?.replaceAll('&amp;', '&') : undefined;
      }
    }
  });
});

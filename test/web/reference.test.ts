// The pages of the API reference: together they hold every call and schema, and each of them is light.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { type CheerioAPI, load } from 'cheerio';
import type { OpenApiDocument } from '../../src/http/openapi/document-types.ts';
import { callAnchor, GROUPS, groupPath, schemaPath } from '../../src/http/openapi/reference-paths.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

// One page with all calls and schemas had this size. No page may have more than a tenth of it.
const WHOLE = { elements: 46_059, bytes: 1_692_654 };

forEachEngine('the API reference', (engine) => {
  // The pages are made of the document, not of what is stored.
  if (engine.name !== 'sqlite') return;
  let service: Service;
  let document: OpenApiDocument;
  const pages = new Map<string, { $: CheerioAPI; text: string }>();

  before(async () => {
    service = await startService(await engine.openTestApp({ env: { REGISTRY_RATE_PUBLIC: '0' } }));
    document = (await service.anonymous.get('/v1/openapi.json')).body;
    const waiting = ['/v1/docs'];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (pages.has(path)) continue;
      const { status, text } = await service.anonymous.get(path);
      assert.equal(status, 200, path);
      const $ = load(text);
      pages.set(path, { $, text });
      for (const href of hrefs($)) if (isReference(href)) waiting.push(href.split('#', 1)[0] ?? '');
    }
  });

  const hrefs = ($: CheerioAPI) =>
    $('[href]')
      .toArray()
      .map((element) => $(element).attr('href') ?? '');
  const isReference = (href: string) => /^\/v1\/docs(?:[/#]|$)/.test(href);
  const page = (path: string) => {
    const found = pages.get(path);
    assert.ok(found, path);
    return found;
  };

  it('has a place in its order for every group of calls', () => {
    assert.deepEqual(document.tags.map(({ name }) => name).sort(), [...GROUPS].sort());
    assert.ok(!GROUPS.map(groupPath).includes('/v1/docs/schemas'));
  });

  it('opens with a guide, and lists every call under the address of its own description', () => {
    const { $ } = page('/v1/docs');
    for (const id of ['first-calls', 'base-address', 'authentication', 'errors', 'paging', 'limits']) {
      assert.equal($(`#guide #${id}`).length, 1, id);
    }
    assert.equal($('details.call').length, 0);
    for (const group of $('.call-list').toArray()) {
      const marked = $(group)
        .children()
        .toArray()
        .map((item) => $(item).find('.badge').length);
      assert.deepEqual(marked, marked.toSorted(), 'calls that need no credential come first');
    }
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, operation })),
    );
    assert.equal($('.call-list > li').length, operations.length);
    for (const { path, operation } of operations) {
      const { operationId, tags, summary, parameters } = operation;
      const id = callAnchor(operationId);
      const item = $(`#${id}`);
      const home = groupPath(tags[0] ?? '');
      assert.equal(item.children('a').attr('href'), `${home}#${id}`);
      assert.ok(item.text().includes(path) && item.text().includes(summary.replaceAll('`', '')), path);
      const searched = `${item.text()} ${item.attr('data-words')}`.toLowerCase();
      for (const { name, description = '' } of parameters) {
        const words = [name, ...(description.match(/[\p{L}\d_]+/gu) ?? [])];
        for (const word of words) assert.ok(searched.includes(word.toLowerCase()), `${id} is found by ${word}`);
      }
      assert.equal(page(home).$(`details.call#${id}`).attr('data-path'), path);
    }
  });

  it('has a page for every schema, with all its fields', () => {
    for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
      const { $ } = page(schemaPath(name));
      assert.equal($('h1').text(), name);
      const shown = $('.params > li > .name > code').toArray();
      assert.deepEqual(
        shown.map((code) => $(code).text()),
        Object.keys(properties),
        name,
      );
      assert.equal(page('/v1/docs/schemas').$(`#schema-${name} a`).attr('href'), schemaPath(name));
    }
  });

  it('has unique ids, and links that lead to something on every page', async () => {
    const elsewhere = new Set<string>();
    for (const [path, { $ }] of pages) {
      const ids = $('[id]')
        .toArray()
        .map((element) => $(element).attr('id'));
      assert.equal(new Set(ids).size, ids.length, path);
      assert.equal($('link[rel=canonical]').attr('href'), `${service.origin}${path}`);
      for (const href of hrefs($)) {
        const [target = '', fragment] = href.split('#');
        if (fragment !== undefined) {
          const { $: there } = page(target === '' ? path : target);
          assert.equal(there(`[id="${fragment}"]`).length, 1, `${path} leads to ${href}`);
        } else if (!isReference(href) && href.startsWith('/') && !href.startsWith('/assets/')) elsewhere.add(href);
      }
    }
    for (const href of elsewhere) assert.ok((await service.anonymous.get(href)).status < 400, href);
  });

  it('has no page with more than a tenth of what the whole has', () => {
    assert.ok(pages.size > GROUPS.length);
    for (const [path, { $, text }] of pages) {
      const [elements, bytes] = [$('*').length, Buffer.byteLength(text)];
      assert.ok(elements <= WHOLE.elements / 10, `${path} has ${elements} elements`);
      assert.ok(bytes <= WHOLE.bytes / 10, `${path} has ${bytes} bytes`);
    }
  });

  it('is listed in the sitemap', async () => {
    const { text } = await service.anonymous.get('/sitemap/pages.xml');
    for (const path of ['/v1/docs', '/v1/docs/schemas', ...GROUPS.map(groupPath)]) {
      assert.ok(text.includes(`<loc>${service.origin}${path}</loc>`), path);
    }
  });

  it('answers an unknown group or schema in the envelope, as everything below /v1', async () => {
    for (const path of ['/v1/docs/nothing', '/v1/docs/schemas/Nothing', '/v1/docs/schemas/__proto__']) {
      for (const accept of ['text/html', 'application/json']) {
        const { status, headers, body } = await service.anonymous.get(path, { Accept: accept });
        assert.equal(status, 404, path);
        assert.match(headers.get('content-type') ?? '', /^application\/json/, path);
        assert.equal(headers.get('cache-control'), 'private, no-store', path);
        assert.equal(body.error.code, 'not_found');
      }
    }
  });
});

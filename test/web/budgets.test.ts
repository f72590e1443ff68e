// The cost of a first visit: bytes of style, script and fonts, and of the pages themselves.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { openDemoApp } from '../support/demo.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

const KB = 1000;

// At the level at which pages are sent. The highest one takes many times as long.
const compressedSize = (page: Buffer) =>
  brotliCompressSync(page, { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } }).length;

forEachEngine('page budgets', (engine) => {
  // Bytes do not depend on the engine.
  if (engine.name !== 'sqlite') return;

  it('style, script, fonts and pages stay within their bytes', async () => {
    const app = await openDemoApp(engine);
    const { url, anonymous } = await startService(app);
    const read = async (path: string) => {
      const answer = await fetch(url + path);
      assert.equal(answer.status, 200, path);
      return Buffer.from(await answer.arrayBuffer());
    };
    const home = (await read('/')).toString();
    const linked = (pattern: RegExp) => [...home.matchAll(pattern)].map(([, path]) => path ?? '');
    const compressed = async (paths: string[]) => {
      const sizes = await Promise.all(paths.map(async (path) => gzipSync(await read(path)).length));
      return sizes.reduce((sum, size) => sum + size, 0);
    };
    const scripts = linked(/<script[^>]* src="([^"]+)"/g);
    const styles = linked(/<link rel="stylesheet" href="([^"]+)"/g);
    assert.ok(scripts.length > 0 && styles.length > 0);
    assert.ok((await compressed(scripts)) <= 45 * KB, 'script');
    assert.ok((await compressed(styles)) <= 30 * KB, 'style');

    const preloaded = linked(/<link rel="preload" href="([^"]+)" as="font"/g);
    assert.equal(preloaded.length, 1, 'one font is preloaded');
    const css = (await Promise.all(styles.map(read))).join('\n');
    const fonts = [...new Set([...css.matchAll(/url\(["']?([^)"']+\.woff2)/g)].map(([, path]) => path ?? ''))];
    assert.ok(fonts.length > 0);
    const bytes = await Promise.all(fonts.map(async (path) => (await read(path)).length));
    assert.ok(bytes.reduce((sum, size) => sum + size, 0) <= 80 * KB, `fonts: ${bytes.join(' + ')}`);

    const theme = scripts.find((path) => path.includes('theme'));
    assert.ok(theme && (await read(theme)).length <= KB, 'the script that blocks painting');

    const { items } = (await anonymous.get('/v1/orgs?featured=true&limit=1')).body;
    const org = (await anonymous.get(`/v1/orgs/${items[0].slug}`)).body;
    const { releases } = (await anonymous.get('/v1/releases/latest?count=1')).body;
    for (const path of [
      '/',
      '/catalog',
      `/${org.slug}`,
      `/${org.slug}/${org.products[0].slug}`,
      `/release/${releases[0].id}`,
      '/search?q=fix',
      '/live',
      '/v1/docs',
      '/v1/docs/orgs',
    ]) {
      const size = compressedSize(await read(path));
      assert.ok(size <= 80 * KB, `${path} has ${size} bytes`);
    }
  });
});

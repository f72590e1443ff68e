import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createProduct, createSource } from '../../../test/support/factories.ts';
import type { Context } from '../../context.ts';
import { fillWords } from './fill-words.ts';
import { askReleases, NOW, publish, search, titles } from './test-support.ts';

// Titles name what the body is there for.
const NOTES: Record<string, string> = {
  exact: 'Upgrade to v1.0.21 now.',
  others: 'Upgrade to 1.0.210, 11.0.21 or 1.0.2.',
  cve: 'Fixes CVE-2024-12345.',
  longcve: 'Fixes CVE-2024-123456.',
  scoped: 'Moved to `@scope/pkg`.',
  apart: 'The scope of each pkg.',
  call: 'Call foo.bar() first.',
  errname: 'No more ERR_MODULE_NOT_FOUND.',
  hyphen: 'Works with react-dom.',
  phrase: 'Works with React DOM.',
  scattered: 'React renders to the DOM.',
  caching: 'A cache is cached by caching.',
  hooks: 'New webhooks, and one webhook.',
  config: 'Configuration pages.',
  flags: 'Bump @scope/other@3.2.1-beta.4 (#4711), use --watch.',
  mode: 'Dark mode for the settings.',
  modes: 'Dark is the new mode.',
  big: 'Runs on 115.0 and 5.0.',
};

const QUERIES: [string, string[]][] = [
  ['1.0.21', ['exact']],
  ['v1.0.21', ['exact']],
  ['1.0.210', ['others']],
  ['15.0', ['fifteen-three', 'fifteen']],
  ['CVE-2024-12345', ['cve']],
  ['cve-2024-123456', ['longcve']],
  ['@scope/pkg', ['scoped']],
  ['foo.bar()', ['call']],
  ['foo.bar', ['call']],
  ['ERR_MODULE_NOT_FOUND', ['errname']],
  ['react-dom', ['phrase', 'hyphen']],
  ['react dom', ['scattered', 'phrase', 'hyphen']],
  ['cache', ['caching']],
  ['Cached', ['caching']],
  ['webho', ['hooks']],
  ['webhook', ['hooks']],
  ['webho ', []],
  ['configurat', ['config']],
  ['#4711', ['flags']],
  ['--watch', ['flags']],
  ['3.2.1-beta.4', ['flags']],
  ['"dark mode"', ['mode']],
  ['dark mode', ['modes', 'mode']],
  ['is there a dark mode', ['modes', 'mode']],
  ['the', ['apart', 'scattered', 'mode', 'modes']],
  ['foo:bar "x', []],
  ['NEAR(', []],
  ['*', []],
  ["'; drop", []],
  ['', []],
];

forEachEngine('what a search finds', (engine) => {
  let ctx: Context;
  before(async () => {
    ({ ctx } = await engine.openTestApp({ clock: movableClock(NOW) }));
    await publish(ctx, [
      ...Object.entries(NOTES).map(([title, content]) => ({ title, content })),
      { title: 'fifteen', version: '15.0', content: 'x' },
      { title: 'fifteen-three', version: '15.0.3', content: 'x' },
      { title: 'fifteen-one', version: '15.1.0', content: 'x' },
    ]);
  });

  const check = (known: string) => {
    for (const [q, expected] of QUERIES) {
      it(`${q} finds ${expected.join(', ') || 'nothing'} ${known}`, async () => {
        assert.deepEqual((await titles(ctx, q)).sort(), [...expected].sort());
      });
    }
  };
  check('while no word is known');

  it('takes in the words of the registry', async () => {
    while (await fillWords(ctx));
  });
  check('with known words');

  it('puts the release of a version before one that mentions it, and its series after both', async () => {
    const source = await publish(ctx, [
      { title: 'own', version: '7.4', content: 'x', publishedAt: '2025-01-01T00:00:00.000Z' },
      { title: 'mention', content: 'Since 7.4 it works.' },
      { title: 'patch', version: '7.4.9', content: 'x' },
    ]);
    assert.deepEqual(await titles(ctx, '7.4', { sourceIds: [source] }), ['own', 'patch', 'mention']);
  });

  it('puts the releases of a product before one that mentions its name', async () => {
    const org = await createOrg(ctx);
    const product = await createProduct(ctx, org.id, { name: 'Halcyon' });
    const { id } = await createSource(ctx, { orgId: org.id, productId: product.id });
    await publish(ctx, [{ title: 'of the product', version: '3.1', content: 'x' }], id);
    const mention =
      'Uploads that were begun by an older client are resumed from where they stopped, also when they came through Halcyon or another proxy that cuts connections after a minute without any data.';
    await publish(ctx, [{ title: 'mention', content: mention }]);
    assert.deepEqual(await titles(ctx, 'halcyon'), ['of the product', 'mention']);
  });
});

forEachEngine('the looser pass', (engine) => {
  let ctx: Context;
  before(async () => {
    ({ ctx } = await engine.openTestApp({ clock: movableClock(NOW) }));
    await publish(ctx, [
      { title: 'both', content: 'alpine glacier' },
      { title: 'one', content: 'alpine meadow' },
      { title: 'two', content: 'glacier meadow' },
      { title: 'none', content: 'sand dune' },
      { title: 'parts', content: 'the pkg config file' },
    ]);
  });

  it('follows when few match every word', async () => {
    assert.deepEqual(await search(ctx, 'alpine glacier'), [
      { title: 'both', pass: 'every' },
      { title: 'two', pass: 'some' },
      { title: 'one', pass: 'some' },
    ]);
  });

  it('wants half of the words', async () => {
    const found = await search(ctx, 'alpine glacier meadow');
    assert.deepEqual(found.map(({ title }) => title).sort(), ['both', 'one', 'two']);
    assert.deepEqual(await search(ctx, 'alpine xyzzy plugh'), []);
  });

  it('takes a name as its words in a row', async () => {
    assert.deepEqual(await search(ctx, 'pkg.config'), [{ title: 'parts', pass: 'some' }]);
    assert.deepEqual(await search(ctx, 'config.pkg'), []);
  });

  it('stays away when enough match', async () => {
    await publish(
      ctx,
      Array.from({ length: 5 }, (_, at) => ({ title: `all ${at}`, content: 'alpine glacier' })),
    );

    assert.ok((await search(ctx, 'alpine glacier')).every(({ pass }) => pass === 'every'));
  });

  it('gives scores below those of the first pass', async () => {
    const filter = { includePrereleases: true, includeCoverage: true };
    const { hits } = await askReleases(ctx, { q: 'sand meadow', filter });

    assert.deepEqual(
      hits.map(({ score }) => score),
      hits.map(({ score }) => score).sort((a, b) => b - a),
    );
  });
});

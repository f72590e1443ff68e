import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { refused } from '../../../test/support/refused.ts';
import type { Context } from '../../context.ts';
import { manifest as manifestShape } from '../../contract/manifest.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { addAccount } from '../orgs/accounts.ts';
import { updateSource } from '../sources/update.ts';
import { exportManifest, shortened, sortLocators, sourceLocator } from './export.ts';

describe('sourceLocator', () => {
  const url = 'https://acme.example/log';
  const cases: [string, Partial<SourceRow>, object | null][] = [
    ['a repository', { type: 'github', github_coordinate: 'acme/cli' }, { github: 'acme/cli' }],
    ['a repository by its address', { type: 'github', url: 'https://github.com/Acme/CLI' }, { github: 'acme/cli' }],
    ['a page with a coordinate', { type: 'scrape', github_coordinate: 'acme/cli' }, { github: 'acme/cli' }],
    ['an app', { type: 'appstore' }, { appstore: url }],
    ['a feed', { type: 'feed' }, { feed: url }],
    ['a feed with its own address', { type: 'feed', feed_url: `${url}.xml` }, { feed: `${url}.xml` }],
    ['a page that is read by its feed', { type: 'scrape', feed_url: `${url}.xml` }, { feed: `${url}.xml` }],
    ['a page', { type: 'scrape' }, { url }],
    ['a video channel, whatever it is read by', { type: 'video', feed_url: `${url}.xml` }, { url }],
    ['an agent source', { type: 'agent' }, { url }],
    ['an address without https', { type: 'scrape', url: 'http://acme.example' }, null],
    ['a feed without https', { type: 'feed', feed_url: 'http://acme.example/feed' }, null],
  ];
  for (const [label, row, expected] of cases) {
    it(label, () => {
      const source = { name: 'Acme', url, feed_url: null, github_coordinate: null, is_primary: 0, ...row };
      const locator = sourceLocator(source as SourceRow);
      assert.deepEqual(locator, expected && { ...expected, title: 'Acme' });
    });
  }
});

describe('sortLocators', () => {
  it('puts the canonical one first, then goes by kind and value, and keeps one canonical', () => {
    const sorted = sortLocators([
      { url: 'https://b.example' },
      { file: 'https://b.example/CHANGELOG.md' },
      { feed: 'https://z.example', canonical: true },
      { feed: 'https://a.example' },
      { appstore: 'https://apps.example/1' },
      { github: 'b/b' },
      { github: 'a/a' },
      { url: 'https://a.example', canonical: true },
    ]);

    assert.deepEqual(
      sorted.map((locator) => Object.values(locator).join(' ')),
      [
        'https://z.example true',
        'https://a.example',
        'a/a',
        'b/b',
        'https://apps.example/1',
        'https://a.example',
        'https://b.example/CHANGELOG.md',
        'https://b.example',
      ],
    );
  });
});

describe('shortened', () => {
  const cases: [string, number, string][] = [
    ['short', 10, 'short'],
    ['exactly', 7, 'exactly'],
    ['two words', 4, 'two'],
    ['ab👍', 3, 'ab'],
    ['ab👍', 4, 'ab👍'],
  ];
  for (const [text, max, expected] of cases) {
    it(`${text} in ${max}`, () => assert.equal(shortened(text, max), expected));
  }
});

forEachEngine('exportManifest', (engine) => {
  let opened: Promise<Context> | null = null;
  const open = () => {
    opened ??= engine
      .openTestApp({ env: { REGISTRY_BASE_URL: 'https://registry.example' } })
      .then(({ ctx }) => as(ctx, 'write'));
    return opened;
  };

  it('tells of visible products and sources under the name of this registry', async () => {
    const ctx = await open();
    const org = await createOrg(ctx, {
      name: 'Acme',
      description: 'Tools.',
      category: 'cloud',
      avatarUrl: 'https://acme.example/a.png',
      tags: ['b', 'a'],
    });
    await addAccount(ctx, { org: org.id, account: { platform: 'x', handle: 'acme' } });
    const product = await createProduct(ctx, org.id, {
      name: 'Engine',
      slug: 'engine',
      url: 'https://acme.example/e',
      kind: 'sdk',
    });
    await createProduct(ctx, org.id, { isHidden: true });
    const inProduct = { orgId: org.id, productId: product.id };
    await createSource(ctx, { ...inProduct, name: 'Code', url: 'https://github.com/acme/engine', type: 'github' });
    await createSource(ctx, { ...inProduct, name: 'Blog', url: 'https://acme.example/feed', isPrimary: true });
    await createSource(ctx, { orgId: org.id, name: 'Site', url: 'https://acme.example/log', type: 'scrape' });
    await createSource(ctx, { orgId: org.id, name: 'Plain', url: 'http://acme.example/log2', type: 'scrape' });
    await createSource(ctx, { orgId: org.id, isHidden: true });

    const manifest = await exportManifest(as(ctx, null), { org: org.slug });

    assert.deepEqual(manifestShape.parse(manifest), manifest);
    assert.deepEqual(manifest, {
      $schema: 'https://registry.example/schemas/releases-v2.json',
      version: 2,
      registries: { 'registry.example': { org: org.id, product: `prd_${product.id.slice(5)}` } },
      name: 'Acme',
      description: 'Tools.',
      category: 'cloud',
      avatar: 'https://acme.example/a.png',
      tags: ['a', 'b'],
      social: { x: 'acme' },
      releases: [{ url: 'https://acme.example/log', title: 'Site' }],
      products: [
        {
          name: 'Engine',
          slug: 'engine',
          kind: 'sdk',
          website: 'https://acme.example/e',
          releases: [
            { feed: 'https://acme.example/feed', title: 'Blog', canonical: true },
            { github: 'acme/engine', title: 'Code' },
          ],
        },
      ],
    });
  });

  it('keeps to the limits of the contract: primary first, then most releases, then id', async () => {
    const ctx = await open();
    const org = await createOrg(ctx);
    const sources = [];
    for (let index = 0; index < 34; index += 1) sources.push(await createSource(ctx, { orgId: org.id }));
    const byId = sources.map(({ id }) => id).sort();
    await postReleases(ctx, byId.at(-1) ?? '', [releaseRow('1.0.0')]);
    await updateSource(ctx, { src: byId.at(-2) ?? '' }, { isPrimary: true });
    const dropped = new Set(byId.slice(-4, -2));
    for (let index = 0; index < 25; index += 1) await createProduct(ctx, org.id);

    const manifest = await exportManifest(ctx, { org: org.id });

    assert.deepEqual(manifestShape.parse(manifest), manifest);
    assert.equal(manifest.releases?.length, 32);
    const titles = new Set(manifest.releases?.map(({ title }) => title));
    assert.deepEqual(
      sources
        .filter(({ name }) => !titles.has(name))
        .map(({ id }) => id)
        .sort(),
      [...dropped].sort(),
    );
    assert.equal(manifest.products?.length, 24);
    assert.equal(manifest.registries?.['registry.example']?.product, undefined);
  });

  it('says little about an org that has little, and nothing about one that is not there', async () => {
    const ctx = await open();
    const org = await createOrg(ctx, { name: 'Bare' });

    assert.deepEqual(Object.keys(await exportManifest(ctx, { org: org.id })), [
      '$schema',
      'version',
      'registries',
      'name',
    ]);
    assert.equal((await refused(exportManifest(ctx, { org: 'nobody' })))?.code, 'not_found');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg } from '../../../test/support/factories.ts';
import { refused } from '../../../test/support/refused.ts';
import type { Context } from '../../context.ts';
import { type StubCreation, stubCreation } from '../../contract/stub-input.ts';
import { exportManifest } from '../manifest/export.ts';
import { orgDetail } from './detail.ts';
import { locatorKey } from './locations.ts';
import { createStub } from './stub.ts';

describe('the body of a stub', () => {
  const name = 'Acme';
  const feed = 'https://acme.example/feed.xml';
  const cases: [string, unknown, string | null][] = [
    ['one locator is enough', { name, releases: [{ feed }] }, null],
    ['also in a product', { name, products: [{ name: 'CLI', releases: [{ github: 'acme/cli' }] }] }, null],
    ['unknown top-level keys are ignored', { name, releases: [{ feed }], extra: 1 }, null],
    ['no locator at all', { name, products: [{ name: 'CLI' }] }, 'releases'],
    ['a locator without address', { name, releases: [{ title: 'News' }] }, 'releases.0'],
    [
      'two canonical ones',
      {
        name,
        releases: [
          { feed, canonical: true },
          { github: 'a/b', canonical: true },
        ],
      },
      'releases',
    ],
    ['an address without https', { name, releases: [{ feed: 'http://acme.example/feed' }] }, 'releases.0.feed'],
    ['an unknown key in a locator', { name, releases: [{ feed, rss: feed }] }, 'releases.0'],
    [
      'an unknown key in a product',
      { name, releases: [{ feed }], products: [{ name: 'X', color: 'red' }] },
      'products.0',
    ],
    ['too many locators', { name, releases: Array.from({ length: 33 }, () => ({ feed })) }, 'releases'],
  ];
  for (const [label, body, path] of cases) {
    it(label, () => {
      const result = stubCreation.safeParse(body);
      assert.equal(result.success ? null : result.error.issues[0]?.path.join('.'), path);
    });
  }
});

describe('locatorKey', () => {
  const cases: [Parameters<typeof locatorKey>[0], string][] = [
    [{ url: 'https://www.acme.example/log/', feed: 'https://acme.example/feed/' }, 'feed:acme.example/feed'],
    [{ github: 'Acme/CLI', url: 'https://acme.example' }, 'github:acme/cli'],
    [{ file: 'https://acme.example/CHANGELOG.md' }, 'file:acme.example/CHANGELOG.md'],
    [{ url: 'https://acme.example/news?utm_source=x' }, 'url:acme.example/news'],
  ];
  for (const [locator, key] of cases) it(key, () => assert.equal(locatorKey(locator), key));
});

forEachEngine('createStub', (engine) => {
  let opened: Promise<Context> | null = null;
  const open = () => {
    opened ??= engine.openTestApp().then(({ ctx }) => as(ctx, 'admin'));
    return opened;
  };
  const stub = (key: string, more: Record<string, unknown> = {}): StubCreation =>
    stubCreation.parse({
      name: `Stub ${key}`,
      domain: `${key}.example`,
      category: 'design',
      avatar: `https://${key}.example/icon.png`,
      tags: ['Audio'],
      social: { GitHub: key },
      releases: [
        { url: `https://${key}.example/changelog`, title: 'Changelog', canonical: true },
        { github: `${key}/cli` },
        { github: `${key}/CLI`, title: 'Named twice' },
      ],
      products: [{ name: 'Reverb', kind: 'desktop', category: 'none such', releases: [{ github: `${key}/reverb` }] }],
      ...more,
    });

  it('stores locations and products, and exports them again', async () => {
    const ctx = await open();

    const row = await createStub(ctx, stub('tones'));

    const { status, discovery, category, tags, productCount, locationCount } = row;
    assert.deepEqual(
      { status, discovery, category, tags, productCount, locationCount },
      { status: 'stub', discovery: 'curated', category: 'design', tags: ['Audio'], productCount: 1, locationCount: 3 },
    );
    const detail = await orgDetail(as(ctx, null), { org: 'tones.example' });
    assert.deepEqual(detail.accounts, [{ platform: 'github', handle: 'tones' }]);
    const productId = detail.products[0]?.id;
    const curated = { canonical: false, basis: 'curator', productId: null, sourceId: null };
    assert.deepEqual(detail.locations[0], {
      ...curated,
      url: 'https://tones.example/changelog',
      title: 'Changelog',
      canonical: true,
    });
    assert.deepEqual(
      detail.locations.slice(1).sort((a, b) => ((a.github ?? '') < (b.github ?? '') ? -1 : 1)),
      [
        { ...curated, github: 'tones/cli' },
        { ...curated, github: 'tones/reverb', productId },
      ],
    );
    const manifest = await exportManifest(as(ctx, null), { org: row.id });
    assert.deepEqual(manifest.releases, [
      { url: 'https://tones.example/changelog', title: 'Changelog', canonical: true },
      { github: 'tones/cli' },
    ]);
    assert.deepEqual(manifest.products, [
      { name: 'Reverb', slug: 'reverb', kind: 'desktop', releases: [{ github: 'tones/reverb' }] },
    ]);
  });

  const conflicts: [string, Record<string, unknown>, string][] = [
    ['a slug that is taken', { slug: 'taken-by-acme' }, 'conflict'],
    ['a reserved slug', { slug: 'search' }, 'slug_reserved'],
    ['a domain that is taken', { domain: 'taken-by-acme.example' }, 'conflict'],
    ['an account that is taken', { social: { github: 'taken-by-acme' } }, 'conflict'],
    ['products of one slug', { products: [{ name: 'One' }, { name: 'one!' }] }, 'conflict'],
  ];
  it('makes no stub of what belongs to others', async () => {
    const ctx = await open();
    await createOrg(ctx, {
      slug: 'taken-by-acme',
      domain: 'taken-by-acme.example',
      accounts: [{ platform: 'github', handle: 'taken-by-acme' }],
    });
    for (const [label, more, code] of conflicts) {
      assert.equal((await refused(createStub(ctx, stub('refused', more))))?.code, code, label);
    }
    assert.equal((await refused(orgDetail(ctx, { org: 'refused.example' })))?.code, 'not_found');
  });
});

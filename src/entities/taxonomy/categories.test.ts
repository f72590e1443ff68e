import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import {
  addReleases,
  atOnce,
  makeDeletedOrg,
  makeOrg,
  makeProduct,
  makeSource,
  plain,
} from '../../../test/support/named.ts';
import { CATEGORIES } from '../../contract/enums.ts';
import { categoryFeed } from '../../releases/feeds/category.ts';
import { feedMarkdown } from '../../releases/markdown/release.ts';
import { findCategory } from './category.ts';
import { categoryDetail } from './category-text.ts';
import { changeCategory } from './change-category.ts';
import { listCategories } from './list-categories.ts';

forEachEngine('categories', (engine) => {
  const open = async () => as((await engine.openTestApp()).ctx, 'write');

  it('all of them in order, with default names, on an empty registry', async () => {
    const ctx = await open();

    const categories = await listCategories(ctx);

    assert.deepEqual(
      categories.map((item) => item.slug),
      [...CATEGORIES],
    );
    const names = new Map(categories.map((item) => [item.slug, item.name]));
    assert.deepEqual(
      (['ai', 'crm', 'devops', 'developer-tools', 'cloud'] as const).map((slug) => names.get(slug)),
      ['AI', 'CRM', 'DevOps', 'Developer Tools', 'Cloud'],
    );
    assert.deepEqual(categories[0], {
      slug: 'ai',
      name: 'AI',
      description: null,
      aliases: [],
      orgCount: 0,
      productCount: 0,
      previewMembers: [],
    });
  });

  it('counts and shows visible orgs and products; those with most releases first', async () => {
    const ctx = await open();
    const small = await makeOrg(ctx, { slug: 'small', category: 'ai' });
    const large = await makeOrg(ctx, { slug: 'zenith', category: 'ai', avatarUrl: 'https://x.example/a.png' });
    await addReleases(ctx, await makeSource(ctx, { slug: 's', orgId: small.id }), ['1.0.0']);
    await addReleases(ctx, await makeSource(ctx, { slug: 'l', orgId: large.id }), ['1.0.0', '1.1.0']);
    const dark = await makeOrg(ctx, { slug: 'dark', category: 'ai', isHidden: true });
    await makeDeletedOrg(ctx, { slug: 'gone', category: 'ai' });
    const other = await makeOrg(ctx, { slug: 'plain' });
    await makeProduct(ctx, { slug: 'bot', name: 'Bot', orgId: other.id, category: 'ai', description: 'Talks' });
    await makeProduct(ctx, { slug: 'ant', name: 'Ant', orgId: small.id, category: 'ai' });
    await makeProduct(ctx, { slug: 'own', orgId: small.id });
    await makeProduct(ctx, { slug: 'hid', orgId: other.id, category: 'ai', isHidden: true });
    await makeProduct(ctx, { slug: 'bur', orgId: dark.id, category: 'ai' });

    const [ai] = await listCategories(as(ctx, null));
    const detail = await categoryDetail(as(ctx, null), 'ai');

    assert.deepEqual([ai?.orgCount, ai?.productCount], [2, 2]);
    assert.deepEqual(
      ai?.previewMembers.map((member) => `${member.kind} ${member.slug}`),
      ['org zenith', 'org small', 'product ant'],
    );
    assert.deepEqual(plain(detail), {
      slug: 'ai',
      name: 'AI',
      description: null,
      aliases: [],
      orgs: [
        { slug: 'small', name: 'small', domain: null, avatarUrl: null },
        { slug: 'zenith', name: 'zenith', domain: null, avatarUrl: 'https://x.example/a.png' },
      ],
      products: [
        { slug: 'ant', name: 'Ant', description: null, orgSlug: 'small', orgName: 'small' },
        { slug: 'bot', name: 'Bot', description: 'Talks', orgSlug: 'plain', orgName: 'plain' },
      ],
    });
  });

  it('the overlay names, describes and gives aliases; null goes back to the default', async () => {
    const ctx = await open();

    const first = await changeCategory(ctx, {
      category: 'ai',
      change: { name: 'Machines', aliases: ['ml', 'llm', 'ml'] },
    });
    const second = await changeCategory(ctx, { category: 'ml', change: { name: null, description: 'That think' } });

    assert.deepEqual(first, { slug: 'ai', name: 'Machines', description: null, aliases: ['ml', 'llm'] });
    assert.deepEqual(second, { slug: 'ai', name: 'AI', description: 'That think', aliases: ['ml', 'llm'] });
    assert.equal((await categoryDetail(ctx, 'llm')).slug, 'ai');
    assert.equal(await findCategory(ctx, 'llm'), 'ai');
    assert.equal(await findCategory(ctx, 'nothing'), null);
    await assert.rejects(categoryDetail(ctx, 'nothing'), {
      code: 'not_found',
      details: { entity: 'category', value: 'nothing' },
    });
  });

  it('an alias belongs to one category and is no category itself', async () => {
    const ctx = await open();
    await changeCategory(ctx, { category: 'ai', change: { aliases: ['ml'] } });

    await assert.rejects(changeCategory(ctx, { category: 'cloud', change: { aliases: ['saas', 'ml'] } }), {
      code: 'conflict',
      details: { field: 'aliases', value: 'ml', existingId: 'ai' },
    });
    await assert.rejects(changeCategory(ctx, { category: 'cloud', change: { aliases: ['crm'] } }), {
      code: 'validation_failed',
    });
    await assert.rejects(changeCategory(ctx, { category: 'none', change: { name: 'x' } }), { code: 'not_found' });
    assert.deepEqual((await changeCategory(ctx, { category: 'ai', change: { aliases: [] } })).aliases, []);

    const results = await atOnce((index) =>
      changeCategory(ctx, { category: CATEGORIES[index % 14] ?? 'ai', change: { aliases: ['same'] } }),
    );
    const winners = new Set(results.map((result) => (typeof result === 'string' ? null : result.slug)));
    winners.delete(null);
    assert.equal(winners.size, 1);
  });

  it('feed: the category of the product, else of the org; aliases work; named orgs alone when asked', async () => {
    const ctx = await open();
    const acme = await makeOrg(ctx, { slug: 'acme', category: 'ai' });
    const beta = await makeOrg(ctx, { slug: 'beta', category: 'cloud' });
    const db = await makeProduct(ctx, { slug: 'db', orgId: acme.id, category: 'database' });
    const ml = await makeProduct(ctx, { slug: 'ml', orgId: beta.id, category: 'ai' });
    const places: [string, string, string | undefined][] = [
      ['a', acme.id, undefined],
      ['b', acme.id, db.id],
      ['c', beta.id, ml.id],
      ['d', beta.id, undefined],
    ];
    for (const [slug, orgId, productId] of places) {
      await addReleases(ctx, await makeSource(ctx, { slug, orgId, productId }), [`${slug}-1.0.0`]);
    }
    await changeCategory(ctx, { category: 'ai', change: { aliases: ['llm'] } });
    const versions = async (category: string, orgs?: string[]) => {
      const feed = await categoryFeed(as(ctx, null), { category, orgs, filter: {}, page: { limit: 20 } });
      return feed.releases.map((item) => item.version).sort();
    };

    assert.deepEqual(await versions('ai'), ['a-1.0.0', 'c-1.0.0']);
    assert.deepEqual(await versions('llm'), ['a-1.0.0', 'c-1.0.0']);
    assert.deepEqual(await versions('ai', ['acme']), ['a-1.0.0']);
    assert.deepEqual(await versions('ai', [beta.id, 'nobody']), ['c-1.0.0']);
    assert.deepEqual(await versions('ai', ['nobody']), []);
    assert.deepEqual(await versions('database'), ['b-1.0.0']);
    await assert.rejects(versions('nothing'), { code: 'not_found' });
    const feed = await categoryFeed(ctx, { category: 'llm', filter: {}, page: { limit: 1 } });
    assert.match(
      feedMarkdown({}, feed),
      /^---\ncategory: ai\ncategory_name: AI\nrelease_count: 1\nhas_more: true\n---\n/,
    );
  });
});

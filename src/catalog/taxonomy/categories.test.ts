import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { CATEGORIES } from '../../contract/enums.ts';
import {
  addReleases,
  as,
  atOnce,
  makeOrg,
  makeProduct,
  makeSource,
  plain,
  VISITOR,
  WRITER,
} from '../collections/fixture.ts';
import { feedMarkdown } from '../markdown/release-block.ts';
import { categoryDetail } from './category-detail.ts';
import { categoryFeed } from './category-feed.ts';
import { changeCategory } from './change-category.ts';
import { listCategories } from './list-categories.ts';
import { categoryOfQuery, resolveCategory } from './resolve-category.ts';

forEachEngine('categories', (engine) => {
  const open = async () => as((await engine.openTestApp()).ctx, WRITER);

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
    const small = await makeOrg(ctx, { slug: 'small', category: 'ai', release_count: 1 });
    await makeOrg(ctx, { slug: 'large', category: 'ai', release_count: 9, avatar_url: 'https://x.example/a.png' });
    const dark = await makeOrg(ctx, { slug: 'dark', category: 'ai', is_hidden: 1 });
    await makeOrg(ctx, { slug: 'gone', category: 'ai', deleted_at: '2026-01-01T00:00:00.000Z' });
    const other = await makeOrg(ctx, { slug: 'plain' });
    await makeProduct(ctx, { slug: 'bot', name: 'Bot', org_id: other.id, category: 'ai', description: 'Talks' });
    await makeProduct(ctx, { slug: 'ant', name: 'Ant', org_id: small.id, category: 'ai' });
    await makeProduct(ctx, { slug: 'own', org_id: small.id });
    await makeProduct(ctx, { slug: 'hid', org_id: other.id, category: 'ai', is_hidden: 1 });
    await makeProduct(ctx, { slug: 'bur', org_id: dark.id, category: 'ai' });

    const [ai] = await listCategories(as(ctx, VISITOR));
    const detail = await categoryDetail(as(ctx, VISITOR), 'ai');

    assert.deepEqual([ai?.orgCount, ai?.productCount], [2, 2]);
    assert.deepEqual(
      ai?.previewMembers.map((member) => `${member.kind} ${member.slug}`),
      ['org large', 'org small', 'product ant'],
    );
    assert.deepEqual(plain(detail), {
      slug: 'ai',
      name: 'AI',
      description: null,
      aliases: [],
      orgs: [
        { slug: 'large', name: 'large', domain: null, avatarUrl: 'https://x.example/a.png' },
        { slug: 'small', name: 'small', domain: null, avatarUrl: null },
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
    assert.equal(await resolveCategory(ctx, 'llm'), 'ai');
    assert.equal(await resolveCategory(ctx, 'nothing'), null);
    assert.equal(await categoryOfQuery(ctx, undefined), undefined);
    await assert.rejects(categoryOfQuery(ctx, 'nothing'), { code: 'bad_request' });
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
    const db = await makeProduct(ctx, { slug: 'db', org_id: acme.id, category: 'database' });
    const ml = await makeProduct(ctx, { slug: 'ml', org_id: beta.id, category: 'ai' });
    const places: [string, string, string | null][] = [
      ['a', acme.id, null],
      ['b', acme.id, db.id],
      ['c', beta.id, ml.id],
      ['d', beta.id, null],
    ];
    for (const [slug, org_id, product_id] of places) {
      await addReleases(ctx, await makeSource(ctx, { slug, org_id, product_id }), [`${slug}-1.0.0`]);
    }
    await changeCategory(ctx, { category: 'ai', change: { aliases: ['llm'] } });
    const versions = async (category: string, orgs?: string[]) => {
      const feed = await categoryFeed(as(ctx, VISITOR), { category, orgs, filter: {}, page: { limit: 20 } });
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

import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createProduct, createSource } from '../../../test/support/factories.ts';
import type { Context } from '../../context.ts';
import { RETRIEVER_DEPTH } from '../../domain/retrieval/fusion.ts';
import type { SearchFilter } from '../../domain/retrieval/retrievers.ts';
import { updateSource } from '../../entities/sources/update.ts';
import { NOW, publish, titles } from './test-support.ts';

forEachEngine('the filters of a search', (engine) => {
  let ctx: Context;
  const ids: Record<string, string> = {};
  before(async () => {
    ({ ctx } = await engine.openTestApp({ clock: movableClock(NOW) }));
    const org = await createOrg(ctx, { category: 'ai' });
    const product = await createProduct(ctx, org.id, { kind: 'sdk' });
    const github = await createSource(ctx, {
      orgId: org.id,
      productId: product.id,
      type: 'github',
      url: 'https://github.com/filters/one',
    });
    const plain = await createSource(ctx);
    Object.assign(ids, { org: org.id, product: product.id, github: github.id, plain: plain.id });
    const needle = { content: 'needle' };
    await publish(
      ctx,
      [
        { title: 'in-org', ...needle },
        { title: 'rollup', type: 'rollup', ...needle },
      ],
      github.id,
    );
    await publish(
      ctx,
      [
        { title: 'plain', ...needle },
        { title: 'pre', prerelease: true, version: '2.0.0-beta.1', ...needle },
        { title: 'major', breaking: 'major', importance: 5, ...needle },
        { title: 'minor', breaking: 'minor', importance: 3, ...needle },
        { title: 'old', publishedAt: '2020-03-01T10:30:30.000Z', ...needle },
        { title: 'undated', publishedAt: undefined, ...needle },
        { title: 'future', publishedAt: '2027-01-01T00:00:00.000Z', ...needle },
        { title: 'hay', content: 'kind:sdk type:rollup' },
      ],
      plain.id,
    );
  });

  const all = ['in-org', 'rollup', 'plain', 'major', 'minor', 'old', 'undated'];
  const cases: [string, (id: Record<string, string>) => Partial<SearchFilter>, string[]][] = [
    ['none', () => ({}), all],
    ['an org', ({ org }) => ({ orgIds: [org ?? ''] }), ['in-org', 'rollup']],
    ['a product', ({ product }) => ({ productIds: [product ?? ''] }), ['in-org', 'rollup']],
    ['a source', ({ plain }) => ({ sourceIds: [plain ?? ''] }), ['plain', 'major', 'minor', 'old', 'undated']],
    ['two sources', ({ plain, github }) => ({ sourceIds: [plain ?? '', github ?? ''] }), all],
    ['a category', () => ({ categories: ['ai'] }), ['in-org', 'rollup']],
    ['a kind', () => ({ kinds: ['sdk'] }), ['in-org', 'rollup']],
    ['a type of source', () => ({ sourceTypes: ['github'] }), ['in-org', 'rollup']],
    ['other types of source', () => ({ excludedSourceTypes: ['feed'] }), ['in-org', 'rollup']],
    ['a type of release', () => ({ type: 'rollup' }), ['rollup']],
    ['verdicts', () => ({ breaking: ['major', 'minor'] }), ['major', 'minor']],
    ['importance', () => ({ minImportance: 4 }), ['major']],
    ['impossible importance', () => ({ minImportance: 6 }), []],
    ['pre-releases', () => ({ includePrereleases: true }), [...all, 'pre']],
    ['since', () => ({ since: '2025-01-01T00:00:00.000Z' }), ['in-org', 'rollup', 'plain', 'major', 'minor']],
    ['until', () => ({ until: '2020-03-01T10:30:30.000Z' }), ['old']],
    ['until, to the second', () => ({ until: '2020-03-01T10:30:29.999Z' }), []],
    ['since, to the second', () => ({ since: '2020-03-01T10:30:30.001Z', until: '2021-01-01T00:00:00.000Z' }), []],
    ['two that exclude each other', ({ org, plain }) => ({ orgIds: [org ?? ''], sourceIds: [plain ?? ''] }), []],
    ['an empty list', () => ({ orgIds: [] }), []],
    ['an unknown org', () => ({ orgIds: ['org_none'] }), []],
    ['a long list', ({ github }) => ({ sourceIds: [...unknown(150), github ?? ''] }), ['in-org', 'rollup']],
    ['a long list without any', () => ({ orgIds: unknown(150) }), []],
  ];
  for (const [name, filter, expected] of cases) {
    it(`${name}: ${expected.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual((await titles(ctx, 'needle', filter(ids))).sort(), [...expected].sort());
    });
  }

  it('lets pre-releases in when the query asks for one', async () => {
    assert.deepEqual(await titles(ctx, '2.0.0-beta.1'), ['pre']);
    assert.deepEqual(await titles(ctx, 'needle beta'), ['pre']);
    assert.deepEqual(await titles(ctx, '2.0.0-beta'), []);
  });

  it('shows no release of a source that is hidden', async () => {
    const source = await publish(ctx, [{ title: 'soon hidden', content: 'cloak' }]);
    assert.deepEqual(await titles(ctx, 'cloak'), ['soon hidden']);

    await updateSource(ctx, { src: source }, { isHidden: true });

    assert.deepEqual(await titles(ctx, 'cloak'), []);
  });
});

// More values than the index is asked for, further back in time than one look reaches.
forEachEngine('a long list of sources', (engine) => {
  it('is followed until the page is full', async () => {
    const { ctx } = await engine.openTestApp({ clock: movableClock(NOW) });
    const rare = await publish(ctx, [{ title: 'oldest', content: 'common', publishedAt: '2019-01-01T00:00:00.000Z' }]);
    await publish(
      ctx,
      Array.from({ length: 450 }, (_, at) => ({ title: `other ${at}`, content: 'common' })),
    );

    assert.deepEqual(await titles(ctx, 'common', { sourceIds: [...unknown(150), rare] }), ['oldest']);
  });

  it('is checked page by page, and several pages are asked for at once', async () => {
    const { ctx } = await engine.openTestApp({ clock: movableClock(NOW) });
    // Every third release is one of the wanted source.
    const newest = Date.parse('2026-01-20T00:00:00.000Z');
    const every = Array.from({ length: 1_050 }, (_, at) => {
      return { title: `release ${at}`, content: 'common', publishedAt: new Date(newest - at * 60_000).toISOString() };
    });
    const wanted = await publish(
      ctx,
      every.filter((_, at) => at % 3 === 0),
    );
    for (const rest of [1, 2]) {
      await publish(
        ctx,
        every.filter((_, at) => at % 3 === rest),
      );
    }

    const requested: number[] = [];
    const found = await titles(watching(ctx, requested), 'common', { sourceIds: [...unknown(150), wanted] });

    // Three pages hold enough of them, and nothing that is older counts.
    const looked = every.slice(0, 3 * RETRIEVER_DEPTH).filter((_, at) => at % 3 === 0);
    assert.equal(looked.length, RETRIEVER_DEPTH);
    assert.deepEqual(new Set(found), new Set(looked.map(({ title }) => title)));
    assert.deepEqual(requested, [RETRIEVER_DEPTH, 2 * RETRIEVER_DEPTH]);
  });
});

// Notes how many candidates each question to the index of releases is for.
function watching(ctx: Context, requested: number[]): Context {
  const { dialect } = ctx.store;
  const findCandidates: typeof dialect.findCandidates = (db, query) => {
    requested.push(query.most);
    return dialect.findCandidates(db, query);
  };
  const store = Object.assign(Object.create(ctx.store), { dialect: { ...dialect, findCandidates } });
  return { ...ctx, store };
}

function unknown(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `src_unknown_${at}`);
}

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createProduct, createSource, postReleases } from '../../../test/support/factories.ts';
import { type Context, queries, transact, type WriteContext } from '../../context.ts';
import type { ReleaseInput } from '../../contract/release-input.ts';
import { sourceById } from '../../entities/resolve.ts';
import type { CreateSource } from '../../entities/sources/create.ts';
import { linkCoverage, readCoverage, unlinkCoverage } from '../../releases/write/coverage.ts';
import { coverReleases } from './cover-releases.ts';

const DAY = '2024-01-15T00:00:00.000Z';
const hours = (count: number) => new Date(Date.parse(DAY) + count * 3_600_000).toISOString();

const releasesOf = ({ tx }: WriteContext, ids: readonly string[]) =>
  tx
    .selectFrom('releases')
    .selectAll()
    .where('id', 'in', [...ids, ''])
    .execute();

forEachEngine('automatic coverage', (engine) => {
  let ctx: Context;
  before(async () => {
    ({ ctx } = await engine.openTestApp({ clock: movableClock('2024-02-01T00:00:00.000Z') }));
  });
  let made = 0;

  async function sources(...kinds: Partial<CreateSource>[]): Promise<string[]> {
    const org = await createOrg(ctx, { name: 'Acme' });
    const found: string[] = [];
    for (const kind of kinds) found.push((await createSource(ctx, { orgId: org.id, ...kind })).id);
    return found;
  }

  const repository = (name: string, more: Partial<CreateSource> = {}): Partial<CreateSource> => {
    made += 1;
    return { type: 'github', name, url: `https://github.com/acme-${made}/${name}`, ...more };
  };

  // Inserts as a fetch does, and covers in a transaction of its own.
  async function insert(sourceId: string | undefined, ...rows: Partial<ReleaseInput>[]): Promise<string[]> {
    const id = sourceId ?? '';
    const full = rows.map((row) => {
      made += 1;
      return {
        title: `Release ${made}`,
        content: 'Words.',
        url: `https://acme.test/r/${made}`,
        publishedAt: DAY,
        ...row,
      };
    });
    const { insertedIds } = await postReleases(ctx, id, full, { silent: true });
    await transact(ctx, async (inner) => {
      const place = await sourceById(inner, id);
      if (place) await coverReleases(inner, place, await releasesOf(inner, insertedIds));
    });
    return insertedIds;
  }

  async function shown(...ids: (string | undefined)[]) {
    const rows = await queries(ctx)
      .selectFrom('releases')
      .select(['id', 'coverage_of', 'listing', 'coverage_count'])
      .where(
        'id',
        'in',
        ids.flatMap((id) => id ?? []),
      )
      .execute();
    return ids.map((id) => {
      const row = rows.find((one) => one.id === id);
      if (row?.coverage_of) return `${row.listing} behind ${ids.indexOf(row.coverage_of)}`;
      return `${row?.listing} covers ${row?.coverage_count}`;
    });
  }

  const SAML = { title: 'SAML single sign-on' };

  it('a post stands behind the release of the repository it names', async () => {
    const [repo, blog] = await sources(repository('engine'), { name: 'News' });
    const [release] = await insert(repo, { title: 'v3.0.0', version: 'v3.0.0' });

    const [post] = await insert(blog, { title: 'Acme Engine 3.0', version: '3.0', publishedAt: hours(5) });

    assert.deepEqual(await shown(release, post), ['2 covers 1', '1 behind 0']);
    const { canonical } = await readCoverage(ctx, post ?? '');
    assert.equal(canonical?.reason, 'version:3.0.0');
    assert.equal(canonical?.decidedBy, 'system:coverage');
  });

  it('a better canonical that comes later takes over, whatever was linked by rule', async () => {
    const [page, blog, repo] = await sources({ type: 'scrape' }, {}, repository('engine'));
    const [first] = await insert(page, SAML);
    const [second] = await insert(blog, SAML);
    assert.deepEqual(await shown(first, second), ['1 behind 1', '2 covers 1']);

    const [third] = await insert(repo, SAML);

    assert.deepEqual(await shown(first, second, third), ['1 behind 2', '1 behind 2', '2 covers 2']);
  });

  it('returns which of the new releases are covered', async () => {
    const [repo, blog] = await sources(repository('engine'), {});
    await insert(repo, SAML);
    const { insertedIds } = await postReleases(ctx, blog ?? '', [
      { ...SAML, url: 'https://acme.test/saml', publishedAt: DAY },
      { title: 'Something else', url: 'https://acme.test/else', publishedAt: DAY },
    ]);

    const covered = await transact(ctx, async (inner) => {
      const place = await sourceById(inner, blog ?? '');
      return place ? coverReleases(inner, place, await releasesOf(inner, insertedIds)) : new Set<string>();
    });

    assert.deepEqual([...covered], [insertedIds[0]]);
  });

  it('keeps the counts of both sources', async () => {
    const [repo, blog] = await sources(repository('engine'), {});
    await insert(repo, SAML);
    await insert(blog, SAML);

    const figures = await queries(ctx).selectFrom('source_figures').selectAll().execute();
    const count = (id: string | undefined) => figures.find(({ source_id }) => source_id === id)?.release_count;
    assert.deepEqual([count(repo), count(blog)], [1, 0]);
  });

  describe('the link rule', () => {
    it('joins a post with the one release that it links to', async () => {
      const [repo, blog] = await sources(repository('engine'), {});
      const [release] = await insert(repo, { title: 'Faster joins', url: 'https://acme.test/notes/spring' });

      const [post] = await insert(blog, {
        content: 'Read [the notes](https://www.acme.test/notes/spring/?utm_source=b).',
      });

      assert.deepEqual(await shown(release, post), ['2 covers 1', '1 behind 0']);
      assert.equal((await readCoverage(ctx, post ?? '')).canonical?.reason, 'link');
    });

    it('finds the link in what was stored before', async () => {
      const [repo, blog] = await sources(repository('engine'), {});
      const [post] = await insert(blog, { content: 'Read <https://acme.test/notes/summer>.' });

      const [release] = await insert(repo, { title: 'Faster sorts', url: 'https://acme.test/notes/summer' });

      assert.deepEqual(await shown(release, post), ['2 covers 1', '1 behind 0']);
    });

    it('does not join a post that links to several', async () => {
      const [repo, blog] = await sources(repository('engine'), {});
      const [one, two] = await insert(
        repo,
        { title: 'Faster scans', url: 'https://acme.test/notes/autumn' },
        { title: 'Slower scans', url: 'https://acme.test/notes/last-year', publishedAt: hours(-2000) },
      );

      const [post] = await insert(blog, {
        content: 'https://acme.test/notes/autumn and https://acme.test/notes/last-year',
      });

      assert.deepEqual(await shown(one, two, post), ['2 covers 0', '2 covers 0', '2 covers 0']);
    });
  });

  describe('what stays apart', () => {
    const apart = (
      name: string,
      a: Partial<CreateSource>,
      b: Partial<CreateSource>,
      x: Partial<ReleaseInput>,
      y: Partial<ReleaseInput>,
    ) =>
      it(name, async () => {
        const [first, second] = await sources(a, b);
        const [one] = await insert(first, x);
        const [other] = await insert(second, y);

        assert.deepEqual(await shown(one, other), ['2 covers 0', '2 covers 0']);
      });
    const version = { version: 'v1.4.0' };
    apart(
      'two repositories',
      repository('sdk-js'),
      repository('sdk-python'),
      { title: 'sdk-js sdk-python', ...version },
      { title: 'sdk-python sdk-js', ...version },
    );
    apart('80 hours', {}, {}, SAML, { ...SAML, publishedAt: hours(80) });
    apart('no date', {}, {}, SAML, { ...SAML, publishedAt: undefined });
    apart('a rollup and a feature', {}, {}, SAML, { ...SAML, type: 'rollup' });
    apart('a day that has not come', {}, {}, SAML, { ...SAML, publishedAt: '2024-02-01T10:00:00.000Z' });
    apart(
      'titles that say nothing',
      {},
      {},
      { title: 'Bug fixes and improvements' },
      { title: 'Bug fixes and performance improvements' },
    );
    it('a hidden source', async () => {
      const [hidden, blog] = await sources({ isHidden: true }, {});
      const [one] = await insert(hidden, SAML);
      const [other] = await insert(blog, SAML);

      assert.deepEqual(await shown(one, other), ['-2 covers 0', '2 covers 0']);
    });

    it('two orgs', async () => {
      const [one] = await sources({});
      const [two] = await sources({});
      const [first] = await insert(one, SAML);
      const [second] = await insert(two, SAML);

      assert.deepEqual(await shown(first, second), ['2 covers 0', '2 covers 0']);
    });

    it('two products', async () => {
      const org = await createOrg(ctx);
      const ids: (string | undefined)[] = [];
      for (const name of ['Engine', 'Turbine']) {
        const product = await createProduct(ctx, org.id, { name: `${name} ${made}` });
        const source = await createSource(ctx, { orgId: org.id, productId: product.id });
        ids.push(...(await insert(source.id, SAML)));
      }

      assert.deepEqual(await shown(...ids), ['2 covers 0', '2 covers 0']);
    });
  });

  describe('what people have decided', () => {
    it('a pair that was separated is not joined again', async () => {
      const [repo, blog, page] = await sources(repository('engine'), {}, { type: 'scrape' });
      const [release] = await insert(repo, SAML);
      const [post] = await insert(blog, SAML);
      await unlinkCoverage(ctx, post ?? '');

      const [entry] = await insert(page, SAML);

      assert.deepEqual(await shown(release, post, entry), ['2 covers 1', '2 covers 0', '1 behind 0']);
    });

    it('a link by hand stays, and so does its canonical', async () => {
      const [page, blog, repo] = await sources({ type: 'scrape' }, {}, repository('engine'));
      const [entry] = await insert(page, { title: 'Another name' });
      const [post] = await insert(blog, SAML);
      await linkCoverage(ctx, entry ?? '', { coverageIds: [post ?? ''], decidedBy: 'human:editor', reason: 'same' });

      const [release] = await insert(repo, SAML);

      assert.deepEqual(await shown(entry, post, release), ['2 covers 2', '1 behind 0', '1 behind 0']);
      assert.equal((await readCoverage(ctx, post ?? '')).canonical?.decidedBy, 'human:editor');
    });
  });

  describe('cascades of a repository', () => {
    const CORE = { title: 'core@2.1.0', version: 'core@2.1.0', content: '### Minor Changes\n\n- abc1234: Add retries' };
    const follows = (name: string) => ({
      title: `${name}@1.0.1`,
      version: `${name}@1.0.1`,
      content: '### Patch Changes\n\n- Updated dependencies [abc1234]',
    });

    it('hides the packages that only follow', async () => {
      const [repo] = await sources(repository('mono'));

      const ids = await insert(repo, CORE, follows('react'), follows('vue'));

      assert.deepEqual(await shown(...ids), ['2 covers 2', '1 behind 0', '1 behind 0']);
      const { canonical } = await readCoverage(ctx, ids[1] ?? '');
      assert.deepEqual([canonical?.reason, canonical?.decidedBy], ['cascade:abc1234', 'system:cascade']);
    });

    it('joins what was stored by an earlier fetch, in any order', async () => {
      const [repo] = await sources(repository('mono'));
      const early = await insert(repo, follows('react'), follows('vue'));

      const [core] = await insert(repo, { ...CORE, publishedAt: hours(1) });

      assert.deepEqual(await shown(...early, core), ['1 behind 2', '1 behind 2', '2 covers 2']);
    });

    it('moves along when its canonical steps behind a primary source', async () => {
      const [repo, blog] = await sources(repository('mono'), { isPrimary: true });
      const ids = await insert(repo, { ...CORE, title: 'Retries for core requests' }, follows('react'));

      const [post] = await insert(blog, { title: 'Retries for core requests' });

      assert.deepEqual(await shown(post, ...ids), ['2 covers 2', '1 behind 0', '1 behind 0']);
    });
  });

  it('leaves no chains, and links, rows and counts that agree, in whatever order releases come', async () => {
    const ids = await sources(
      repository('mono'),
      {},
      { type: 'scrape' },
      { type: 'video', url: 'https://video.test/c' },
      {
        isPrimary: true,
      },
    );
    const titles = ['SAML single sign-on', 'Durable workflow execution engine', 'Audit trail export files'];
    for (const [turn, title] of [0, 1, 2, 0, 2, 1].map((at) => titles[at] ?? '').entries()) {
      const order = ids.toSorted((a, b) => ((a.charCodeAt(6) + turn) % 5) - ((b.charCodeAt(6) + turn) % 5) || turn - 3);
      for (const source of order) {
        const content = turn % 2 === 0 ? '- abc1234: Add retries' : '- Updated dependencies [abc1234]';
        await insert(source, { title, content, publishedAt: hours(turn) });
      }
    }

    const rows = await queries(ctx).selectFrom('releases').selectAll().where('source_id', 'in', ids).execute();
    const links = await queries(ctx).selectFrom('release_coverage').selectAll().execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    const own = links.filter(({ coverage_id }) => byId.has(coverage_id));
    assert.ok(own.length > 5);
    for (const { coverage_id, canonical_id } of own) {
      assert.equal(byId.get(coverage_id)?.coverage_of, canonical_id);
      assert.equal(byId.get(canonical_id)?.coverage_of, null);
    }
    for (const row of rows) {
      assert.equal(row.listing, row.coverage_of === null ? 2 : 1);
      assert.equal(row.coverage_count, own.filter(({ canonical_id }) => canonical_id === row.id).length);
    }
    assert.equal(rows.filter(({ coverage_of }) => coverage_of !== null).length, own.length);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { type Context, now, transact } from '../../context.ts';
import type { ReleaseInput } from '../../contract/release-input.ts';
import { newId } from '../../domain/ids.ts';
import { settingColumns } from '../../entities/sources/metadata.ts';
import { countFeed, readFeed } from '../feeds/feed.ts';
import { writeReleases } from './write-batch.ts';

async function makeSource(ctx: Context, type = 'feed'): Promise<string> {
  const id = newId('src', ctx.randomBytes);
  await transact(ctx, async ({ tx }) => {
    await tx
      .insertInto('sources')
      .values({
        ...settingColumns({}),
        id,
        slug: id.slice(4).toLowerCase(),
        name: 'Acme',
        name_key: 'acme',
        type,
        url: `https://acme.example/${id}`,
        url_key: `acme.example/${id}`,
        discovery: 'curated',
        created_at: now(ctx),
        updated_at: now(ctx),
      } as never)
      .execute();
  });
  return id;
}

const row = (version: string, more: Partial<ReleaseInput> = {}): ReleaseInput => ({
  title: version,
  version,
  content: `### Added\n- Thing number ${version}`,
  url: `https://acme.example/releases/${version}`,
  publishedAt: '2026-01-02T00:00:00.000Z',
  ...more,
});

forEachEngine('writeReleases', (engine) => {
  it('inserts once, then says unchanged and writes nothing', async () => {
    const { ctx } = await engine.openTestApp();
    const src = await makeSource(ctx);
    const rows = [row('1.0.0'), row('1.1.0')];

    const first = await writeReleases(ctx, { path: { src }, rows });
    const second = await writeReleases(ctx, { path: { src }, rows });

    assert.deepEqual([first.inserted, first.total, first.announced], [2, 2, 2]);
    assert.deepEqual([second.inserted, second.updated, second.unchanged, second.announced], [0, 0, 2, 0]);
  });

  it('updates an edited body once, with a revision, and announces nothing', async () => {
    const { ctx } = await engine.openTestApp();
    const src = await makeSource(ctx);
    await writeReleases(ctx, { path: { src }, rows: [row('1.0.0')] });

    const edited = await writeReleases(ctx, {
      path: { src },
      rows: [row('1.0.0', { content: 'Other text, much newer.' })],
    });
    const again = await writeReleases(ctx, {
      path: { src },
      rows: [row('1.0.0', { content: 'Other text, much newer.' })],
    });

    assert.deepEqual([edited.updated, edited.announced, again.unchanged], [1, 0, 1]);
    const revisions = await ctx.store.read.selectFrom('release_revisions').selectAll().execute();
    assert.deepEqual(
      revisions.map((entry) => JSON.parse(entry.changed)),
      [['content']],
    );
  });

  it('keeps figures: latest version by order, not by date', async () => {
    const { ctx } = await engine.openTestApp();
    const src = await makeSource(ctx);
    const rows = [
      row('16.0.0', { publishedAt: '2026-01-01T00:00:00.000Z' }),
      row('15.5.18', { publishedAt: '2026-01-03T00:00:00.000Z' }),
      row('17.0.0-rc.1', { publishedAt: '2026-01-04T00:00:00.000Z' }),
    ];
    await writeReleases(ctx, { path: { src }, rows });

    const figures = await ctx.store.read.selectFrom('source_figures').selectAll().executeTakeFirstOrThrow();

    assert.deepEqual(
      [figures.release_count, figures.latest_version, figures.latest_date],
      [3, '16.0.0', '2026-01-04T00:00:00.000Z'],
    );
  });

  it('feeds in order, undated last, pre-releases left out, and pages without gap', async () => {
    const { ctx } = await engine.openTestApp();
    const src = await makeSource(ctx);
    const rows = Array.from({ length: 25 }, (_, index) =>
      row(`1.${index}.0`, {
        publishedAt: index < 3 ? undefined : `2026-01-${String(1 + (index % 9)).padStart(2, '0')}T00:00:00.000Z`,
      }),
    );
    await writeReleases(ctx, { path: { src }, rows: [...rows, row('2.0.0-beta.1')], silent: true });

    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await readFeed(ctx, {
        branches: [{ column: 'source_id', value: src }],
        filter: {},
        page: { limit: 7, cursor },
      });
      seen.push(...page.releases.map((item) => `${item.publishedAt ?? ''} ${item.version}`));
      cursor = page.pagination.nextCursor ?? undefined;
    } while (cursor);

    assert.equal(seen.length, 25);
    assert.equal(new Set(seen).size, 25);
    assert.deepEqual(
      seen.map((entry) => entry.split(' ')[0]),
      [...seen.map((entry) => entry.split(' ')[0])].sort().reverse(),
    );
    assert.equal(
      await countFeed(ctx, { branches: [{ column: 'source_id', value: src }], filter: { includePrereleases: true } }),
      26,
    );
  });
});

// A search reads the catalog by key only, so that its cost does not grow with the registry.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { sql } from 'kysely';
import { type Context, transact } from '../../src/context.ts';
import { newId } from '../../src/domain/ids.ts';
import { storeChangelogFile } from '../../src/releases/changelog-files/store-file.ts';
import { chunkDocuments, chunksBySeq } from '../../src/search/candidates/chunks.ts';
import { newestReleases, releaseDocuments, releasesBySeq } from '../../src/search/candidates/releases.ts';
import { findEntities } from '../../src/search/entities/find-entities.ts';
import { pendingOf } from '../../src/search/vectors/index-thread/indexes.ts';
import { passing } from '../../src/search/vectors/nearest/nearest.ts';
import { insertMany } from '../../src/store/insert-many.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { plan, statements } from '../support/statements.ts';

const FILTER = { includePrereleases: false, includeCoverage: false };
const WALKS = /\bSCAN (?:r|c|entity_names)\b|Seq Scan on (?:releases|changelog_chunks|entity_names)/;

forEachEngine('plans of a search', (engine) => {
  let ctx: Context;
  before(async () => {
    ({ ctx } = await engine.openTestApp());
    const { id: orgId } = await createOrg(ctx, { name: 'Heron Labs' });
    const source = await createSource(ctx, { orgId, type: 'github', url: 'https://github.com/h/l' });
    const rows = Array.from({ length: 500 }, (_, index) => releaseRow(`1.${index}.0`));
    await postReleases(ctx, source.id, rows, { silent: true });
    const place = { path: 'CHANGELOG.md', url: 'https://c.example', rawUrl: 'https://c.example', canonical: true };
    const content = rows.map(({ version }) => `## ${version}\n\n${'- A line of this entry\n'.repeat(50)}`).join('');
    await transact(ctx, (inner) => storeChangelogFile(inner, { sourceId: source.id, ...place, content }));
    // For the planner rows with names alone are enough.
    const names = Array.from({ length: 20_000 }, (_, index) => ({
      entity_type: 'source' as const,
      class: (['name', 'joined', 'word', 'slug'] as const)[index % 4] ?? 'name',
      suffix: `name ${index}`,
      entity_id: newId('src', ctx.randomBytes),
    }));
    await transact(ctx, async ({ tx }) => {
      await insertMany(tx, 'entity_names', names);
      await sql`ANALYZE`.execute(tx);
    });
  });

  const cases: [string, RegExp, (watched: Context) => Promise<unknown>][] = [
    [
      'names',
      /entity_names/,
      (watched) =>
        findEntities(watched, {
          text: 'name 12',
          scope: { filter: {}, owners: null, collectionId: null, includeEmpty: false },
        }),
    ],
    [
      'releases by key',
      /doc_key/,
      (watched) => releaseDocuments(watched, [1, 2, 3], { filter: FILTER, withContent: true }),
    ],
    ['chunks by key', /doc_key/, (watched) => chunkDocuments(watched, [1, 2, 3], FILTER)],
    ['releases by number', /seq|rowid/, (watched) => releasesBySeq(watched, [1, 2, 3], FILTER)],
    ['chunks by number', /seq|rowid/, (watched) => chunksBySeq(watched, [1, 2, 3], FILTER)],
    [
      'newest releases of an org',
      /releases_org_feed/,
      (watched) => newestReleases(watched, [{ column: 'org_id', id: 'org_x' }], { filter: FILTER, limit: 60 }),
    ],
  ];
  for (const [name, index, read] of cases) {
    it(name, async () => {
      const [first] = await statements(ctx, read).then((all) =>
        all.filter(({ sql: text }) => !/categories/.test(text)),
      );
      assert.ok(first);
      const reported = await plan(ctx, first);
      assert.match(reported, index, reported);
      assert.doesNotMatch(reported, WALKS, reported);
    });
  }

  // Filters with an index must not lead the planner away from the keys.
  for (const [kind, found] of [
    ['release', /SEARCH releases USING INTEGER PRIMARY KEY|Index Scan using \w+ on releases/],
    ['chunk', /SEARCH changelog_chunks USING INTEGER PRIMARY KEY|Index Scan using \w+ on changelog_chunks/],
  ] as const) {
    it(`neighbours that pass: ${kind}`, async () => {
      const wanted = { kind, filter: FILTER, now: '2027-01-01T00:00:00.000Z' };
      const { dialect } = ctx.store;
      const [first] = await statements(ctx, ({ store }) =>
        passing({ db: store.read, dialect, close: async () => {} }, wanted, [1, 2, 3]),
      );
      assert.ok(first);
      const reported = await plan(ctx, first, { asIfLarge: true });
      assert.match(reported, found, reported);
    });
  }

  it('releases that wait for a vector are counted by their own index', async () => {
    const { dialect } = ctx.store;
    const [query] = await statements(ctx, ({ store }) => {
      const reader = { db: store.read, dialect, close: async () => {} };
      return pendingOf({ reader, space: 'hand', kind: 'release' }, 100);
    });
    assert.ok(query);
    const reported = await plan(ctx, query, { asIfLarge: true });
    assert.match(reported, /releases_unembedded/, reported);
    assert.doesNotMatch(reported, /releases_feed|Seq Scan|TEMP B-TREE/, reported);
  });
});

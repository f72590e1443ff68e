import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine, type TestEngine } from '../../../test/support/engines.ts';
import { type Context, transact } from '../../context.ts';
import { PARSER_VERSION } from '../../domain/changelog/parser-version.ts';
import { resolveSource } from '../../entities/resolve.ts';
import { rebuildChunks } from '../../releases/indexing/rebuild-chunks.ts';
import { writeDrafts } from '../../releases/write/write-drafts.ts';
import { collectInstalled } from '../local-import/collect.ts';
import { type Disk, openDisk } from '../local-import/disk.fixture.ts';
import { importPackages } from '../local-import/import-all.ts';
import { rereadNextSource } from './reread.ts';

const OLD = '# Log\n\n## 1.1.0 (2024-02-01)\n\n- Added a menu\n';
const WHOLE = `${OLD}\n# Server\n\n- Removed the \`--old\` flag\n\n## 1.0.0 (2024-01-01)\n\n- First\n`;

forEachEngine('reading stored changelogs again', (engine: TestEngine) => {
  let disk: Disk;

  beforeEach(async () => {
    disk = await openDisk();
  });
  afterEach(() => disk.remove());

  // As an older parser would have left it: a text cut short, a release that is none, a release that is missing.
  async function setUp() {
    const { ctx } = await engine.openTestApp({ clock: movableClock('2024-10-01T12:00:00.000Z') });
    await disk.package('node_modules/engine', { name: 'engine', version: '1.1.0', repository: 'Acme/Engine' }, OLD);
    const gathered = await collectInstalled(disk.root);
    assert.ok(gathered.kind === 'packages');
    await importPackages(ctx, gathered.packages);
    const place = await resolveSource(ctx, { org: 'acme', source: 'engine' });
    const file = await ctx.store.read.selectFrom('changelog_files').selectAll().executeTakeFirstOrThrow();
    const invented = {
      title: '13.2.0',
      content: 'Needs a newer runtime',
      version: '13.2.0',
      url: `${file.url}#node-1320`,
      guid: null,
      publishedAt: null,
      origin: 'changelog',
      given: {},
    };
    await transact(ctx, (inner) =>
      writeDrafts(inner, { sourceInOrg: place, drafts: [invented], writtenBy: 'import', silent: true }),
    );
    await transact(ctx, ({ tx }) =>
      tx.updateTable('changelog_files').set({ content: WHOLE, parser_version: 1 }).execute(),
    );
    return { ctx, sourceId: place.source.id };
  }

  const releases = async (ctx: Context) => {
    const rows = await ctx.store.read
      .selectFrom('releases')
      .select(['version', 'content', 'suppressed_reason', 'listing'])
      .orderBy('version')
      .execute();
    return rows.map(({ version, content, suppressed_reason: reason, listing }) => [
      version,
      content,
      reason,
      listing > 0,
    ]);
  };

  const SERVER = '- Added a menu\n\n# Server\n\n- Removed the `--old` flag';

  it('revises what reads otherwise, inserts what was missing and hides what is gone, without events', async () => {
    const { ctx } = await setUp();

    assert.equal(await rereadNextSource(ctx), true);

    assert.deepEqual(await releases(ctx), [
      ['1.0.0', '- First', null, true],
      ['1.1.0', SERVER, null, true],
      ['13.2.0', 'Needs a newer runtime', 'reparse', false],
    ]);
    const revisions = await ctx.store.read.selectFrom('release_revisions').select(['cause', 'changed']).execute();
    assert.deepEqual(revisions.map(({ cause, changed }) => `${cause} ${changed}`).sort(), [
      'reparse ["content"]',
      'reparse ["suppressed"]',
    ]);
    assert.deepEqual(await ctx.store.read.selectFrom('events').select('id').execute(), []);
  });

  it('is done once for each version of the parser', async () => {
    const { ctx } = await setUp();
    await rereadNextSource(ctx);

    assert.equal(await rereadNextSource(ctx), false);
    const files = await ctx.store.read.selectFrom('changelog_files').select('parser_version').execute();
    assert.deepEqual(
      files.map((file) => file.parser_version),
      [PARSER_VERSION],
    );
  });

  it('finds the chunks that say nothing, which an older registry did not know', async () => {
    const { ctx } = await setUp();
    // Short sections are joined, so the one without words needs long ones around it.
    const long = '- Added another menu\n'.repeat(46);
    const content = `## 1.1.0\n\n${long}\n## 1.0.0\n\n## 0.9.0\n\n${long}`;
    const blank = async () => {
      const rows = await ctx.store.read.selectFrom('changelog_chunks').select(['version', 'blank']).execute();
      return rows.filter((row) => row.blank === 1).map(({ version }) => version);
    };
    await transact(ctx, async (inner) => {
      const { source_id: sourceId, path } = await inner.tx
        .updateTable('changelog_files')
        .set({ content, parser_version: 2 })
        .returning(['source_id', 'path'])
        .executeTakeFirstOrThrow();
      await rebuildChunks(inner, { sourceId, path });
      await inner.tx.updateTable('changelog_chunks').set({ blank: 0 }).execute();
    });

    assert.equal(await rereadNextSource(ctx), true);

    assert.deepEqual(await blank(), ['1.0.0']);
  });

  it('shows again what a later parser finds again', async () => {
    const { ctx } = await setUp();
    await rereadNextSource(ctx);
    const content = `${WHOLE}\n## Node 13.2.0\n`.replace('## Node 13.2.0', '## 13.2.0\n\n- Back');
    await transact(ctx, ({ tx }) => tx.updateTable('changelog_files').set({ content, parser_version: 1 }).execute());

    await rereadNextSource(ctx);

    assert.deepEqual((await releases(ctx)).at(-1), ['13.2.0', '- Back', null, true]);
  });

  it('hides nothing of a file whose older part is not stored', async () => {
    const { ctx } = await setUp();
    await transact(ctx, ({ tx }) => tx.updateTable('changelog_files').set({ truncated_at: 10 }).execute());

    await rereadNextSource(ctx);

    assert.deepEqual((await releases(ctx)).at(-1), ['13.2.0', 'Needs a newer runtime', null, true]);
  });

  it('passes over a source whose releases came from elsewhere', async () => {
    const { ctx } = await setUp();
    await transact(ctx, ({ tx }) => tx.updateTable('releases').set({ origin: 'release' }).execute());
    const before = await releases(ctx);

    assert.equal(await rereadNextSource(ctx), true);

    assert.deepEqual(await releases(ctx), before);
    assert.equal(await rereadNextSource(ctx), false);
  });
});

// Texts of new releases are read before the transaction that writes them opens.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Context, transact } from '../../src/context.ts';
import { identityKeys } from '../../src/domain/release-identity.ts';
import { findSource } from '../../src/entities/resolve.ts';
import type { Draft } from '../../src/releases/write/draft.ts';
import { prepareTexts } from '../../src/releases/write/prepare-texts.ts';
import { draftFromInput } from '../../src/releases/write/write-batch.ts';
import { ownAddresses, writeDrafts } from '../../src/releases/write/write-drafts.ts';
import { TextResults } from '../../src/threads/results.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource } from '../support/factories.ts';

const DRAFTS: readonly Draft[] = [
  { title: 'v2.0.0', version: '2.0.0', content: '### Breaking\n\n- Removed `open()`, use `lift()` instead' },
  { title: 'Lid 1.1', version: '1.1.0', content: '### Added\n\n- Lids of glass\n\n### Fixed\n\n- A crash' },
].map(draftFromInput);

const COLUMNS = [
  'title',
  'type',
  'content_tokens',
  'summary',
  'title_generated',
  'title_short',
  'breaking',
  'migration_notes',
  'upgrade_steps',
  'importance',
  'composition',
  'security',
] as const;

forEachEngine('texts that are read ahead', (engine) => {
  async function setUp() {
    const { ctx } = await engine.openTestApp();
    const org = await createOrg(ctx, { name: 'Acme' });
    const source = async () => {
      const { id } = await createSource(ctx, { orgId: org.id, name: 'Lid' });
      const found = await findSource(ctx, { src: id });
      assert.ok(found);
      return found;
    };
    return { ctx, source };
  }

  type Source = Awaited<ReturnType<Awaited<ReturnType<typeof setUp>>['source']>>;

  const prepare = (ctx: Context, sourceInOrg: Source, mayBeStored: boolean) =>
    prepareTexts(ctx, {
      sourceInOrg,
      drafts: DRAFTS,
      keys: identityKeys(DRAFTS, ownAddresses(sourceInOrg.source)),
      mayBeStored: () => mayBeStored,
    });

  const write = (ctx: Context, sourceInOrg: Source) =>
    transact(ctx, (ctx) => writeDrafts(ctx, { sourceInOrg, drafts: DRAFTS, writtenBy: 'fetch' }), 'derived');

  const stored = (ctx: Context, { source }: Source) =>
    ctx.store.read
      .selectFrom('releases')
      .select(COLUMNS)
      .where('source_id', '=', source.id)
      .orderBy('version')
      .execute();

  it('are not read again inside, and give the same columns', async (t) => {
    const { ctx, source } = await setUp();
    const [plain, prepared] = [await source(), await source()];
    await write(ctx, plain);
    const kept = t.mock.method(TextResults.prototype, 'kept');

    await write(await prepare(ctx, prepared, false), prepared);

    assert.deepEqual(
      kept.mock.calls.map(({ result }) => result === undefined),
      [false, false],
    );
    assert.deepEqual(await stored(ctx, prepared), await stored(ctx, plain));
    assert.equal((await stored(ctx, plain))[1]?.breaking, 'major');
  });

  it('are read inside where the release may be stored, or where the source was renamed meanwhile', async (t) => {
    const { ctx, source } = await setUp();
    const [known, renamed, plain] = [await source(), await source(), await source()];
    const kept = t.mock.method(TextResults.prototype, 'kept');
    await write(await prepare(ctx, known, true), known);
    const ahead = await prepare(ctx, renamed, false);
    const ids = [renamed, plain].map(({ source }) => source.id);
    await ctx.store.transaction(
      (tx) => tx.updateTable('sources').set({ name: 'Cover' }).where('id', 'in', ids).execute(),
      'catalog',
    );
    await write(ctx, plain);

    await write(ahead, renamed);

    assert.ok(kept.mock.calls.length >= 4);
    assert.ok(kept.mock.calls.every(({ result }) => result === undefined));
    assert.deepEqual(await stored(ctx, renamed), await stored(ctx, plain));
  });
});

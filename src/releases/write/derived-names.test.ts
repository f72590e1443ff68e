import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { type Context, now, transact } from '../../context.ts';
import { newId } from '../../domain/ids.ts';
import { settingColumns } from '../../entities/sources/metadata.ts';
import { writeReleases } from './write-batch.ts';

async function makeSource(ctx: Context): Promise<string> {
  const id = newId('src', ctx.randomBytes);
  await transact(ctx, async ({ tx }) => {
    await tx
      .insertInto('sources')
      .values({
        ...settingColumns({}),
        id,
        slug: id.slice(4).toLowerCase(),
        name: 'angular',
        name_key: 'angular',
        type: 'feed',
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

const row = (version: string, content: string) => ({
  title: version,
  version,
  content,
  url: `https://acme.example/releases/${encodeURIComponent(version)}`,
  publishedAt: '2026-01-02T00:00:00.000Z',
});

async function derived(ctx: Context, versions: readonly string[], content: string) {
  const src = await makeSource(ctx);
  for (const version of versions) await writeReleases(ctx, { path: { src }, rows: [row(version, content)] });
  const rows = await transact(ctx, ({ tx }) =>
    tx.selectFrom('releases').select(['version', 'title_generated', 'breaking']).where('source_id', '=', src).execute(),
  );
  return new Map(rows.map((one) => [one.version, one]));
}

forEachEngine('fields that depend on other releases', (engine) => {
  it('names the package, not the repository that it shares', async () => {
    const { ctx } = await engine.openTestApp();
    const rows = await derived(ctx, ['core@20.0.0', 'zone.js@0.16.1', 'zone.js@0.16.2'], '- Added hooks');
    assert.equal(rows.get('zone.js@0.16.2')?.title_generated, 'zone.js 0.16.2: Added hooks');
  });

  it('sees no step between pre-releases of one version', async () => {
    const { ctx } = await engine.openTestApp();
    const rows = await derived(ctx, ['16.2.0', '17.0.0-1', '17.0.0-2'], '- Added hooks');
    assert.deepEqual([rows.get('17.0.0-1')?.breaking, rows.get('17.0.0-2')?.breaking], ['major', 'unknown']);
  });
});

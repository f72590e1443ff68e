import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import type { Context } from '../../context.ts';

const AT = '2026-01-02T03:04:05.000Z';

// Puts the database back to where the migration finds it.
async function undo(ctx: Context): Promise<void> {
  await ctx.store.transaction(async (tx) => {
    await sql`DROP TABLE source_memory`.execute(tx);
    await tx.deleteFrom('schema_migrations').where('number', '=', 24).execute();
  }, 'catalog');
}

forEachEngine('migration 24, the memory of sources', (engine) => {
  it('moves what was written into validators, leaves real validators, and drops what says nothing', async () => {
    const { ctx } = await engine.openTestApp();
    const { id } = await createSource(ctx);
    const { id: other } = await createSource(ctx);
    await undo(ctx);
    const stored = (endpoint: string, last_modified: string | null, content_hash: string | null) => {
      return {
        source_id: id,
        endpoint,
        etag: null,
        last_modified,
        content_hash,
        token_fingerprint: null,
        stored_at: AT,
      };
    };
    const seconds = (Date.parse(AT) / 1000).toString(36);
    const rows = [
      stored('tags-read', AT, 'fingerprint'),
      stored('commit-dates', null, `abc:${seconds} def:0`),
      stored('moved', null, '2 https://new.example/feed.xml'),
      stored('entries', null, '17 articles'),
      stored('articles', AT, '12'),
      stored('media', AT, '0'),
      stored('missing:docs/CHANGELOG.md', AT, null),
      stored('missing:HISTORY.md', AT, null),
      { ...stored('moved', null, null), source_id: other },
      { ...stored('https://acme.dev/feed.xml', 'Fri, 02 Jan 2026', 'hash'), etag: '"a"' },
    ];
    await ctx.store.transaction((tx) => tx.insertInto('source_validators').values(rows).execute(), 'catalog');

    const done = await ctx.store.migrate();
    const again = await ctx.store.migrate();

    assert.deepEqual([done, again], [['source-memory'], []]);
    const memory = await ctx.store.read.selectFrom('source_memory').selectAll().orderBy('name').execute();
    assert.ok(memory.every(({ source_id, stored_at }) => source_id === id && stored_at === AT));
    assert.deepEqual(Object.fromEntries(memory.map(({ name, value }) => [name, JSON.parse(value)])), {
      'tags-read': { at: AT, changelog: 'fingerprint' },
      'commit-dates': { abc: AT, def: '1970-01-01T00:00:00.000Z' },
      moved: { address: 'https://new.example/feed.xml', seen: 2 },
      entries: { parser: 'articles', entries: 17 },
      articles: { at: AT, seq: 12 },
      media: { at: AT, seq: 0 },
      'missing-files': { 'docs/CHANGELOG.md': AT, 'HISTORY.md': AT },
    });
    const validators = await ctx.store.read.selectFrom('source_validators').select(['endpoint', 'etag']).execute();
    assert.deepEqual(
      validators.map(({ endpoint, etag }) => [endpoint, etag]),
      [['https://acme.dev/feed.xml', `"a"`]],
    );
  });
});

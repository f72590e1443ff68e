// The local model through the whole service: nothing is configured, nothing is fetched, and paraphrases are found.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import { createEmbedding } from '../../src/search/vectors/embedding/pass.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource, postReleases, releaseRow } from '../support/factories.ts';
import { lendModel } from '../support/model.ts';

const NOTES = [
  'Users can now sign in with a passkey or hardware security key.',
  'Fixed a memory leak in the connection pool that caused workers to be OOM-killed after several days.',
  'The dashboard can be switched to a dark colour scheme.',
  'Uploads of large files are resumed after an interrupted connection.',
];

// The first question opens index and model in the background.
async function firstHit(ctx: Context, text: string): Promise<string | undefined> {
  for (;;) {
    const filter = { includePrereleases: false, includeCoverage: false };
    const answer = await ctx.ports.vectors.search(ctx, { text, kind: 'release', filter, limit: 2 });
    if ('hits' in answer) {
      const [hit] = answer.hits;
      const row = await ctx.store.read
        .selectFrom('releases')
        .select('content')
        .where('id', '=', hit?.ref ?? '')
        .executeTakeFirst();
      return row?.content;
    }
    assert.ok(answer.degraded === 'index_unavailable' || answer.degraded === 'provider_error', answer.degraded);
    await sleep(20);
  }
}

forEachEngine('the local embedder', (engine) => {
  it('finds what is said in other words', async () => {
    const database = await engine.openTestDatabase();
    lendModel(database.REGISTRY_DATA_DIR ?? '');
    const { ctx } = await engine.openTestApp({ database, env: { REGISTRY_EMBEDDER: 'local' } });
    const source = await createSource(ctx);
    await postReleases(
      ctx,
      source.id,
      NOTES.map((content, index) => releaseRow(`1.${index}.0`, { content })),
    );
    const embedding = createEmbedding();
    const { signal } = new AbortController();
    while (await embedding.pass(ctx, signal));

    assert.equal(await firstHit(ctx, 'passwordless login via WebAuthn'), NOTES[0]);
    assert.equal(await firstHit(ctx, 'process RAM keeps growing until the kernel terminates it'), NOTES[1]);
    assert.equal(await firstHit(ctx, 'night mode theme'), NOTES[2]);
    assert.match(ctx.ports.vectors.status().space ?? '', /^minilm-l6-v2\|384\|/);
    assert.equal(ctx.ports.vectors.status().counts.release, 4);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { find } from '../test-support.ts';
import { fillWords } from './fill-words.ts';
import { wordsBeginning } from './groups.ts';
import { NOW, publish, titles } from './test-support.ts';

forEachEngine('words of the registry', (engine) => {
  const open = () => engine.openTestApp({ clock: movableClock(NOW) });

  it('are gathered once, with the number of their documents', async () => {
    const { ctx } = await open();
    await publish(ctx, [
      { title: 'Webhooks', content: 'A webhook, two webhooks; k8s 15 ab 3f9a8b7c6d5e' },
      { title: 'v1.2', version: '1.2', content: 'Webhook caf\u00e9s' },
    ]);

    assert.equal(await fillWords(ctx), true);
    assert.equal(await fillWords(ctx), false);

    const rows = await ctx.store.read
      .selectFrom('search_words')
      .select(['word', 'stem', 'docs'])
      .orderBy('word')
      .execute();
    assert.deepEqual(
      rows.filter(({ word }) => word !== 'two').map((row) => ({ ...row })),
      [
        { word: 'cafes', stem: 'cafe', docs: 1 },
        { word: 'k8s', stem: 'k8', docs: 1 },
        { word: 'webhook', stem: 'webhook', docs: 2 },
        { word: 'webhooks', stem: 'webhook', docs: 1 },
      ],
    );
  });

  it('follow what comes later', async () => {
    const clock = movableClock(NOW);
    const { ctx } = await engine.openTestApp({ clock });
    await publish(ctx, [{ content: 'alpine' }]);
    while (await fillWords(ctx));
    await publish(ctx, [{ content: 'alps' }]);

    assert.deepEqual(await wordsBeginning(ctx, 'alp'), ['alpine']);
    while (await fillWords(ctx));
    clock.move(60_000);
    assert.deepEqual((await wordsBeginning(ctx, 'alp')).sort(), ['alpine', 'alps']);
  });

  it('are counted by one worker only', async () => {
    const { ctx } = await open();
    await publish(ctx, [{ content: 'alpine' }]);

    await Promise.all([fillWords(ctx), fillWords(ctx)]);

    const row = await ctx.store.read
      .selectFrom('search_words')
      .select('docs')
      .where('word', '=', 'alpine')
      .executeTakeFirst();
    assert.equal(row?.docs, 1);
  });

  it('complete an unfinished word by the commonest, in searches and feeds alike', async () => {
    const { ctx } = await open();
    const endings = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'k'];
    await publish(ctx, [
      ...endings.map((ending) => ({ title: `one ${ending}`, content: `prefix${ending}x` })),
      ...endings.slice(1).map((ending) => ({ title: `two ${ending}`, content: `prefix${ending}x` })),
    ]);
    while (await fillWords(ctx));

    const found = await titles(ctx, 'prefi');

    assert.equal(found.length, 16);
    assert.ok(!found.includes('one a'));
    assert.equal((await find(ctx, 'prefi')).length, 16);
  });

  it('take a typed word first, and its completions after it', async () => {
    const { ctx } = await open();
    await publish(ctx, [
      { title: 'exact', content: 'cloud' },
      { title: 'longer', content: 'cloudless' },
    ]);
    while (await fillWords(ctx));

    assert.deepEqual(await titles(ctx, 'cloud'), ['exact', 'longer']);
    assert.deepEqual(await titles(ctx, 'cloud '), ['exact']);
  });
});

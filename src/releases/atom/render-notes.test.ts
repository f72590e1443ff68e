import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderDocument, renderNotes } from './render-notes.ts';

describe('notes in a feed', () => {
  const base = 'https://acme.example/';

  it('are HTML, short or long', async () => {
    assert.equal((await renderNotes({ markdown: '**a**', base })).html.trim(), '<p><strong>a</strong></p>');
    const { html: long } = await renderNotes({ markdown: '**a** [b](c)\n\n'.repeat(3_000), base });
    assert.equal(long.match(/<p><strong>a<\/strong> <a href="https:\/\/acme\.example\/c"/g)?.length, 3_000);
  });

  it('are made once for the same text and options', async () => {
    const markdown = `# a\n\n${'b '.repeat(200)}`;
    const one = await renderNotes({ markdown, base });
    assert.equal(await renderNotes({ markdown, base }), one);
    assert.notEqual((await renderNotes({ markdown, base, isPage: true })).html, one.html);
  });

  it('leave the thread of requests free while long ones are made', async () => {
    // The first run compiles the renderer, so that only the rendering itself is compared.
    await renderNotes({ markdown: '*b_'.repeat(20_000), base });
    const markdown = '*a_'.repeat(20_000);
    const aside = await cost(() => renderNotes({ markdown, base }));
    const here = await cost(async () => renderDocument({ markdown: `c${markdown}`, base }));
    assert.ok(aside < here, `${aside} µs beside ${here} µs`);
  });
});

async function cost(work: () => Promise<unknown>): Promise<number> {
  const start = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}

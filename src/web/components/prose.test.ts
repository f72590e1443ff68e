import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderedNotes } from './prose.ts';

describe('prose', () => {
  it('names a heading by its words and escapes them in attributes', async () => {
    const { html, headings } = await renderedNotes({ content: '# "><img src=x onerror=alert(1)> & `code`' });
    assert.doesNotMatch(String(html), /onerror/);
    assert.doesNotMatch(String(html), /aria-label="[^"]*"[^>]*>[^#]/);
    assert.equal(headings[0]?.id.startsWith('r-'), true);
  });

  it('draws an icon beside the word of an alert, and beside no other', async () => {
    const { html } = await renderedNotes({
      content: '> [!WARNING]\n> Mind the gap\n\n<div class="alert note" role="note"><p class="t">no</p></div>',
    });
    assert.match(String(html), /<div class="alert warning" role="note"><p class="t"><svg/);
    assert.equal(String(html).match(/<svg/g)?.length, 1);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderedNotes, withAnchors } from './prose.ts';

describe('prose', () => {
  it('begins its headings below the heading of the page', () => {
    const { html, headings } = withAnchors('<h1>Added</h1><p>x</p><h2>Deep</h2><h1>Added</h1>');
    assert.match(String(html), /<h2 id="r-added">Added<a class="anchor"/);
    assert.match(String(html), /<h3 id="r-deep">/);
    assert.match(String(html), /<h2 id="r-added-2">/);
    assert.deepEqual(headings, [
      { id: 'r-added', name: 'Added' },
      { id: 'r-added-2', name: 'Added' },
    ]);
  });

  it('leaves no heading at a level above the page', () => {
    assert.match(String(withAnchors('<h4>Small</h4>').html), /^<h2 id="r-small">/);
  });

  it('names a heading by its words and escapes them in attributes', async () => {
    const { html, headings } = await renderedNotes({ content: '# "><img src=x onerror=alert(1)> & `code`', url: null });
    assert.doesNotMatch(String(html), /onerror/);
    assert.doesNotMatch(String(html), /aria-label="[^"]*"[^>]*>[^#]/);
    assert.equal(headings[0]?.id.startsWith('r-'), true);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { longHtml } from '../../http/kernel/reply.ts';
import { AreaTexts, formatCount, html } from './html.ts';

it('puts long texts into a page, escaped, wherever their marks stand', async () => {
  // A character of two halves stands where the text is cut.
  const long = `${'a'.repeat(256 * 1024 - 1)}😀 "x" </textarea> & ü`;
  const areas = new AreaTexts();
  const [first, second] = [areas.mark('<b>'), areas.mark(long)];
  const page = html`<p>${'area-text-'}</p><textarea>${second}</textarea><textarea>${first}</textarea>`;
  const { body, status } = await longHtml(areas.partsOf(page), 422);
  const shown = long.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const expected = `<p>area-text-</p><textarea>${shown}</textarea><textarea>&lt;b></textarea>`;
  assert.equal(status, 422);
  assert.ok(String(body) === expected, 'the bytes are those of the page');
});

it('groups the digits of large counts', () => {
  const counts = [0, 999, 1000, 12_345, 1_234_567, -1000, 2.25];
  assert.deepEqual(counts.map(formatCount), ['0', '999', '1,000', '12,345', '1,234,567', '-1,000', '2.25']);
});

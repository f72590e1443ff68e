import assert from 'node:assert/strict';
import { test } from 'node:test';
import { citedText, inlineText } from './cited-text.ts';

test('emphasis and code of an overview are shown as such, everything else as text', () => {
  const cases: [text: string, shown: string][] = [
    ['plain', 'plain'],
    ['**Agent:** fixed', '<strong>Agent:</strong> fixed'],
    ['use `--all` now', 'use <code>--all</code> now'],
    ['2 ** 3 and **', '2 ** 3 and **'],
    ['<b>**x**</b>', '&lt;b&gt;<strong>x</strong>&lt;/b&gt;'],
  ];
  for (const [text, shown] of cases) assert.equal(String(inlineText(text)), shown);
});

test('a cited statement is followed by the number of its release', () => {
  const content = '**Agent:** Fixed a leak.';
  const citation = {
    sourceUrl: 'https://a.example/1',
    title: 'v1',
    releaseWebUrl: 'https://r.example/release/rel_1',
    startIndex: 11,
    endIndex: content.length,
  };
  const shown = String(citedText({ content, citations: [citation] as never }));
  assert.match(shown, /<strong>Agent:<\/strong> Fixed a leak\.<a class="cite" href="\/release\/rel_1"/);
  assert.match(shown, /<ol class="cites"/);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { wordGroup } from '../search-text/query-terms.fixture.ts';
import { phraseGroup, type QueryGroup } from '../search-text/query-terms.ts';
import { createMatcher } from './matcher.ts';
import { type HighlightSpan, highlightsOf, SNIPPET_LENGTH, snippetOf } from './snippet.ts';

function groupsOf(query: string): QueryGroup[] {
  const parts = query.match(/"[^"]*"|\S+/g) ?? [];
  return parts.flatMap((part) => {
    const group = part.startsWith('"') ? phraseGroup(part) : wordGroup(part, part === parts.at(-1));
    return group === null ? [] : [group];
  });
}

const matcherOf = (query: string) => createMatcher(groupsOf(query));
const marked = (text: string, spans: readonly HighlightSpan[]) => spans.map(([start, end]) => text.slice(start, end));

describe('what is marked', () => {
  const cases: [string, string, string[]][] = [
    ['cache', 'Caching is on; the cached pages (cache) stay', ['Caching', 'cached', 'cache']],
    ['webho', 'A webhook and two Webhooks', ['webhook', 'Webhooks']],
    ['"dark mode"', 'Dark mode is darker than the mode', ['Dark mode']],
    ['1.0.21', 'from v1.0.2 to v1.0.21, not 1.0.210', ['v1.0.21']],
    ['15.0', 'now 15.0.3 and 115.0', ['15.0.3']],
    ['@scope/pkg', 'Bumps `@scope/pkg@2.0.0`.', ['@scope/pkg@2.0.0']],
    ['foo.bar()', 'call (foo.bar()) or foo, bar', ['foo.bar']],
    ['react-dom', 'react-dom, React DOM, react and dom', ['react-dom', 'React DOM']],
    ['CVE-2024-12345', 'Fixes cve-2024-12345 and CVE-2024-123456', ['cve-2024-12345']],
    ['--watch', 'the --watch flag', ['--watch']],
    ['café', 'CAFE and Cafés', ['CAFE', 'Cafés']],
    ['add', 'Added a thing, adds more', ['Added', 'adds']],
    ['<b>', 'a <b>bold</b> b', ['b', 'b', 'b']],
    ['🚀', '🚀 launch', []],
    ['naïve 日本語', 'a naive 日本語 text', ['naive', '日本語']],
  ];
  for (const [query, text, parts] of cases) {
    it(`${query} in ${text}`, () => assert.deepEqual(marked(text, highlightsOf(text, matcherOf(query))), parts));
  }
});

describe('snippetOf', () => {
  const filler = (words: number) => Array.from({ length: words }, (_, index) => `w${index}`).join(' ');

  it('is the whole of a short text', () => {
    assert.deepEqual(snippetOf(['Faster sync'], matcherOf('sync')), { snippet: 'Faster sync', highlights: [[7, 11]] });
  });

  it('takes content, else summary, else title', () => {
    const texts = ['content', 'summary words', 'the title'];
    assert.equal(snippetOf(texts, matcherOf('content')).snippet, 'content');
    assert.equal(snippetOf(texts, matcherOf('summary')).snippet, 'summary words');
    assert.equal(snippetOf(texts, matcherOf('title')).snippet, 'the title');
    assert.equal(snippetOf(texts, matcherOf('nothing')).snippet, 'content');
    assert.equal(snippetOf(['', 'summary words', 'x'], matcherOf('nothing')).snippet, 'summary words');
    assert.deepEqual(snippetOf(['', ''], matcherOf('nothing')), { snippet: '', highlights: [] });
  });

  it('shows the part that holds most of the query', () => {
    const text = `alpha ${filler(80)} alpha beta ${filler(80)} alpha alpha alpha ${filler(80)}`;
    const { snippet, highlights } = snippetOf([text], matcherOf('alpha beta '));
    assert.deepEqual(marked(snippet, highlights), ['alpha', 'beta']);
    assert.match(snippet, /^….* w79 alpha beta w0 .*…$/);
  });

  it('cuts at words, with marks only where something is missing', () => {
    const text = `${filler(100)} needle`;
    const { snippet } = snippetOf([text], matcherOf('needle'));
    assert.match(snippet, /^…w\d+ .* needle$/);
    assert.match(snippetOf([`needle ${filler(100)}`], matcherOf('needle')).snippet, /^needle .* w\d+…$/);
  });

  it('is within bounds, part of the text, and marks what it says, for any text', () => {
    const piece = fc.constantFrom(
      'needle ',
      'hay ',
      '🚀',
      '日本語',
      'x'.repeat(50),
      '\u00a0',
      'v1.2.3 ',
      'Ärger ',
      ' ',
    );
    const text = fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join(''));
    const matcher = matcherOf('"needle hay" needle 1.2.3 ärger');
    fc.assert(
      fc.property(text, (whole) => {
        const { snippet, highlights } = snippetOf([whole], matcher);
        assert.ok(snippet.length <= SNIPPET_LENGTH, `${snippet.length}`);
        assert.ok(snippet.isWellFormed() === whole.isWellFormed());
        assert.ok(whole.includes(snippet.replace(/^…|…$/g, '')));
        let before = -1;
        for (const [start, end] of highlights) {
          assert.ok(start > before && end > start && end <= snippet.length);
          assert.match(snippet.slice(start, end), /needle|hay|1\.2\.3|Ärger/);
          before = end;
        }
        if (matcher(whole).length > 0) assert.ok(highlights.length > 0);
      }),
      { numRuns: 300 },
    );
  });

  it('does not grow faster than the text', () => {
    const words = matcherOf('needle 1.2.3 @a/b');
    for (const hostile of ['x'.repeat(500_000), 'needle '.repeat(60_000), '.'.repeat(500_000), 'a.'.repeat(200_000)]) {
      const { snippet, highlights } = snippetOf([hostile], words);
      assert.ok(snippet.length <= SNIPPET_LENGTH && highlights.length <= 100);
    }
  });
});

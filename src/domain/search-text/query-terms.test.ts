import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stem } from './analysis.ts';
import { encodeToken } from './exact-tokens.ts';
import { wordGroup } from './query-terms.fixture.ts';
import { phraseGroup, type QueryGroup } from './query-terms.ts';

const encoded = (token: string) => `=${token}`;

// Alternatives in short: tokens with `=`, phrases in words, prefixes with `*`.
function short(group: QueryGroup | null): string[] | null {
  return (
    group?.map((term) => {
      if (term.kind === 'phrase') return term.words.join(' ');
      return term.kind === 'prefix' ? `${stem(term.word)}*` : encoded(decode(term.term));
    }) ?? null
  );
}

function decode(term: string): string {
  const text = term.replace(/[\ue021-\ue07e]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xe000));
  assert.equal(encodeToken(text.slice(0, -1)), term);
  return text.slice(0, -1);
}

describe('wordGroup', () => {
  const cases: [string, string[] | null][] = [
    ['cache', ['cache']],
    ['Café,', ['cafe']],
    ['add', ['add', 'added']],
    ['adding', ['adding', 'add']],
    ['1.0.21', ['=1.0.21']],
    ['v1.0.21', ['=1.0.21']],
    ['15.0', ['=15.0', '=~15.0']],
    ['22.04', ['=22.04', '=~22.4']],
    ['15', ['15', '=~15']],
    ['v16', ['v16', '=~16']],
    ['CVE-2024-12345', ['=cve-2024-12345']],
    ['GHSA-abcd-1234-wxyz', ['=ghsa-abcd-1234-wxyz']],
    ['@scope/pkg', ['=@scope/pkg']],
    ['foo.bar()', ['=foo.bar']],
    ['useState()', ['=usestate']],
    ['ERR_MODULE_NOT_FOUND', ['=err_module_not_found']],
    ['foo:bar', ['=foo:bar']],
    ['#12', ['=#12']],
    ['--watch', ['=--watch']],
    ['react-dom', ['=react-dom', 'react dom']],
    ['owner/repo', ['=owner/repo', 'owner repo']],
    ['2024-01-15', ['=2024-01-15', '2024 01 15']],
    ['utf-8', ['=utf-8', 'utf 8']],
    ["don't", ['don t']],
    ['a.b(c.d)', ['a b c d']],
    ['https://a.b/c', ['https a b c']],
    ['x'.repeat(90), ['x'.repeat(90)]],
    [`${'x.'.repeat(50)}y`, [`${'x '.repeat(50)}y`]],
    ['&&', null],
    ['\ud83d\ude80', null],
  ];
  for (const [text, group] of cases) {
    it(`${text.slice(0, 40)}: ${group?.join(' | ').slice(0, 60)}`, () =>
      assert.deepEqual(short(wordGroup(text, false)), group));
  }

  const unfinished: [string, string[]][] = [
    ['webho', ['webho', 'webho*']],
    ['we', ['we']],
    ['res', ['res', 'res*']],
    ['settings', ['settings', 'settings*']],
    ['configurat', ['configurat', 'configurat*', 'configuration']],
    ['availabil', ['availabil', 'availabil*', 'availability']],
    ['dns', ['dns']],
    ['202', ['202', '=~202']],
    ['1.0.2', ['=1.0.2']],
    ['react-do', ['=react-do', 'react do']],
  ];
  for (const [text, group] of unfinished) {
    it(`${text}…: ${group.join(' | ')}`, () => assert.deepEqual(short(wordGroup(text, true)), group));
  }
});

describe('phraseGroup', () => {
  it('looks for words in a row, whatever stands between them', () => {
    assert.deepEqual(short(phraseGroup('Dark-Mode, (v2)')), ['dark mode v2']);
    assert.equal(phraseGroup('"!"'), null);
  });
});

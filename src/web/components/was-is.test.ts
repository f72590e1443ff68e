import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wasIs } from './package-evidence.ts';

const CASES: readonly [was: string | null, is: string | null, expected: RegExp][] = [
  [
    'query(sql: string): void',
    'query(sql: string): Promise',
    /query\(sql: string\): <span class="x">Promise<\/span><\/dd>/,
  ],
  ['a(x?: 1): b', 'a(x: 1): b', /<dd>a\(x: 1\): b<\/dd><\/dl>$/],
  ['string', 'number', /<dt>Is<\/dt><dd>number<\/dd>/],
  ['function', null, /<span class="gone">not exported any more<\/span>/],
  [null, '<b>', /^<dl class="wasis"><dt>Is<\/dt><dd>&lt;b&gt;<\/dd>/],
  [null, null, /^$/],
];

for (const [was, is, expected] of CASES) {
  test(`${was} and ${is}`, () => assert.match(String(wasIs({ kind: 'export_removed', was, is })), expected));
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isBlankChunk } from './chunks.ts';

describe('isBlankChunk', () => {
  const cases: [string, boolean][] = [
    ['', true],
    ['\n\n', true],
    ['## 1.2.0\n\n', true],
    ['## 1.2.0\n\n### Fixed\n\n## 1.1.0\n', true],
    ['1.2.0\n=====\n\n', true],
    ['# Changelog\n\n<a name="1.2.0"></a>\n<!-- next -->\n', true],
    ['## 1.0.0\n\n---\n\n* * *\n', true],
    ['[1.2.0]: https://example.com/compare/1.1.0...1.2.0\n[1.1.0]: https://example.com/1.1.0\n', true],
    ['## 1.2.0\n\n- Fixed\n', false],
    ['All notable changes\n', false],
    ['```\nnpm i x\n```\n', false],
    ['## 1.2.0\r\n\r\nWords\r\n', false],
    ['#1 is fixed\n', false],
    ['変更\n', false],
  ];
  for (const [text, blank] of cases) {
    it(`${JSON.stringify(text)}: ${blank}`, () => assert.equal(isBlankChunk(text), blank));
  }
});

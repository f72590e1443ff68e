import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { etagMatches, negotiate, preferredEncoding } from './content-negotiation.ts';

const JSON_TYPE = 'application/json';
const MARKDOWN = 'text/markdown';

describe('negotiate', () => {
  const cases: [string | undefined, string][] = [
    [undefined, JSON_TYPE],
    ['', JSON_TYPE],
    [' , ;', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['*', JSON_TYPE],
    ['application/json', JSON_TYPE],
    ['text/markdown', MARKDOWN],
    ['TEXT/Markdown', MARKDOWN],
    ['text/*', MARKDOWN],
    ['application/*', JSON_TYPE],
    ['text/html', JSON_TYPE],
    ['text/html, */*;q=0.8', JSON_TYPE],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', JSON_TYPE],

    // Higher quality wins, whatever the order.
    ['application/json;q=0.5, text/markdown', MARKDOWN],
    ['application/json;q=0.5, text/markdown;q=0.4', JSON_TYPE],
    ['text/markdown;q=0.8, application/json;q=0.9', JSON_TYPE],
    ['text/markdown ; q=0.9 , application/json ; q=0.8', MARKDOWN],
    ['text/markdown;Q=0.1, application/json', JSON_TYPE],

    // The most specific range decides about a type, not the most generous one.
    ['text/markdown;q=0.1, */*;q=0.9', JSON_TYPE],
    ['application/json;q=0.1, */*;q=0.9', MARKDOWN],
    ['text/*;q=0.9, text/markdown;q=0.2, application/json;q=0.5', JSON_TYPE],
    ['application/*;q=0.2, */*', MARKDOWN],

    // Equal quality: more specific range, then first named, then JSON.
    ['text/markdown, */*', MARKDOWN],
    ['*/*, text/markdown', MARKDOWN],
    ['text/*, */*', MARKDOWN],
    ['application/*, text/markdown', MARKDOWN],
    ['text/*, application/json', JSON_TYPE],
    ['text/markdown, application/json', MARKDOWN],
    ['application/json, text/markdown', JSON_TYPE],
    ['text/*, application/*', MARKDOWN],
    ['text/html;q=0.5, text/markdown;q=0.5, application/json;q=0.5', MARKDOWN],

    // Zero excludes; nothing left means JSON.
    ['text/markdown;q=0', JSON_TYPE],
    ['application/json;q=0, */*', MARKDOWN],
    ['application/json;q=0, text/markdown;q=0.001', MARKDOWN],
    ['text/markdown;q=0, text/*', JSON_TYPE],
    ['application/json;q=0', JSON_TYPE],
    ['*/*;q=0', JSON_TYPE],

    // Parameters: a charset is met, any other asks for something that is not offered.
    ['text/markdown; charset=utf-8', MARKDOWN],
    ['text/markdown;variant=GFM, application/json;q=0.1', JSON_TYPE],
    ['text/html;x="a,text/markdown;q=1", application/json', JSON_TYPE],
    ['text/html;x="\\",", text/markdown', MARKDOWN],

    // Malformed parts count for nothing and do no harm.
    ['text/markdown;q=high, application/json;q=0.1', JSON_TYPE],
    ['text/markdown;q=-1, application/json;q=0.1', JSON_TYPE],
    ['application/json;q=0.9, text/markdown;q=7', MARKDOWN],
    ['*/markdown', JSON_TYPE],
    ['text', JSON_TYPE],
    ['"', JSON_TYPE],
  ];
  for (const [accept, expected] of cases) {
    it(`${accept}: ${expected}`, () => assert.equal(negotiate(accept, [JSON_TYPE, MARKDOWN]), expected));
  }

  it('falls back to the first offered type', () => {
    assert.equal(negotiate('image/png', ['text/html', MARKDOWN]), 'text/html');
    assert.equal(negotiate('*/*', ['text/html', MARKDOWN]), 'text/html');
  });
});

describe('preferredEncoding', () => {
  const cases: [string | undefined, 'br' | 'gzip' | null][] = [
    [undefined, null],
    ['', null],
    ['identity', null],
    ['deflate, zstd', null],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=1.0', 'br'],
    ['gzip;q=1.0, br;q=0.8', 'gzip'],
    ['gzip;q=0.5, br;q=0.8', 'br'],
    ['*', 'br'],
    ['*;q=0.5, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['*;q=0', null],
    ['*;q=0, gzip', 'gzip'],
    ['gzip;q=0', null],
    ['identity;q=1, gzip;q=0.5', null],
    ['identity;q=0.5, gzip;q=1', 'gzip'],
    ['identity, gzip', 'gzip'],
    ['identity;q=0', null],
    ['gzip;q=x', null],
  ];
  for (const [header, expected] of cases) {
    it(`${header}: ${expected}`, () => assert.equal(preferredEncoding(header), expected));
  }
});

describe('etagMatches', () => {
  const etag = '"abcdefghijklmnopqrstuvwx-br"';
  const cases: [string | undefined, boolean][] = [
    [undefined, false],
    ['', false],
    ['*', true],
    [' * ', true],
    [etag, true],
    [`W/${etag}`, true],
    ['"abcdefghijklmnopqrstuvwx-br-gzip"', true],
    ['W/"abcdefghijklmnopqrstuvwx-br-br"', true],
    ['"other", "abcdefghijklmnopqrstuvwx-br-gzip"', true],
    [`"other",${etag},W/"third"`, true],
    ['"a,b", "*"', false],
    ['"abcdefghijklmnopqrstuvwx"', false],
    ['"abcdefghijklmnopqrstuvwx-br-zstd"', false],
    ['abcdefghijklmnopqrstuvwx-br', false],
    ['"ABCDEFGHIJKLMNOPQRSTUVWX-BR"', false],
    ['"abcdefghijklmnopqrstuvwx-br', false],
    ['""', false],
  ];
  for (const [header, expected] of cases) {
    it(`${header}: ${expected}`, () => assert.equal(etagMatches(header, etag), expected));
  }
});

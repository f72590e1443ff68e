import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextPath } from './next-path.ts';

describe('path after sign-in', () => {
  const cases: [wanted: unknown, path: string][] = [
    ['/account/keys?new=1#top', '/account/keys?new=1#top'],
    ['/', '/'],
    ['/日本?q=ü#ł', '/%E6%97%A5%E6%9C%AC?q=%C3%BC#%C5%82'],
    ['/%E6%97%A5?a=%20b c', '/%E6%97%A5?a=%20b%20c'],
    ['/\ud83e\udd89', '/%F0%9F%A6%89'],
    ['/\ud83e', '/%EF%BF%BD'],
    ['/\u3000/evil.example', '/%E3%80%80/evil.example'],
    ['//evil.example/', '/following'],
    ['/\\evil.example', '/following'],
    ['/a\\b', '/following'],
    ['/\t/evil.example', '/following'],
    ['/\n/evil.example', '/following'],
    ['https://evil.example/', '/following'],
    ['javascript:alert(1)', '/following'],
    ['following', '/following'],
    ['', '/following'],
    [undefined, '/following'],
    [['/a'], '/following'],
  ];
  for (const [wanted, path] of cases) {
    it(`${JSON.stringify(wanted)} leads to ${path}`, () => assert.equal(nextPath(wanted), path));
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextPath } from './next-path.ts';

describe('path after sign-in', () => {
  const cases: [wanted: unknown, path: string][] = [
    ['/account/keys?new=1#top', '/account/keys?new=1#top'],
    ['/', '/'],
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

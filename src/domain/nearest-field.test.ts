import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nearestField } from './nearest-field.ts';

const RELEASE = ['title', 'content', 'version', 'url', 'publishedAt', 'media', 'type', 'prerelease', 'breaking'];

describe('the nearest field', () => {
  const cases: [given: string, known: readonly string[], expected: string | null][] = [
    ['body', RELEASE, 'content'],
    ['tag_name', RELEASE, 'version'],
    ['notes', RELEASE, 'content'],
    ['name', RELEASE, 'title'],
    ['published_at', RELEASE, 'publishedAt'],
    ['html_url', RELEASE, 'url'],
    ['Version', RELEASE, 'version'],
    ['pre-release', RELEASE, 'prerelease'],
    ['contnt', RELEASE, 'content'],
    ['body', ['body', 'content'], 'body'],
    ['cadense', ['cadence', 'hour'], 'cadence'],
    ['name', ['name', 'title'], 'name'],
    ['colour', RELEASE, null],
    ['x', RELEASE, null],
    ['', RELEASE, null],
  ];
  for (const [given, known, expected] of cases) {
    it(`of "${given}" is ${expected}`, () => {
      assert.equal(nearestField(given, known), expected);
    });
  }
});

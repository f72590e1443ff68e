import assert from 'node:assert/strict';
import { it } from 'node:test';
import { couldBeTag, distTagWords, readDistTags, taggedVersion } from './dist-tags.ts';

const LISTED = new Set(['1.0.0', '2.0.0-beta.1', '2.0.0']);
const isListed = (version: string) => LISTED.has(version);
const TAGS = readDistTags({ next: '2.0.0-beta.1', latest: '2.0.0', 'release-1': '1.0.0' }, isListed);

it('keeps the tags that name a listed version', () => {
  const told = {
    next: '9.0.0',
    beta: 1,
    '': '1.0.0',
    'a\nb': '1.0.0',
    __proto__: '1.0.0',
    '`x`': '1.0.0',
    old: '1.0.0',
  };
  assert.deepEqual(readDistTags(told, isListed), { old: '1.0.0' });
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`pull-request-${index}`, '1.0.0']));
  const kept = readDistTags({ ...many, next: '2.0.0' }, isListed);
  assert.deepEqual([Object.keys(kept).length, kept.next], [300, '2.0.0']);
});

it('reads a text as a tag when there is one of that name', () => {
  const cases: [string, string | null][] = [
    ['next', '2.0.0-beta.1'],
    [' Latest ', '2.0.0'],
    ['release-1', '1.0.0'],
    ['beta', null],
    ['constructor', null],
    ['__proto__', null],
    ['1.0.0', null],
  ];
  for (const [text, version] of cases) assert.equal(taggedVersion(TAGS, text), version, text);
});

it('takes no version for a tag', () => {
  for (const text of ['next', 'release-5.8', 'v2-latest', '3.x-lts']) assert.equal(couldBeTag(text), true, text);
  for (const text of ['1', 'v2', '1.2', '1.2.3-beta.1', '=4.0.0', '^1.0.0', ''])
    assert.equal(couldBeTag(text), false, text);
});

it('names the tags of the highest versions first', () => {
  assert.equal(distTagWords(TAGS), 'latest, next, release-1');
  assert.equal(distTagWords({}), '');
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`t${index}`, '1.0.0']));
  assert.match(distTagWords(many), / and 5 more$/);
});

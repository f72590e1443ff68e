import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contentHash, type Identifiable, identityKeys } from './release-identity.ts';

const item = (more: Partial<Identifiable>): Identifiable => ({
  title: 'T',
  content: '',
  version: null,
  url: null,
  guid: null,
  publishedAt: null,
  ...more,
});
const keyOf = (more: Partial<Identifiable>, own: string[] = []) => identityKeys([item(more)], new Set(own))[0]?.key;

describe('identityKeys', () => {
  const same: [string, Partial<Identifiable>, Partial<Identifiable>][] = [
    ['tracking keys and www do not count', { url: 'https://a.dev/x' }, { url: 'http://www.a.dev/x/?utm_source=rss' }],
    ['v before a version does not count', { version: '1.2.0' }, { version: 'v1.2.0', content: 'other' }],
    [
      'title and day, whatever the body',
      { publishedAt: '2024-01-15T00:00:00.000Z' },
      { publishedAt: '2024-01-15T09:00:00.000Z', content: 'b' },
    ],
    ['title in other case and spacing', { title: 'Big  News', content: 'x' }, { title: 'big news', content: 'x' }],
  ];
  for (const [name, a, b] of same) it(`same: ${name}`, () => assert.equal(keyOf(a), keyOf(b)));

  const different: [string, Partial<Identifiable>, Partial<Identifiable>][] = [
    [
      'addresses with the same version',
      { url: 'https://a.dev/ios', version: '5.1' },
      { url: 'https://a.dev/android', version: '5.1' },
    ],
    ['fragments of one page', { url: 'https://a.dev/c#v1-2-0' }, { url: 'https://a.dev/c#v1-3-0' }],
    ['undated entries with other bodies', { content: 'a' }, { content: 'b' }],
  ];
  for (const [name, a, b] of different) it(`different: ${name}`, () => assert.notEqual(keyOf(a), keyOf(b)));

  it('prefers url, then guid, then version, then fingerprint', () => {
    const all = { url: 'https://a.dev/x', guid: '42', version: '1.0' };
    assert.equal(keyOf(all), 'u:a.dev/x');
    assert.equal(keyOf({ ...all, url: null }), 'g:42');
    assert.equal(keyOf({ version: '1.0' }), 'v:1.0');
    assert.match(keyOf({}) ?? '', /^f:[0-9a-f]{64}$/);
  });

  it('does not let the source’s own address identify', () => {
    assert.equal(keyOf({ url: 'https://a.dev/changelog', version: '2.0' }, ['a.dev/changelog']), 'v:2.0');
  });

  it('does not let an address shared under two names, or a repeated guid, identify', () => {
    const keys = identityKeys(
      [
        item({ url: 'https://a.dev/all', guid: 'g', version: '1.0', title: '1.0' }),
        item({ url: 'https://a.dev/all', guid: 'g', version: '1.1', title: '1.1' }),
      ],
      new Set(),
    );
    assert.deepEqual(
      keys.map((entry) => entry.key),
      ['v:1.0', 'v:1.1'],
    );
  });
});

describe('contentHash', () => {
  it('ignores line ends, trailing blanks and runs of blank lines', () => {
    const hash = (content: string) => contentHash({ title: 't', version: null, publishedAt: null, content });
    assert.equal(hash('a\r\nb  \n\n\n\nc\n'), hash('a\nb\n\nc'));
    assert.notEqual(hash('a'), hash('b'));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkReleases, checkSteps } from './release-check.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const GOOD = {
  title: 'Acme 1.0.0',
  content: 'Text',
  version: '1.0.0',
  url: 'https://acme.dev/1',
  guid: 'one',
  publishedAt: '2026-02-20T00:00:00.000Z',
};

function checked(more: Partial<typeof GOOD> & { media?: { type: 'image'; url: string; linkUrl?: string }[] } = {}) {
  return checkReleases([{ ...GOOD, ...more }], NOW).releases[0];
}

describe('checkReleases', () => {
  it('can be interrupted after each release', () => {
    assert.equal([...checkSteps([GOOD, GOOD, GOOD], NOW)].length, 3);
  });

  it('changes nothing of a good release', () => {
    assert.deepEqual(checkReleases([GOOD], NOW), { releases: [GOOD], refused: 0 });
  });

  const addresses: [string, string | null][] = [
    ['https://acme.dev/a?b=c#d', 'https://acme.dev/a?b=c#d'],
    ['javascript:alert(1)', null],
    ['JavaScript:alert(1)', null],
    ['data:text/html,<script>', null],
    ['file:///etc/passwd', null],
    ['//acme.dev/x', null],
    ['https://acme.dev/a b', null],
    ['https://acme.dev/\u0000', null],
    [`https://acme.dev/${'a'.repeat(3000)}`, null],
  ];
  for (const [url, expected] of addresses) {
    it(`url ${JSON.stringify(url.slice(0, 40))} → ${expected}`, () => assert.equal(checked({ url })?.url, expected));
  }

  const versions: [string, string | null][] = [
    [' 1.2.0\n', '1.2.0'],
    ['2.0 (build 5)', '2.0 (build 5)'],
    ['1.\u0000 2', null],
    ['1.2\u001b[31m', null],
    ['1.2\u202e0', null],
    ['1.2\u200b.0', null],
    ['1.\ud800', null],
    ['9'.repeat(201), null],
    ['9'.repeat(200), '9'.repeat(200)],
    ['', null],
  ];
  for (const [version, expected] of versions) {
    it(`version ${JSON.stringify(version.slice(0, 40))} (${version.length}) → ${expected?.slice(0, 20)}`, () =>
      assert.equal(checked({ version, title: 'Spring news' })?.version, expected));
  }

  const dates: [string, string | null][] = [
    ['2026-03-03T12:00:00.000Z', '2026-03-03T12:00:00.000Z'],
    ['2026-03-03T12:00:00.001Z', null],
    ['9999-12-31T23:59:59.999Z', null],
    ['+275760-09-13T00:00:00.000Z', null],
    ['1970-01-01T00:00:00.000Z', null],
    ['1990-01-01T00:00:00.000Z', '1990-01-01T00:00:00.000Z'],
    ['not a date', null],
  ];
  for (const [publishedAt, expected] of dates) {
    it(`date ${publishedAt} → ${expected}`, () => assert.equal(checked({ publishedAt })?.publishedAt, expected));
  }

  it('writes titles in one line of at most 500 characters', () => {
    assert.equal(checked({ title: ' Acme\u0000 \n 1.0 ' })?.title, 'Acme 1.0');
    assert.equal(checked({ title: 'a'.repeat(1_000_000) })?.title.length, 500);
    assert.equal(checked({ title: 'a\ud800' })?.title.isWellFormed(), true);
  });

  it('refuses a release whose title is nothing but an unusable version', () => {
    const huge = '7'.repeat(1_000_000);
    for (const [title, version] of [
      [huge, huge],
      [`Acme ${huge}`, huge],
      ['1. 2', '1.\u00002'],
      ['', null],
    ] as const) {
      assert.deepEqual(checkReleases([{ ...GOOD, title, version }], NOW), { releases: [], refused: 1 });
    }
    assert.equal(checked({ title: ' ', version: '1.0.0' })?.title, '1.0.0');
  });

  it('stores odd guids as their hash, so that they still tell releases apart', () => {
    const [long, other] = ['a'.repeat(600), 'a'.repeat(601)].map((guid) => checked({ guid })?.guid);
    assert.match(long ?? '', /^sha256:[0-9a-f]{64}$/);
    assert.notEqual(long, other);
    assert.match(checked({ guid: 'a\u0000' })?.guid ?? '', /^sha256:/);
  });

  it('keeps text as operators may send it, and media at web addresses', () => {
    assert.equal(checked({ content: 'a\r\nb\u0000\tc\u0085' })?.content, 'a\nb\tc');
    const media = [
      { type: 'image' as const, url: 'https://acme.dev/a.png', linkUrl: 'javascript:alert(1)' },
      { type: 'image' as const, url: 'javascript:alert(1)' },
    ];
    assert.deepEqual(checked({ media })?.media, [{ type: 'image', url: 'https://acme.dev/a.png' }]);
  });
});

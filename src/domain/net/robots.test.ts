import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRobots, ROBOTS_MAX_BYTES, robotsAllow, robotsText } from './robots.ts';

function allows(robots: string, path: string): boolean {
  return robotsAllow(parseRobots(robots), `https://acme.dev${path}`);
}

const all = (...rules: string[]) => ['User-agent: *', ...rules].join('\n');

describe('rules', () => {
  const table: [name: string, robots: string, path: string, allowed: boolean][] = [
    ['no file', '', '/x', true],
    ['no rule for the path', all('Disallow: /private'), '/public', true],
    ['a prefix', all('Disallow: /private'), '/private-notes', false],
    ['case counts in paths', all('Disallow: /Private'), '/private', true],
    ['the empty disallow', all('Disallow:'), '/x', true],
    ['everything', all('Disallow: /'), '/', false],
    ['robots.txt itself', all('Disallow: /'), '/robots.txt', true],
    ['the longest match allows', all('Disallow: /a', 'Allow: /a/b'), '/a/b/c', true],
    ['the longest match forbids', all('Allow: /a', 'Disallow: /a/b'), '/a/b/c', false],
    ['order does not count', all('Allow: /a/b', 'Disallow: /a'), '/a/b', true],
    ['allow wins a tie', all('Disallow: /page', 'Allow: /page'), '/page', true],
    ['a star', all('Disallow: /*.gif'), '/img/a.gif?x', false],
    ['a star that is not met', all('Disallow: /*.gif'), '/img/a.png', true],
    ['an end mark', all('Disallow: /*.gif$'), '/a.gif', false],
    ['an end mark that is not met', all('Disallow: /*.gif$'), '/a.gif?x', true],
    ['an end mark without star', all('Disallow: /a$'), '/a', false],
    ['an end mark without star that is not met', all('Disallow: /a$'), '/ab', true],
    ['an end mark must not overlap', all('Disallow: /ab*bc$'), '/abc', true],
    ['a star before the end mark', all('Disallow: /a*$'), '/abc', false],
    ['several stars', all('Disallow: /*/x/*/y'), '/1/x/2/y', false],
    ['a dollar in the middle is literal', all('Disallow: /a$b'), '/a$b', true],
    ['a leading star', all('Disallow: *secret'), '/a/secret', false],
    ['a path without slash says nothing', all('Disallow: private'), '/private', true],
    ['the query counts', all('Disallow: /*?page='), '/list?page=2', false],
    ['an escaped star is a character', all('Disallow: /a-%2a.html'), '/a-*.html', false],
    ['an escaped plain letter', all('Disallow: /%61bc'), '/abc', false],
    ['an escaped letter in the address', all('Disallow: /abc'), '/%61bc', false],
    ['letters beyond ASCII', all('Disallow: /ツ'), '/%e3%83%84', false],
    ['an escaped slash is no slash', all('Disallow: /a/b'), '/a%2Fb', true],
    ['comments', all('Disallow: /a # not /b'), '/a', false],
    ['spaces and letter case of keys', 'USER-AGENT :  *  \n  disALLOW :  /a  ', '/a', false],
    ['a byte order mark', `\uFEFF${all('Disallow: /a')}`, '/a', false],
    ['old Macintosh line ends', 'User-agent: *\rDisallow: /a\r', '/a', false],
    ['rules before any agent', 'Disallow: /a\nUser-agent: *\nAllow: /b', '/a', true],
    ['a page in place of the file', '<!doctype html><p>User-agent: none</p>', '/a', true],
  ];
  for (const [name, robots, path, allowed] of table) it(name, () => assert.equal(allows(robots, path), allowed));
});

describe('groups', () => {
  const own = 'User-agent: ReleaseRegistry\nDisallow: /own\n\nUser-agent: *\nDisallow: /\n';
  const table: [name: string, robots: string, path: string, allowed: boolean][] = [
    ['the own group replaces the general one', own, '/x', true],
    ['the own group counts', own, '/own', false],
    ['letter case and version of the token', own.replace('ReleaseRegistry', 'releaseregistry/2.0 bot'), '/x', true],
    ['a longer token is another crawler', own.replace('ReleaseRegistry', 'ReleaseRegistry-News'), '/x', false],
    ['a star with more text is a name', 'User-agent: *bot\nDisallow: /', '/x', true],
    ['another crawler only', 'User-agent: Other\nDisallow: /', '/x', true],
    ['an empty own group allows all', 'User-agent: *\nDisallow: /\nUser-agent: ReleaseRegistry\n', '/x', true],
    ['agents in a row share rules', 'User-agent: Other\nUser-agent: ReleaseRegistry\nDisallow: /a', '/a', false],
    ['groups of one agent are joined', `${own}\nUser-agent: ReleaseRegistry\nDisallow: /more`, '/more', false],
    [
      'a rule ends the row of agents',
      'User-agent: ReleaseRegistry\nAllow: /\nUser-agent: Other\nDisallow: /',
      '/x',
      true,
    ],
    [
      'a sitemap ends nothing',
      'User-agent: ReleaseRegistry\nSitemap: /s\nUser-agent: Other\nDisallow: /a',
      '/a',
      false,
    ],
  ];
  for (const [name, robots, path, allowed] of table) it(name, () => assert.equal(allows(robots, path), allowed));
});

describe('crawl delay', () => {
  const table: [value: string, expected: number | null][] = [
    ['5', 5_000],
    ['0.5', 500],
    ['30', 30_000],
    ['3600', 30_000],
    ['-1', null],
    ['soon', null],
    ['', null],
  ];
  for (const [value, expected] of table) {
    it(`"${value}"`, () => assert.equal(parseRobots(all(`Crawl-delay: ${value}`)).crawlDelayMs, expected));
  }

  it('is taken from the group that counts', () => {
    const robots = 'User-agent: *\nCrawl-delay: 9\nDisallow:\nUser-agent: ReleaseRegistry\nCrawl-delay: 2\nDisallow:';
    assert.equal(parseRobots(robots).crawlDelayMs, 2_000);
  });
});

describe('size', () => {
  it('keeps the first 500 KiB and not the line that is cut', () => {
    const head = 'User-agent: *\n';
    const line = `Disallow: /${'a'.repeat(89)}\n`;
    const lines = Math.floor((ROBOTS_MAX_BYTES - head.length) / line.length);
    const text = robotsText(Buffer.from(head + line.repeat(lines + 20)));
    assert.equal(text, head + line.repeat(lines));
  });

  it('decodes broken UTF-8 without complaint', () => {
    assert.equal(robotsText(Uint8Array.of(0x61, 0xff)), 'a\ufffd');
  });

  it('comes to an end on hostile patterns', () => {
    const robots = all(...Array.from({ length: 4000 }, () => `Disallow: /${'*a'.repeat(50)}b$`));
    assert.equal(allows(robots, `/${'a'.repeat(2000)}`), true);
  });
});

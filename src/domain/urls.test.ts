import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyUrl } from '../../test/support/any-url.ts';
import { githubCoordinate, isHttpUrl, normalizeUrl } from './urls.ts';

describe('isHttpUrl', () => {
  const cases: [string, boolean][] = [
    ['https://acme.dev', true],
    ['HTTP://acme.dev:8080/x?y#z', true],
    ['http://localhost/', true],
    ['https://bücher.example/é', true],
    [`https://acme.dev/${'a'.repeat(2048 - 17)}`, true],
    [`https://acme.dev/${'a'.repeat(2048 - 16)}`, false],
    ['//acme.dev', false],
    ['/x', false],
    ['acme.dev', false],
    ['https:acme.dev', false],
    ['https:///acme.dev', false],
    ['https://', false],
    ['https://a:b', false],
    ['ftp://acme.dev', false],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    [' https://acme.dev', false],
    ['https://acme.dev\n', false],
    ['https://acme.dev/a b', false],
    ['https://acme.dev/\u0000', false],
    ['', false],
  ];
  for (const [text, expected] of cases) {
    it(`${JSON.stringify(text.slice(0, 60))}: ${expected}`, () => assert.equal(isHttpUrl(text), expected));
  }
});

describe('normalizeUrl', () => {
  const cases: [string, string | null][] = [
    ['http://www.Acme.dev/blog/x/?utm_source=rss', 'acme.dev/blog/x'],
    ['https://acme.dev/changelog#v1-2-0', 'acme.dev/changelog#v1-2-0'],
    ['https://acme.dev/changelog#v1-3-0', 'acme.dev/changelog#v1-3-0'],
    ['https://acme.dev/p?b=2&a=1', 'acme.dev/p?a=1&b=2'],
    ['https://github.com/Acme/CLI/releases/tag/V1.0', 'github.com/acme/cli/releases/tag/V1.0'],

    ['https://acme.dev', 'acme.dev'],
    ['https://acme.dev/', 'acme.dev'],
    ['https://acme.dev//', 'acme.dev'],
    ['https://acme.dev/?a=1', 'acme.dev?a=1'],
    ['https://acme.dev/#top', 'acme.dev#top'],
    ['https://acme.dev/x#', 'acme.dev/x'],
    ['https://acme.dev/x?', 'acme.dev/x'],
    ['http://acme.dev:80/x', 'acme.dev/x'],
    ['https://acme.dev:443/x', 'acme.dev/x'],
    ['https://acme.dev:8443/x', 'acme.dev:8443/x'],
    ['https://user:secret@acme.dev/x', 'acme.dev/x'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://acme.dev/Blog/X', 'acme.dev/Blog/X'],
    ['https://acme.dev/a/../b/./c', 'acme.dev/b/c'],

    ['https://acme.dev/?ref=a&fbclid=b&gclid=c&mc_cid=d&mc_eid=e', 'acme.dev'],
    ['https://acme.dev/?msclkid=a&yclid=b&_hsenc=c&_hsmi=d&mkt_tok=e&igshid=f&ref_src=g', 'acme.dev'],
    ['https://acme.dev/?utm_=1&utm_anything=2&utm=3&reference=4', 'acme.dev?reference=4&utm=3'],
    ['https://acme.dev/?utm%5Fsource=x&re%66=y', 'acme.dev'],
    ['https://acme.dev/?a=2&b=1&a=1', 'acme.dev?a=2&a=1&b=1'],
    ['https://acme.dev/?b&&a=', 'acme.dev?a=&b'],

    ['https://acme.dev/x#:~:text=hello', 'acme.dev/x'],
    ['https://acme.dev/x#v1:~:text=hello', 'acme.dev/x#v1'],

    ['https://acme.dev/%7Eme/%41%2Dz%2e%5f', 'acme.dev/~me/A-z._'],
    ['https://acme.dev/a%2fb%c3%a9', 'acme.dev/a%2Fb%C3%A9'],
    ['https://acme.dev/é', 'acme.dev/%C3%A9'],
    ['https://acme.dev/%2541', 'acme.dev/%2541'],
    ['https://acme.dev/%%34%31', 'acme.dev/%2541'],
    ['https://acme.dev/100%', 'acme.dev/100%25'],

    ['https://www.github.com/Acme/CLI.git', 'github.com/acme/cli'],
    ['https://github.com/Acme/CLI.git/', 'github.com/acme/cli'],
    ['https://github.com/Acme', 'github.com/acme'],
    ['https://github.com/', 'github.com'],
    ['https://github.com/Acme/..git', 'github.com/acme/..git'],
    ['https://gist.github.com/Acme/X', 'gist.github.com/Acme/X'],
    ['https://gitlab.com/Acme/CLI.git', 'gitlab.com/Acme/CLI.git'],

    ['ftp://acme.dev/x', null],
    ['mailto:me@acme.dev', null],
    ['javascript:alert(1)', null],
    ['acme.dev/x', null],
    ['/x', null],
    ['', null],
  ];
  for (const [url, expected] of cases) {
    it(`${url}: ${expected}`, () => assert.equal(normalizeUrl(url), expected));
  }

  it('answers the same key for the address that a key spells', () => {
    const part = fc.string({ unit: fc.constantFrom(...'aZ09-._~%/?&=#:@+ é4f[|\\'), maxLength: 30 });
    const host = fc.constantFrom('acme.dev', 'WWW.acme.dev', 'www.www.acme.dev', 'github.com', 'acme.dev:443', 'x:81');
    const url = fc.tuple(fc.constantFrom('http', 'https'), host, part);
    fc.assert(
      fc.property(
        fc.oneof(
          url.map(([scheme, h, rest]) => `${scheme}://${h}/${rest}`),
          anyUrl,
        ),
        (address) => {
          const key = normalizeUrl(address);

          if (key !== null) assert.equal(normalizeUrl(`https://${key}`), key);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('stays quick on a long hostile address', () => {
    assert.equal(normalizeUrl(`https://acme.dev/${'/'.repeat(200_000)}x`)?.length, 200_010);
  });
});

describe('githubCoordinate', () => {
  const cases: [string, string | null][] = [
    ['acme/cli', 'acme/cli'],
    ['Acme/CLI.js', 'acme/cli.js'],
    [' acme/cli ', 'acme/cli'],
    ['github:Acme/CLI', 'acme/cli'],
    ['acme/cli.git', 'acme/cli'],
    ['https://github.com/Acme/CLI', 'acme/cli'],
    ['http://www.github.com/Acme/CLI/', 'acme/cli'],
    ['https://github.com/Acme/CLI.git', 'acme/cli'],
    ['https://github.com/Acme/CLI/releases/tag/V1.0?x#y', 'acme/cli'],
    ['https://github.com/acme/cli#readme', 'acme/cli'],
    ['github.com/acme/cli', 'acme/cli'],
    ['git+https://github.com/acme/cli.git', 'acme/cli'],
    ['git://github.com/acme/cli.git', 'acme/cli'],
    ['ssh://git@github.com/acme/cli.git', 'acme/cli'],
    ['git@github.com:acme/cli.git', 'acme/cli'],
    ['https://github.com/acme', null],
    ['github.com/acme', null],
    ['https://github.com/orgs/acme/repositories', null],
    ['https://github.com/topics/cli', null],
    ['https://github.com/acme/c%20li', null],
    ['https://gitlab.com/acme/cli', null],
    ['https://github.com.evil.dev/acme/cli', null],
    ['https://evil.dev/github.com/acme/cli', null],
    ['https://raw.githubusercontent.com/acme/cli', null],
    ['gitlab:acme/cli', null],
    ['acme/cli/extra', null],
    ['acme', null],
    ['acme/', null],
    ['/cli', null],
    ['acme/..', null],
    ['../cli', null],
    ['./cli', null],
    ['acme/.git', null],
    ['acme/..git', null],
    ['@acme/cli', null],
    ['ac me/cli', null],
    ['acme/clï', null],
    [`acme/${'a'.repeat(101)}`, null],
    ['', null],
  ];
  for (const [text, expected] of cases) {
    it(`${text.slice(0, 60)}: ${expected}`, () => assert.equal(githubCoordinate(text), expected));
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyUrl } from '../../test/support/any-url.ts';
import { normalizeDomain } from './slugs.ts';

describe('normalizeDomain', () => {
  const cases: [string, string | null][] = [
    ['acme.dev', 'acme.dev'],
    ['ACME.Dev', 'acme.dev'],
    [' acme.dev ', 'acme.dev'],
    ['www.acme.dev', 'acme.dev'],
    ['www.www.acme.dev', 'www.acme.dev'],
    ['www2.acme.dev', 'www2.acme.dev'],
    ['acme.dev.', 'acme.dev'],
    ['acme.dev..', null],
    ['acme..dev', null],
    ['.acme.dev', null],
    ['acme.dev:8080', 'acme.dev'],
    ['acme.dev/path?q#f', 'acme.dev'],
    ['acme.dev/go?to=https://other.dev', 'acme.dev'],
    ['https://www.Acme.dev:8443/blog/?x=1#y', 'acme.dev'],
    ['HTTP://acme.dev', 'acme.dev'],
    ['https://user:secret@acme.dev/', 'acme.dev'],
    ['docs.acme.co.uk', 'docs.acme.co.uk'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['acme。dev', 'acme.dev'],
    ['localhost', null],
    ['www.com', null],
    ['com.', null],
    ['127.0.0.1', null],
    ['127.1', null],
    ['0x7f.0.0.1', null],
    ['2130706433', null],
    ['https://127.0.0.1./', null],
    ['[::1]', null],
    ['https://[2001:db8::1]/', null],
    ['ftp://acme.dev', null],
    ['git+ssh://acme.dev', null],
    ['mailto:me@acme.dev', null],
    ['me@acme.dev', null],
    ['@acme.dev', null],
    ['javascript:alert(1)', null],
    ['//acme.dev', null],
    ['/acme.dev', null],
    ['https:///acme.dev', null],
    ['https:acme.dev', null],
    ['ac\nme.dev', null],
    ['ac me.dev', null],
    ['acme.dev\u0000', null],
    ['my_site.acme.dev', null],
    ['-acme.dev', null],
    ['acme-.dev', null],
    [`${'a'.repeat(64)}.dev`, null],
    [`${'a.'.repeat(130)}dev`, null],
    [`acme.dev/${'a'.repeat(2048)}`, null],
    ['', null],
    ['.', null],
  ];
  for (const [input, expected] of cases) {
    it(`${JSON.stringify(input.slice(0, 80))}: ${expected}`, () => assert.equal(normalizeDomain(input), expected));
  }

  it('answers a domain that it leaves as it is, apart from a further www.', () => {
    fc.assert(
      fc.property(fc.oneof(anyUrl, fc.domain(), fc.string()), (input) => {
        const domain = normalizeDomain(input);

        if (domain !== null && !domain.startsWith('www.')) assert.equal(normalizeDomain(domain), domain);
      }),
    );
  });
});

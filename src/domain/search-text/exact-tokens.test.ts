import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { assertLinear, repeated } from '../../../test/support/growth.ts';
import { foldText } from './analysis.ts';
import { encodeToken, exactTokens } from './exact-tokens.ts';

describe('exactTokens of a text', () => {
  const cases: [string, string[]][] = [
    ['plain words only', []],
    ['v1.0.21 and 1.0.210', ['1.0.21', '1.0.210']],
    ['"react-dom", (CVE-2024-12345), `ERR_MODULE_NOT_FOUND`.', ['react-dom', 'cve-2024-12345', 'err_module_not_found']],
    ['Call foo.bar() or useState(), not call(x)', ['foo.bar', 'usestate']],
    ['@scope/pkg #123 --watch=true owner/repo#45', ['@scope/pkg', '#123', '--watch', 'owner/repo#45']],
    ['Bump @scope/pkg@1.2.3 and react@v18.2.0', ['@scope/pkg@1.2.3', '@scope/pkg', '1.2.3', 'react@18.2.0', '18.2.0']],
    ['1.0.20...v1.0.21', ['1.0.20', '1.0.21']],
    ['[x.y](https://a.b/c.d?e=f.g) http://h.i', ['x.y']],
    ['git+ssh://a.b/c d.e', ['d.e']],
    ['## Heading\n---\n- _em_ **bold** __x__', []],
    ['./src/a.ts: /usr/bin, foo::bar', ['src/a.ts', 'usr/bin', 'foo::bar']],
    ['kind:sdk ~1.0 \ue0fekind\ue03asdk\ue0ff', ['kind:sdk', '1.0']],
    ['Café.JS, ﬁle-name', ['cafe.js', 'file-name']],
    ['a.b\u2014c.d e\u2019s.f', ['a.b', 'c.d', 's.f']],
    ['C++ .net -p c# 99.9% a+b.c', ['99.9', 'a+b.c']],
    [`${'a.'.repeat(39)}bc ${'a.'.repeat(40)}b`, [`${'a.'.repeat(39)}bc`]],
  ];
  for (const [text, tokens] of cases) {
    it(JSON.stringify(text.slice(0, 60)), () => assert.deepEqual(exactTokens('', null, foldText(text)), tokens));
  }
});

describe('exactTokens of a version', () => {
  const cases: [string, string[]][] = [
    ['1.0.21', ['1.0.21', '~1.0', '~1']],
    ['v15.0', ['15.0', '~15.0', '~15']],
    ['v16', ['~16']],
    ['22.04.3 LTS', ['22.04.3', '~22.4', '~22']],
    ['my-app-v1.2.3-beta.2', ['my-app-v1.2.3-beta.2', '1.2.3-beta.2', '~1.2', '~1']],
    ['@scope/pkg@1.2.3', ['@scope/pkg@1.2.3', '@scope/pkg', '1.2.3', '~1.2', '~1']],
    ['Fall update', []],
    ['1'.repeat(300), []],
  ];
  for (const [version, tokens] of cases) {
    it(version.slice(0, 40), () => assert.deepEqual(exactTokens('', version, ''), tokens));
  }
});

describe('exactTokens', () => {
  it('takes the title first and at most 512', () => {
    const body = Array.from({ length: 1000 }, (_, at) => `x.${at}`).join(' ');

    const tokens = exactTokens('a.title', '1.2.3', body);

    assert.equal(tokens.length, 512);
    assert.deepEqual(tokens.slice(0, 5), ['a.title', '1.2.3', '~1.2', '~1', 'x.0']);
  });

  it('only holds what its stored form can hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string(), (body, title) => {
        for (const token of exactTokens(foldText(title), title, foldText(body))) {
          assert.ok(token.length >= 2 && token.length <= 80);
          assert.match(encodeToken(token), /^[\p{L}\p{N}\ue021-\ue07e]+\ue0ff$/u);
        }
      }),
    );
  });

  for (const [name, piece] of Object.entries({
    letters: 'a',
    dots: '.',
    names: 'a.',
    ats: 'a@',
    colons: '://',
    addresses: 'http://',
    calls: 'a()',
    accents: 'e\u0301.',
  })) {
    it(`reads a long text of ${name} in linear time`, () => {
      assertLinear((text) => exactTokens(foldText(text), text.slice(0, 200), foldText(text)), repeated(piece));
    });
  }
});

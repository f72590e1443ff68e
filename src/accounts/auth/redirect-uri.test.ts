import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRegistered, redirectUriFault, redirectUrisFault } from './redirect-uri.ts';

describe('redirect addresses', () => {
  const registrable: [uri: unknown, allowed: boolean][] = [
    ['https://app.example/callback', true],
    ['https://app.example/callback?tenant=1', true],
    ['http://localhost/callback', true],
    ['http://localhost:4711/callback', true],
    ['http://127.0.0.1:80/cb', true],
    ['http://[::1]:9999/cb', true],
    ['com.example.app:/callback', true],
    ['http://app.example/callback', false],
    ['http://127.0.0.2/cb', false],
    ['http://127.1/cb', false],
    ['http://2130706433/cb', false],
    ['http://localhost.evil.example/cb', false],
    ['https://app.example/callback#part', false],
    ['https://app.example/callback#', false],
    ['https://user:secret@app.example/cb', false],
    ['app:/callback', false],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['file:///etc/passwd', false],
    ['/callback', false],
    ['', false],
    [7, false],
    [`https://app.example/${'a'.repeat(2000)}`, false],
  ];
  for (const [uri, allowed] of registrable) {
    it(`${String(uri).slice(0, 60)} ${allowed ? 'may' : 'may not'} be registered`, () => {
      assert.equal(redirectUriFault(uri) === null, allowed);
    });
  }

  it('come in lists of 1 to 10', () => {
    const uri = 'https://app.example/cb';
    assert.equal(redirectUrisFault([uri]), null);
    assert.equal(redirectUrisFault(Array(10).fill(uri)), null);
    for (const list of [undefined, [], Array(11).fill(uri), uri, [uri, 'http://app.example/']]) {
      assert.notEqual(redirectUrisFault(list), null);
    }
  });

  const registered = ['https://app.example/cb', 'http://127.0.0.1:1000/cb', 'com.example.app:/cb'];
  const requested: [uri: string, known: boolean][] = [
    ['https://app.example/cb', true],
    ['https://app.example/cb/', false],
    ['https://app.example/cb?x=1', false],
    ['https://app.example:8443/cb', false],
    ['https://APP.example/cb', false],
    ['http://127.0.0.1:1000/cb', true],
    ['http://127.0.0.1:2000/cb', true],
    ['http://127.0.0.1/cb', true],
    ['http://localhost:1000/cb', false],
    ['http://127.0.0.1:2000/other', false],
    ['http://127.0.0.1:2000@evil.example/cb', false],
    ['com.example.app:/cb', true],
    ['com.example.app:/cb2', false],
  ];
  for (const [uri, known] of requested) {
    it(`${uri} ${known ? 'is' : 'is not'} one of those registered`, () => {
      assert.equal(isRegistered(uri, registered), known);
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isOwnAddress,
  parseOwnHosts,
  type RefusalReason,
  readTarget,
  type TargetRules,
  targetRefusal,
} from './target.ts';

const OWN = parseOwnHosts(['https://registry.example', 'http://127.0.0.1:8080', 'localhost:8080']);

function refusal(url: string, rules: TargetRules = {}, admitted = false): RefusalReason | null {
  const target = readTarget(url);
  return target === null ? 'invalid_url' : targetRefusal(target, { rules, own: OWN, admitted });
}

describe('targets of a webhook', () => {
  const table: [url: string, expected: RefusalReason | null][] = [
    ['https://hooks.example/x', null],
    ['https://hooks.example:443/x', null],
    ['https://hooks.example:1024/x', null],
    ['https://hooks.example:65535/x', null],
    ['https://hooks.example./x', null],
    ['https://93.184.216.34/x', null],
    ['https://[2606:4700::1]/x', null],
    ['hooks.example/x', 'invalid_url'],
    ['/x', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://hooks.example../x', 'invalid_url'],
    ['https://metadata.google.internal../', 'invalid_url'],
    ['https://hooks.example:99999/', 'invalid_url'],
    ['http://hooks.example/x', 'not_https'],
    ['http://user@hooks.example/x', 'not_https'],
    ['ftp://hooks.example/x', 'not_https'],
    ['https://user@hooks.example/x', 'user_info'],
    ['https://:secret@hooks.example/x', 'user_info'],
    ['https://hooks.example:80/x', 'port'],
    ['https://hooks.example:1023/x', 'port'],
    ['https://hooks.example:0/x', 'port'],
    ['https://localhost/x', 'internal_host'],
    ['https://LOCALHOST./x', 'internal_host'],
    ['https://a.localhost/x', 'internal_host'],
    ['https://metadata/x', 'internal_host'],
    ['https://metadata.google.internal/x', 'internal_host'],
    ['https://printer.local/x', 'internal_host'],
    ['https://db.internal/x', 'internal_host'],
    ['https://nas.home.arpa/x', 'internal_host'],
    ['https://abc.onion/x', 'internal_host'],
    ['https://intranet/x', 'internal_host'],
    ['https://registry.example/x', 'internal_host'],
    ['https://registry.example:8443/x', 'internal_host'],
  ];
  for (const [url, expected] of table) {
    it(`${url}: ${expected ?? 'fine'}`, () => assert.equal(refusal(url, { httpsOnly: true, ports: 'web' }), expected));
  }
});

describe('targets of a fetch', () => {
  const table: [url: string, expected: RefusalReason | null][] = [
    ['http://acme.dev/feed', null],
    ['http://acme.dev:81/feed', null],
    ['ftp://acme.dev/feed', 'not_http'],
    ['file:///etc/passwd', 'invalid_url'],
    ['javascript:alert(1)', 'invalid_url'],
    ['http://user:secret@acme.dev/', 'user_info'],
  ];
  for (const [url, expected] of table) it(`${url}: ${expected ?? 'fine'}`, () => assert.equal(refusal(url), expected));
});

describe('an admitted target', () => {
  const strict: TargetRules = { httpsOnly: true, ports: 'web' };
  const table: [url: string, expected: RefusalReason | null][] = [
    ['http://intranet:81/x', null],
    ['http://localhost:9000/x', null],
    ['https://registry.example:8443/x', null],
    ['https://registry.example/x', 'internal_host'],
    ['http://127.0.0.1:8080/x', 'internal_host'],
    ['http://user@intranet/x', 'user_info'],
    ['ftp://intranet/x', 'not_https'],
  ];
  for (const [url, expected] of table) {
    it(`${url}: ${expected ?? 'fine'}`, () => assert.equal(refusal(url, strict, true), expected));
  }
});

describe('the service itself under another address', () => {
  const table: [ip: string, port: number, own: boolean][] = [
    ['127.0.0.1', 8080, true],
    ['127.9.9.9', 8080, true],
    ['::1', 8080, true],
    ['::ffff:127.0.0.1', 8080, true],
    ['0.0.0.0', 8080, true],
    ['::', 8080, true],
    ['127.0.0.1', 8081, false],
    ['10.0.0.1', 8080, false],
  ];
  for (const [ip, port, own] of table) {
    it(`${ip} port ${port}: ${own ? 'is' : 'is not'}`, () => assert.equal(isOwnAddress(OWN, ip, port), own));
  }

  it('a listed address is found inside an embedded form', () => {
    const own = parseOwnHosts(['http://10.0.0.5:8080']);
    assert.equal(isOwnAddress(own, '::ffff:10.0.0.5', 8080), true);
    assert.equal(isOwnAddress(own, '127.0.0.1', 8080), false);
  });
});

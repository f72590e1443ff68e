import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allowedHosts, registrableDomain } from './allowed-hosts.ts';

describe('the registrable domain of a host', () => {
  const cases: [host: string, domain: string][] = [
    ['acme.dev', 'acme.dev'],
    ['docs.eu.acme.dev', 'acme.dev'],
    ['www.acme.co.uk', 'acme.co.uk'],
    ['acme.github.io', 'acme.github.io'],
    ['a.acme.vercel.app', 'acme.vercel.app'],
    ['127.0.0.1', '127.0.0.1'],
    ['ACME.DEV.', 'acme.dev'],
    ['x.acme.ltd.uk', 'acme.ltd.uk'],
    ['docs.acme.k12.ca.us', 'acme.k12.ca.us'],
    ['x.acme.up.railway.app', 'acme.up.railway.app'],
    ['acme.s3.amazonaws.com', 'acme.s3.amazonaws.com'],
    ['x.acme.zendesk.com', 'acme.zendesk.com'],
    ['zendesk.com', 'zendesk.com'],
    ['docs.acme.test', 'acme.test'],
    ['localhost', 'localhost'],
    ['[::1]', '[::1]'],
    ['com.de', 'com.de'],
    ['', ''],
  ];
  for (const [host, domain] of cases) it(`${host}: ${domain}`, () => assert.equal(registrableDomain(host), domain));
});

describe('where an agent may go', () => {
  const hosts = allowedHosts('https://docs.acme.dev/changelog', ['cdn.other.test']);
  const cases: [url: string, allowed: boolean][] = [
    ['https://acme.dev/', true],
    ['http://blog.acme.dev/x', true],
    ['https://cdn.other.test/x', true],
    ['https://other.test/x', false],
    ['https://acme.dev.evil.test/', false],
    ['https://notacme.dev/', false],
    ['https://evil.test/?acme.dev', false],
    ['https://acme.dev@evil.test/', false],
    ['ftp://acme.dev/', false],
    ['file:///etc/hosts', false],
    ['acme.dev', false],
  ];
  for (const [url, allowed] of cases) it(`${url}: ${allowed}`, () => assert.equal(hosts.allows(url), allowed));

  it('an address is no suffix of another', () => {
    assert.equal(allowedHosts('http://127.0.0.1/x').allows('http://1.127.0.0.1.test/'), false);
  });
});

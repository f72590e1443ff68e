import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TargetRules } from '../domain/net/target.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { fixedLookup } from './loopback.fixture.ts';
import { createResolve, type Resolve } from './resolve.ts';

const NAMES = {
  'acme.dev': ['93.184.216.34', '2606:4700::1'],
  'mixed.example': ['93.184.216.34', '10.0.0.1'],
  'mixed6.example': ['93.184.216.34', 'fd00::1'],
  'inside.example': ['10.0.0.1'],
  'cloud.example': ['169.254.169.254'],
  'metadata.google.internal': ['169.254.169.254'],
  'git.corp': ['10.0.0.7'],
  intranet: ['10.0.0.8'],
  'far.internal': ['93.184.216.34'],
  localhost: ['127.0.0.1', '::1'],
  'registry.example': ['93.184.216.35'],
  'odd.example': ['not an address'],
};

const WEBHOOK: TargetRules = { httpsOnly: true, ports: 'web' };
const OWN = ['https://registry.example', 'http://127.0.0.1:8080'];

async function verdict(url: string, options: Partial<GuardOptions> = {}, rules: TargetRules = {}): Promise<string> {
  const resolve = createResolve({ lookup: fixedLookup(NAMES) });
  const result = await createGuard({ ownHosts: OWN, resolve, ...options })(url, rules);
  return result.ok ? result.target.addresses.join(' ') : result.reason;
}

describe('without lists', () => {
  const table: [url: string, expected: string][] = [
    ['https://acme.dev/feed', '93.184.216.34 2606:4700::1'],
    ['http://acme.dev:8081/feed', '93.184.216.34 2606:4700::1'],
    ['https://ACME.dev./feed', '93.184.216.34 2606:4700::1'],
    ['http://8.8.8.8/', '8.8.8.8'],
    ['http://[2606:4700::1]/', '2606:4700::1'],
    ['https://nowhere.example/', 'unresolved'],
    ['https://mixed.example/', 'private_address'],
    ['https://mixed6.example/', 'private_address'],
    ['https://inside.example/', 'private_address'],
    ['https://cloud.example/', 'private_address'],
    ['https://odd.example/', 'private_address'],
    ['http://127.0.0.1/', 'private_address'],
    ['http://0x7f.1/', 'private_address'],
    ['http://2130706433/', 'private_address'],
    ['http://0/', 'private_address'],
    ['http://[::1]/', 'private_address'],
    ['http://[::ffff:10.0.0.1]/', 'private_address'],
    ['http://[64:ff9b::a00:1]/', 'private_address'],
    ['http://[fe80::1]/', 'private_address'],
    ['http://localhost/', 'internal_host'],
    ['http://intranet/', 'internal_host'],
    ['http://far.internal/', 'internal_host'],
    ['https://registry.example/', 'internal_host'],
    ['https://user:secret@acme.dev/', 'user_info'],
    ['gopher://acme.dev/', 'not_http'],
    ['acme.dev', 'invalid_url'],
  ];
  for (const [url, expected] of table)
    it(`${url}: ${expected}`, async () => assert.equal(await verdict(url), expected));
});

describe('with an allow list', () => {
  const table: [name: string, allow: string[], url: string, expected: string][] = [
    ['a name', ['git.corp'], 'http://git.corp:3000/', '10.0.0.7'],
    ['a name and port', ['git.corp:3000'], 'http://git.corp:3000/', '10.0.0.7'],
    ['another port', ['git.corp:3000'], 'http://git.corp:3001/', 'not_https'],
    ['an internal name', ['intranet'], 'https://intranet/', '10.0.0.8'],
    ['an internal name in an allowed range', ['10.0.0.0/24'], 'http://intranet:81/', '10.0.0.8'],
    ['an internal name outside the range', ['10.1.0.0/24'], 'https://intranet/', 'internal_host'],
    ['an internal name that is public', ['10.0.0.0/24'], 'https://far.internal/', 'internal_host'],
    ['an address in a range', ['10.0.0.0/24'], 'http://10.0.0.9:22/', '10.0.0.9'],
    ['an embedded address in a range', ['10.0.0.0/24'], 'http://[::ffff:10.0.0.9]/', '::ffff:a00:9'],
    ['one address allowed, the other public', ['10.0.0.0/24'], 'https://mixed.example/', '93.184.216.34 10.0.0.1'],
    ['plain http needs all addresses allowed', ['10.0.0.0/24'], 'http://mixed.example/', 'not_https'],
    ['another name stays refused', ['git.corp'], 'https://inside.example/', 'private_address'],
    ['metadata by name', ['cloud.example', 'metadata.google.internal'], 'https://cloud.example/', 'private_address'],
    ['metadata by its own name', ['metadata.google.internal'], 'http://metadata.google.internal/', 'private_address'],
    ['metadata by range', ['0.0.0.0/0', '::/0'], 'http://169.254.169.254/latest', 'private_address'],
    ['metadata, embedded', ['0.0.0.0/0', '::/0'], 'http://[::ffff:169.254.169.254]/', 'private_address'],
    ['metadata in IPv6', ['0.0.0.0/0', '::/0'], 'http://[fd00:ec2::254]/', 'private_address'],
    ['user info', ['git.corp'], 'http://user@git.corp/', 'user_info'],
    ['the service by name', ['registry.example'], 'https://registry.example/', 'internal_host'],
    ['the service on another port', ['registry.example'], 'https://registry.example:8443/', '93.184.216.35'],
    ['the service by address', ['127.0.0.0/8'], 'http://127.0.0.1:8080/', 'internal_host'],
    ['the service by another loopback address', ['127.0.0.0/8'], 'http://127.3.2.1:8080/', 'internal_host'],
    ['the service by another loopback name', ['127.0.0.0/8', '::1'], 'http://localhost:8080/', 'internal_host'],
    ['a neighbour on the loopback', ['127.0.0.0/8', '::1'], 'http://localhost:9000/', '127.0.0.1 ::1'],
    ['a name that does not resolve', ['none.corp'], 'http://none.corp/', 'unresolved'],
    ['an internal name that does not resolve', ['10.0.0.0/8'], 'http://none.internal/', 'not_https'],
  ];
  for (const [name, allow, url, expected] of table) {
    it(`${name}: ${url} ${expected}`, async () => assert.equal(await verdict(url, { allow }, WEBHOOK), expected));
  }
});

describe('with a deny list', () => {
  const deny = ['acme.dev', '8.8.8.8', '10.0.0.7', 'intranet'];
  const table: [url: string, expected: string][] = [
    ['https://acme.dev/', 'denied_host'],
    ['https://docs.acme.dev/', 'denied_host'],
    ['https://notacme.dev/', 'unresolved'],
    ['http://8.8.8.8/', 'denied_host'],
    ['http://intranet/', 'denied_host'],
    ['http://git.corp/', 'denied_host'],
  ];
  for (const [url, expected] of table) {
    it(`${url}: ${expected}`, async () =>
      assert.equal(await verdict(url, { deny, allow: ['intranet', 'git.corp'] }), expected));
  }
});

describe('lookups', () => {
  function counting(): { resolve: Resolve; requested: { name: string; local: boolean }[] } {
    const requested: { name: string; local: boolean }[] = [];
    return {
      requested,
      resolve: async (name, { local }) => {
        requested.push({ name, local });
        return { ok: true, addresses: ['10.0.0.9'] };
      },
    };
  }

  it('none for a name that is refused anyway, nor for an address', async () => {
    const { resolve, requested } = counting();
    await verdict('http://localhost/', { resolve });
    await verdict('http://user@acme.dev/', { resolve });
    await verdict('http://127.0.0.1/', { resolve });
    assert.deepEqual(requested, []);
  });

  it('the ways of the machine for names of the operator alone', async () => {
    const { resolve, requested } = counting();
    await verdict('http://git.corp/', { resolve, allow: ['git.corp'] });
    await verdict('http://acme.dev/', { resolve, allow: ['git.corp'] });
    assert.deepEqual(requested, [
      { name: 'git.corp', local: true },
      { name: 'acme.dev', local: false },
    ]);
  });

  it('an entry that means nothing is an error at start', () => {
    const { resolve } = counting();
    assert.throws(() => createGuard({ resolve, allow: ['10.0.0.0/99', '*.corp'] }), /10\.0\.0\.0\/99, \*\.corp/);
  });
});

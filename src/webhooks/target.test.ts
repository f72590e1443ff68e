import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { WEBHOOK_TARGET } from '../domain/webhooks/target.ts';
import { createFetch } from '../net/fetch.ts';
import { createGuard } from '../net/guard.ts';
import { closedPort, dialLoopback, fixedLookup } from '../net/loopback.fixture.ts';
import { createResolve } from '../net/resolve.ts';
import { checkTarget } from './target.ts';

const OWN = ['https://registry.example', 'https://web.example:8443'];
const LOOKUP = fixedLookup({
  'hooks.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'inside.example': ['10.1.2.3'],
  'mixed.example': ['93.184.216.34', '192.168.0.1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'cloud.example': ['169.254.169.254'],
  'nas.local': ['192.168.0.9'],
});

function open(more: { allow?: string[]; deny?: string[]; lookup?: typeof LOOKUP } = {}) {
  const { lookup = LOOKUP, ...rest } = more;
  return { guard: createGuard({ ownHosts: OWN, resolve: createResolve({ lookup }), ...rest }) };
}

describe('the address of a webhook', () => {
  for (const [url, reason] of [
    ['', 'invalid_url'],
    ['/relative', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://a..b/', 'invalid_url'],
    ['http://hooks.example/', 'not_https'],
    ['ftp://hooks.example/', 'not_https'],
    ['https://user@hooks.example/', 'user_info'],
    ['https://:pass@hooks.example/', 'user_info'],
    ['https://hooks.example:25/', 'port'],
    ['https://hooks.example:0/', 'port'],
    ['https://hooks.example:1023/', 'port'],
    ['https://localhost/', 'internal_host'],
    ['https://localhost./', 'internal_host'],
    ['https://metadata/', 'internal_host'],
    ['https://metadata.google.internal/', 'internal_host'],
    ['https://x.localhost/', 'internal_host'],
    ['https://printer.local/', 'internal_host'],
    ['https://db.internal/', 'internal_host'],
    ['https://nas.home.arpa/', 'internal_host'],
    ['https://x.onion/', 'internal_host'],
    ['https://intranet/', 'internal_host'],
    ['https://registry.example/hook', 'internal_host'],
    ['https://registry.example.:9000/hook', 'internal_host'],
    ['https://web.example/', 'internal_host'],
    ['https://10.0.0.1/', 'private_address'],
    ['https://0x7f.1/', 'private_address'],
    ['https://2130706433/', 'private_address'],
    ['https://[::1]/', 'private_address'],
    ['https://[::ffff:10.0.0.1]/', 'private_address'],
    ['https://[64:ff9b::a00:1]/', 'private_address'],
    ['https://inside.example/', 'private_address'],
    ['https://mixed.example/', 'private_address'],
    ['https://mapped.example/', 'private_address'],
    ['https://cloud.example/', 'private_address'],
    ['https://denied.example/', 'denied_host'],
    ['https://a.denied.example/', 'denied_host'],
  ] as const) {
    it(`${url || '(empty)'} is refused: ${reason}`, async () => {
      assert.deepEqual(await checkTarget(open({ deny: ['denied.example'] }), url), { ok: false, reason });
    });
  }

  for (const [url, stored] of [
    ['https://hooks.example/x?y=1#part', 'https://hooks.example/x?y=1'],
    ['https://hooks.example:1024/', 'https://hooks.example:1024/'],
    ['https://HOOKS.example:65535', 'https://hooks.example:65535/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
  ] as const) {
    it(`${url} is fine`, async () => {
      const check = await checkTarget(open(), url);
      assert.ok(check.ok && 'addresses' in check);
      assert.equal(check.url, stored);
    });
  }

  it('of a name without an address is accepted, and said to be so', async () => {
    const check = await checkTarget(open(), 'https://new.example/hook#x');
    assert.deepEqual(check, { ok: true, url: 'https://new.example/hook', unresolved: 'no address' });
  });

  it('that the operator admits may be private, plain and on any port, but never metadata or the service', async () => {
    const inside = open({ allow: ['inside.example', '192.168.0.0/16', '169.254.0.0/16', 'registry.example'] });
    const verdicts = await Promise.all(
      [
        'http://inside.example:25/',
        'http://nas.local:81/',
        'https://registry.example:9000/',
        'https://registry.example/',
        'https://cloud.example/',
        'https://169.254.169.254/',
        'http://hooks.example/',
      ].map(async (url) => {
        const check = await checkTarget(inside, url);
        return check.ok ? 'fine' : check.reason;
      }),
    );
    assert.deepEqual(verdicts, [
      'fine',
      'fine',
      // Its own name may be admitted; with its own port it stays refused.
      'fine',
      'internal_host',
      'private_address',
      'private_address',
      'not_https',
    ]);
  });

  it('is never one of the inside, whatever the resolver mixes in', async () => {
    const inside = fc.oneof(
      fc.ipV4().filter((ip) => /^(?:10|127|0|169\.254|192\.168|22[4-9]|23\d|24\d|25\d)\./.test(ip)),
      fc.integer({ min: 16, max: 31 }).map((second) => `172.${second}.1.1`),
      fc.constantFrom('::', '::1', 'fc00::1', 'fdff::1', 'fe80::1', 'ff02::1', '2001:db8::1', '2002:a00:1::', '100::1'),
      fc.ipV4().map((ip) => `::ffff:10.${ip.split('.').slice(1).join('.')}`),
    );
    const outside = fc.constantFrom('93.184.216.34', '8.8.8.8', '2606:2800:220:1::1');
    await fc.assert(
      fc.asyncProperty(inside, fc.array(outside), fc.nat(3), async (bad, good, at) => {
        const addresses = [...good.slice(0, at), bad, ...good.slice(at)];
        const check = await checkTarget(
          open({ lookup: fixedLookup({ 'x.example': addresses }) }),
          'https://x.example/',
        );
        assert.deepEqual(check, { ok: false, reason: 'private_address' });
      }),
      { numRuns: 300 },
    );
  });

  it('is dialled only where the lookup of that very attempt led, however the answers change', async () => {
    const dead = await closedPort();
    const publicOnes = ['93.184.216.34', '8.8.8.8', '2606:2800:220:1::1'];
    const insideOnes = [
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '::1',
      'fd00::1',
      '::ffff:192.168.0.1',
    ];
    const answer = fc.uniqueArray(fc.constantFrom(...publicOnes, ...insideOnes), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 6 }), async (answers) => {
        let lookups = -1;
        const lookup: typeof LOOKUP = async (_, family) => {
          if (family === 4) lookups += 1;
          return (answers[lookups] ?? []).filter((ip) => ip.includes(':') === (family === 6));
        };
        const { dial, dialled } = dialLoopback(dead);
        const fetch = createFetch({ userAgent: 'test', lookup, dial, rules: { ...WEBHOOK_TARGET, retry: false } });
        for (const [index, given] of answers.entries()) {
          dialled.length = 0;
          const result = await fetch({ method: 'POST', url: 'https://x.example/', body: '{}' });
          assert.equal(lookups, index, 'one lookup for each attempt');
          const safe = given.every((ip) => publicOnes.includes(ip));
          assert.ok(!result.ok);
          assert.equal(result.failure, safe ? 'unreachable' : 'refused');
          assert.deepEqual(dialled.toSorted(), safe ? given.map((ip) => `${ip} 443`).toSorted() : []);
        }
      }),
      { numRuns: 60 },
    );
  });
});

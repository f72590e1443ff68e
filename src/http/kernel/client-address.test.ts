import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { addressKey } from '../../domain/net/address-key.ts';
import { createAddressReader } from './caller.ts';

const LOCAL = 'http://localhost:8080';
const PUBLIC = 'https://registry.example';

function read(baseUrl: string, socket: string, headers: Record<string, string> = {}, trustedProxies: string[] = []) {
  const request = { socket: { remoteAddress: socket }, headers } as unknown as IncomingMessage;
  return createAddressReader({ baseUrl, trustedProxies })(request);
}

describe('client address', () => {
  it('exempts direct clients of this machine', () => {
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1']) {
      assert.equal(read(LOCAL, address).exempt, true, address);
      assert.equal(read(PUBLIC, address).exempt, false, address);
    }
    assert.equal(read('http://[::1]:80', '::1').exempt, true);
    assert.equal(read(LOCAL, '192.0.2.1').exempt, false);
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-proto']) {
      assert.equal(read(LOCAL, '127.0.0.1', { [header]: 'x' }).exempt, false, header);
    }
  });

  it('reads forwarded hops from trusted proxies only', () => {
    const trusted = ['10.0.0.0/8', '192.0.2.1'];
    const cases: [socket: string, hops: string, ip: string][] = [
      ['192.0.2.1', '203.0.113.5', '203.0.113.5'],
      ['192.0.2.2', '203.0.113.5', '192.0.2.2'],
      ['10.1.2.3', 'spoofed, 203.0.113.5, 10.9.9.9', '203.0.113.5'],
      ['10.1.2.3', 'garbage', '10.1.2.3'],
      ['10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
      ['::ffff:10.1.2.3', '203.0.113.5:4711', '203.0.113.5'],
      ['10.1.2.3', '[2001:db8::1]:443', '2001:db8::1'],
      ['::ffff:a01:203', '203.0.113.5', '203.0.113.5'],
      ['::FFFF:0A01:0203', '::ffff:cb00:7105', '203.0.113.5'],
      ['10.1.2.3', '[::ffff:cb00:7105]:443', '203.0.113.5'],
      ['10.1.2.3', '0:0:0:0:0:ffff:203.0.113.5', '203.0.113.5'],
      ['10.1.2.3', '64:ff9b::cb00:7105', '64:ff9b::cb00:7105'],
    ];
    for (const [socket, hops, ip] of cases) {
      assert.equal(read(PUBLIC, socket, { 'x-forwarded-for': hops }, trusted).ip, ip, `${socket} < ${hops}`);
    }
  });

  it('counts an IPv4 client as one, however its address is spelled', () => {
    for (const spelled of ['203.0.113.5', '::ffff:203.0.113.5', '::ffff:cb00:7105', '0:0:0:0:0:FFFF:CB00:7105']) {
      assert.equal(read(PUBLIC, spelled).key, '203.0.113.5', spelled);
      const behind = read(PUBLIC, spelled, { 'x-forwarded-for': '192.0.2.7' }, ['::ffff:cb00:7105']);
      assert.equal(behind.key, '192.0.2.7', spelled);
    }
  });

  it('refuses a list of proxies that it cannot read', () => {
    for (const entry of ['proxy.example', '10.0.0.0/x', '10.0.0.0/200']) {
      assert.throws(() => read(PUBLIC, '10.0.0.1', {}, [entry]), /REGISTRY_TRUSTED_PROXIES/);
    }
  });

  it('takes an IPv6 network of 64 bits as one client', () => {
    assert.equal(addressKey('2001:db8:1:2:3:4:5:6'), addressKey('2001:0db8:0001:2::9'));
    assert.equal(addressKey('2001:db8::1'), '2001:db8:0:0::/64');
    assert.equal(addressKey('::1'), '0:0:0:0::/64');
    assert.equal(addressKey('64:ff9b::192.0.2.1'), '64:ff9b:0:0::/64');
    assert.notEqual(addressKey('2001:db8:1:2::1'), addressKey('2001:db8:1:3::1'));
    assert.equal(addressKey('fe80::1%eth0'), addressKey('fe80::2'));
    assert.equal(addressKey('203.0.113.5'), '203.0.113.5');
  });
});

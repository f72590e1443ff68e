import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listsAddress, listsDomain, listsName, parseHostList } from './host-list.ts';

function list(...texts: string[]) {
  const parsed = parseHostList(texts);
  assert.deepEqual(parsed.invalid, []);
  return parsed.list;
}

describe('host lists', () => {
  const names: [entry: string, host: string, port: number, listed: boolean][] = [
    ['git.corp', 'git.corp', 443, true],
    ['Git.Corp.', 'git.corp', 80, true],
    ['git.corp:8443', 'git.corp', 8443, true],
    ['git.corp:8443', 'git.corp', 443, false],
    ['git.corp:80', 'git.corp', 80, true],
    ['corp', 'git.corp', 443, false],
    ['bücher.example', 'xn--bcher-kva.example', 443, true],
    ['my_host', 'my_host', 443, true],
  ];
  for (const [entry, host, port, listed] of names) {
    it(`${entry}: ${host}:${port} ${listed ? 'is' : 'is not'} listed`, () =>
      assert.equal(listsName(list(entry), host, port), listed));
  }

  const addresses: [entry: string, ip: string, port: number, listed: boolean][] = [
    ['10.1.0.0/16', '10.1.255.255', 80, true],
    ['10.1.0.0/16', '10.2.0.0', 80, false],
    ['10.1.2.3/16', '10.1.9.9', 80, true],
    ['10.1.0.0/16', '::ffff:10.1.0.1', 80, true],
    ['127.0.0.1', '127.0.0.1', 9000, true],
    ['127.0.0.1:9000', '127.0.0.1', 9000, true],
    ['127.0.0.1:9000', '127.0.0.1', 9001, false],
    ['0x7f.1:9000', '127.0.0.1', 9000, true],
    ['fd12::/16', 'fd12:9::1', 443, true],
    ['fd12::1', 'fd12::1', 443, true],
    ['[fd12::1]', 'fd12::1', 443, true],
    ['[fd12::1]:8443', 'fd12::1', 8443, true],
    ['[fd12::1]:8443', 'fd12::1', 443, false],
    ['0.0.0.0/0', 'fd12::1', 443, false],
  ];
  for (const [entry, ip, port, listed] of addresses) {
    it(`${entry}: ${ip} port ${port} ${listed ? 'is' : 'is not'} listed`, () =>
      assert.equal(listsAddress(list(entry), ip, port), listed));
  }

  it('a domain stands for every name below it', () => {
    const denied = list('evil.example');
    assert.equal(listsDomain(denied, 'evil.example', 443), true);
    assert.equal(listsDomain(denied, 'a.b.evil.example', 443), true);
    assert.equal(listsDomain(denied, 'notevil.example', 443), false);
  });

  it('tells what it cannot read', () => {
    const wrong = [
      '*.corp',
      '.corp',
      'https://git.corp',
      'git.corp:0',
      'git.corp:99999',
      'user@git.corp',
      'git.corp/x',
    ];
    const more = ['10.0.0.0/40', 'a b', '', 'fe80::12345', 'a..b', 'fe80::1%eth0'];
    assert.deepEqual(parseHostList([...wrong, 'git.corp', ...more]).invalid, [...wrong, ...more]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHostList } from './host-list.ts';
import { storedAddressRefusal } from './stored-address.ts';

const { list: none } = parseHostList([]);
const { list: allow } = parseHostList(['10.0.0.0/8', 'wiki.internal', '169.254.0.0/16']);

describe('an address that is stored to be fetched', () => {
  const cases: [string, string | null, string | null][] = [
    ['https://acme.example/log', null, null],
    ['http://8.8.8.8/', null, null],
    ['http://127.0.0.1/', 'private_address', 'private_address'],
    ['http://[::1]/', 'private_address', 'private_address'],
    ['http://[::ffff:10.0.0.1]/', 'private_address', null],
    ['http://0x7f.1/', 'private_address', 'private_address'],
    ['http://10.1.2.3:8080/', 'private_address', null],
    ['http://169.254.169.254/latest', 'private_address', 'private_address'],
    ['http://wiki.internal/', 'internal_host', null],
    ['http://localhost:3000/', 'internal_host', 'internal_host'],
    ['https://user:word@acme.example/', 'user_info', 'user_info'],
    ['javascript:alert(1)', 'invalid_url', 'invalid_url'],
    ['ftp://acme.example/', 'not_http', 'not_http'],
  ];
  for (const [url, plain, admitted] of cases) {
    it(url, () =>
      assert.deepEqual([storedAddressRefusal(url, none), storedAddressRefusal(url, allow)], [plain, admitted]),
    );
  }
});

import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isMetadataAddress, isPublicAddress, parseAddress, parseRange } from './addresses.ts';

// Written out once more, from the specification, so that a slip in the code does not hide in the test.
const DENIED_IPV4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 ' +
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';
const DENIED_IPV6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20 4000::/2 8000::/1';

interface Range {
  text: string;
  family: 4 | 6;
  first: bigint;
  last: bigint;
}

const RANGES: Range[] = `${DENIED_IPV4} ${DENIED_IPV6}`.split(' ').map((text) => {
  const [ip = '', bits] = text.split('/');
  const family = isIP(ip) === 4 ? 4 : 6;
  const first = parseAddress(ip)?.value ?? 0n;
  return { text, family, first, last: first + (1n << BigInt((family === 4 ? 32 : 128) - Number(bits))) - 1n };
});

function ipv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
}

function ipv6(value: bigint): string {
  return Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)).join(
    ':',
  );
}

function write(family: 4 | 6, value: bigint): string {
  return family === 4 ? ipv4(value) : ipv6(value);
}

function embedded(value: bigint): string[] {
  const tail = `${((value >> 16n) & 0xffffn).toString(16)}:${(value & 0xffffn).toString(16)}`;
  return [`::ffff:${ipv4(value)}`, `::ffff:${tail}`, `64:ff9b::${ipv4(value)}`, `64:ff9b::${tail}`];
}

// A second opinion, by plain comparison.
function isDenied(family: 4 | 6, value: bigint): boolean {
  return RANGES.some((range) => range.family === family && value >= range.first && value <= range.last);
}

// Below global unicast; two embedding prefixes in it are judged by the IPv4 address that they hold.
const BELOW_GLOBAL = 0x2000n << 112n;

describe('the deny list', () => {
  for (const { text, family, first, last } of RANGES) {
    it(`${text} is refused to its borders and not beyond`, () => {
      const max = family === 4 ? (1n << 32n) - 1n : (1n << 128n) - 1n;
      assert.equal(isPublicAddress(write(family, first)), false);
      assert.equal(isPublicAddress(write(family, last)), false);
      for (const outside of [first - 1n, last + 1n].filter((value) => value >= 0n && value <= max)) {
        assert.equal(isPublicAddress(write(family, outside)), !isDenied(family, outside), write(family, outside));
      }
    });
  }

  it('holds for every address of every range, also embedded', () => {
    const inRange = fc
      .constantFrom(...RANGES)
      .chain((range) => fc.tuple(fc.constant(range.family), fc.bigInt({ min: range.first, max: range.last })));
    fc.assert(
      fc.property(inRange, ([family, value]) => {
        assert.equal(isPublicAddress(write(family, value)), false);
        if (family === 4) for (const text of embedded(value)) assert.equal(isPublicAddress(text), false, text);
      }),
      { numRuns: 3000 },
    );
  });

  it('leaves every other IPv4 address public, also embedded', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }), (value) => {
        const expected = !isDenied(4, value);
        for (const text of [ipv4(value), ...embedded(value)]) assert.equal(isPublicAddress(text), expected, text);
      }),
      { numRuns: 3000 },
    );
  });

  it('leaves only global unicast of IPv6 public, without its special blocks', () => {
    const any = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
    const global = fc.bigInt({ min: BELOW_GLOBAL, max: (0x4000n << 112n) - 1n });
    fc.assert(
      fc.property(fc.oneof(any, global), (value) => {
        const isGlobal = value >= BELOW_GLOBAL && !isDenied(6, value);
        assert.equal(isPublicAddress(ipv6(value)), isGlobal, ipv6(value));
      }),
      { numRuns: 3000 },
    );
  });

  const notPublic = `:: ::1 ::2 ::7f00:1 ::127.0.0.1 ::8.8.8.8 ::808:808 ::ffff:0:7f00:1 ::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::7f00:1
    64:ff9b:1::1 100::1 100:0:0:1::1 1::1 1fff:ffff::1 2001::1 2001:0:4136:e378::1 2001:1::1 2001:10::1 2001:20::1
    2001:1ff:ffff::1 2001:db8::1 2002::1 2002:7f00:1:: 3fff::1 3fff:fff:ffff::1 4000::1 5f00::1 8000::1 fbff::1 fc00::1
    fd00::1 fdff::1 fe00::1 fe80::1 febf::1 fec0::1 feff::1 ff00::1 ff02::1 ffff::1`;
  for (const ip of notPublic.trim().split(/\s+/)) {
    it(`${ip} is not public`, () => assert.equal(isPublicAddress(ip), false));
  }

  const alsoPublic = `2000::1 2000:ffff::1 2001:200::1 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9::1 2003::1
    2606:4700::1111 2a00:1450::1 3ffe:ffff::1 3fff:1000::1 3fff:ffff:ffff::1 ::ffff:8.8.8.8 64:ff9b::808:808`;
  for (const ip of alsoPublic.trim().split(/\s+/)) {
    it(`${ip} is public`, () => assert.equal(isPublicAddress(ip), true));
  }
});

describe('odd spellings', () => {
  const loopback = ['0x7f.1', '2130706433', '0177.0.0.1', '127.1', '127.0.0.1.', '１２７.0.0.1', '0x7f000001'];
  for (const host of loopback) {
    it(`http://${host}/ is normalised by the URL parser and refused`, () => {
      assert.equal(isPublicAddress(new URL(`http://${host}/`).hostname), false);
    });
  }

  for (const text of [
    '0x7f.1',
    '2130706433',
    '127.1',
    '08.8.8.8',
    ' 8.8.8.8',
    '8.8.8.8 ',
    '',
    'localhost',
    'fe80::1%1',
  ]) {
    it(`"${text}" is no address, so not public`, () => assert.equal(isPublicAddress(text), false));
  }

  for (const text of ['8.8.8.8', '2606:4700::6810:84e5', '2606:4700:0:0:0:0:6810:84e5', '::ffff:8.8.8.8']) {
    it(`${text} is public`, () => assert.equal(isPublicAddress(text), true));
  }
});

describe('metadata addresses', () => {
  const known = [
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    'fd00:ec2::254',
    'fd00:ec2:0::0:254',
  ];
  for (const text of known) it(text, () => assert.equal(isMetadataAddress(text), true));
  for (const text of ['169.254.169.253', 'fd00:ec2::255', '8.8.8.8']) {
    it(`${text} is none`, () => assert.equal(isMetadataAddress(text), false));
  }
});

describe('ranges', () => {
  for (const text of ['10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '::/129', '/8', '10.0.0.0/8/8', 'host/8']) {
    it(`"${text}" is none`, () => assert.equal(parseRange(text), null));
  }
});

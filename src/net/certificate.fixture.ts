// A self-signed certificate for tests, written by hand because the runtime can read certificates but not make them.
import { generateKeyPairSync, sign } from 'node:crypto';

export interface TestCertificate {
  cert: string;
  key: string;
}

export function makeCertificate(names: readonly string[], addresses: readonly string[] = []): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const name = sequence(set(sequence(oid('550403'), der(0x0c, Buffer.from('test')))));
  const validity = sequence(utcTime(Date.now() - 3_600_000), utcTime(Date.now() + 24 * 3_600_000));
  const altNames = [
    ...names.map((text) => der(0x82, Buffer.from(text))),
    ...addresses.map((ip) => der(0x87, Buffer.from(ip.split('.').map(Number)))),
  ];
  const extensions = sequence(
    sequence(oid('551d11'), der(0x04, sequence(...altNames))),
    sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.of(0xff))))),
  );
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = sign('sha256', body, privateKey);
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  return { cert: pem(whole), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts));
const set = (...parts: Buffer[]) => der(0x31, Buffer.concat(parts));
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const integer = (value: number) => der(0x02, Buffer.of(value));

function utcTime(ms: number): Buffer {
  return der(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));
}

function pem(bytes: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

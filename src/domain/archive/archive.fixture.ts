import { gzipSync } from 'node:zlib';
import { BLOCK } from './tar-header.ts';

interface TarEntry {
  name: string;
  body?: Uint8Array | string;
  type?: string;
  // What the header says where that differs from the truth.
  size?: number | string | Uint8Array;
  prefix?: string;
  magic?: string;
  checksum?: number | string | 'signed';
  link?: string;
}

const encoder = new TextEncoder();

// One entry as the installers' own packer writes it: header, bytes, padding.
export function entry(given: TarEntry): Uint8Array {
  const body = bytesOf(given.body ?? '');
  const header = new Uint8Array(BLOCK);
  const put = (at: number, value: string | Uint8Array) => header.set(bytesOf(value), at);
  put(0, bytesOf(given.name).subarray(0, 100));
  put(100, '0000644\0');
  put(124, sizeField(given.size ?? body.length));
  put(136, '00000000000\0');
  put(156, given.type ?? '0');
  put(157, given.link ?? '');
  put(257, given.magic ?? 'ustar\x0000');
  put(345, given.prefix ?? '');
  put(148, '        ');
  put(148, checksumField(given.checksum, header));
  const padded = new Uint8Array(Math.ceil(body.length / BLOCK) * BLOCK);
  padded.set(body);
  return new Uint8Array(Buffer.concat([header, padded]));
}

export function pax(records: Record<string, string>, type = 'x'): Uint8Array {
  return entry({ name: 'PaxHeader', type, body: Object.entries(records).map(paxRecord).join('') });
}

export function paxRecord([key, value]: [string, string]): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = encoder.encode(rest).length;
  let length = bytes + String(bytes).length;
  if (bytes + String(length).length > length) length += 1;
  return `${length}${rest}`;
}

export function longName(name: string): Uint8Array {
  return entry({ name: '././@LongLink', type: 'L', body: `${name}\0` });
}

export function tar(parts: readonly Uint8Array[], ending: Uint8Array = new Uint8Array(2 * BLOCK)): Uint8Array {
  return new Uint8Array(Buffer.concat([...parts, ending]));
}

export function tgz(parts: readonly Uint8Array[], ending?: Uint8Array): Uint8Array {
  return new Uint8Array(gzipSync(tar(parts, ending)));
}

// The archive of a package with these files; names are those below its top folder.
export function packed(files: Readonly<Record<string, Uint8Array | string>>, top = 'package'): Uint8Array {
  return tgz(
    Object.entries(files).flatMap(([path, body]) => {
      const name = `${top}/${path}`;
      return encoder.encode(name).length > 100 ? [pax({ path: name }), entry({ name, body })] : [entry({ name, body })];
    }),
  );
}

function sizeField(size: number | string | Uint8Array): string | Uint8Array {
  return typeof size === 'number' ? `${size.toString(8).padStart(11, '0')}\0` : size;
}

function checksumField(said: TarEntry['checksum'], header: Uint8Array): string {
  if (typeof said === 'string' && said !== 'signed') return said;
  const signed = said === 'signed';
  const sum =
    typeof said === 'number' ? said : header.reduce((all, one) => all + (signed && one > 127 ? one - 256 : one), 0);
  return `${sum.toString(8).padStart(6, '0')}\0 `;
}

function bytesOf(value: Uint8Array | string): Uint8Array {
  return typeof value === 'string' ? encoder.encode(value) : value;
}

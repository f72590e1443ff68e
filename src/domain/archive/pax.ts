import { ArchiveRefused } from './refusal.ts';
import { utf8 } from './tar-header.ts';

// What an extended header changes of the entry behind it.
export interface Extension {
  path?: string;
  size?: number;
  sparse?: boolean;
}

const DAMAGED = 'the extended header of an entry cannot be read';
const SPACE = 0x20;
const EQUALS = 0x3d;
const NEWLINE = 0x0a;

// Records are `<length> <key>=<value>\n`, their length in bytes with everything.
export function readExtension(bytes: Uint8Array): Extension {
  const extension: Extension = {};
  const seen = new Set<string>();
  for (const [key, value] of recordsOf(bytes)) {
    // Of two records with one key some readers take the first, others the last.
    if (seen.has(key)) throw new ArchiveRefused('damaged', DAMAGED);
    seen.add(key);
    if (key === 'path') extension.path = value;
    if (key === 'size') extension.size = sizeOf(value);
    if (key.startsWith('GNU.sparse.')) extension.sparse = true;
  }
  return extension;
}

function* recordsOf(bytes: Uint8Array): Generator<[string, string]> {
  let at = 0;
  while (at < bytes.length && bytes[at] !== 0) {
    const space = bytes.indexOf(SPACE, at);
    const digits = space < 0 || space - at > 8 ? '' : utf8(bytes.subarray(at, space));
    const end = /^[1-9][0-9]*$/.test(digits) ? at + Number(digits) : 0;
    const equals = bytes.indexOf(EQUALS, space);
    if (end > bytes.length || equals < 0 || equals >= end || bytes[end - 1] !== NEWLINE) {
      throw new ArchiveRefused('damaged', DAMAGED);
    }
    yield [utf8(bytes.subarray(space + 1, equals)), utf8(bytes.subarray(equals + 1, end - 1))];
    at = end;
  }
}

function sizeOf(value: string): number {
  if (!/^[0-9]{1,15}$/.test(value)) throw new ArchiveRefused('damaged', DAMAGED);
  return Number(value);
}

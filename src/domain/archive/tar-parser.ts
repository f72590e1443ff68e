import { type ArchiveLimits, EXTRA_HEADER_BYTES, NAME_BYTES } from './limits.ts';
import { ArchiveRefused } from './refusal.ts';
import { BLOCK, isZeroBlock, readHeader, type TarHeader, utf8 } from './tar-header.ts';

export type Wanted = (path: string, size: number) => boolean;

// What the bytes behind a header are for.
type Use = { kind: 'skip' } | { kind: 'file'; path: string } | { kind: 'extra'; type: string };

interface Entry {
  use: Use;
  left: number;
  padding: number;
  pieces: Uint8Array[];
}

const FILE_TYPES = new Set(['0', '7']);
const EXTRA_TYPES = new Set(['x', 'X', 'g', 'L', 'K']);

// Takes a tar archive in pieces of any size and keeps the files that are wanted. Entries that are no files (links, folders,
// devices, kinds nobody knows) are passed over by their size. Of two entries with one path the later counts, as it does for
// whoever unpacks them in order.
export class TarParser {
  readonly files = new Map<string, Uint8Array>();
  entries = 0;
  private readonly wanted: Wanted;
  private readonly limits: ArchiveLimits;
  private readonly isFlat: boolean;
  private readonly block = new Uint8Array(BLOCK);
  private filled = 0;
  private entry: Entry | null = null;
  private extension: Extension = {};
  private zeroBlocks = 0;
  private kept = 0;

  // A flat archive has no folder around everything.
  constructor(wanted: Wanted, limits: ArchiveLimits, isFlat = false) {
    this.wanted = wanted;
    this.limits = limits;
    this.isFlat = isFlat;
  }

  // Two empty blocks end the archive; what follows them is nobody's.
  get ended(): boolean {
    return this.zeroBlocks === 2;
  }

  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && !this.ended) {
      at += this.entry ? this.takeBody(this.entry, bytes.subarray(at)) : this.takeHeader(bytes.subarray(at));
    }
  }

  end(): void {
    if (this.entry || this.block.subarray(0, this.filled).some((byte) => byte !== 0)) {
      throw new ArchiveRefused('truncated', 'the archive ends in the middle of an entry');
    }
    if (this.entries === 0) throw new ArchiveRefused('empty', 'the archive has no entries');
  }

  private takeHeader(bytes: Uint8Array): number {
    const part = bytes.subarray(0, BLOCK - this.filled);
    this.block.set(part, this.filled);
    this.filled += part.length;
    if (this.filled < BLOCK) return part.length;
    this.filled = 0;
    if (isZeroBlock(this.block)) {
      this.zeroBlocks += 1;
      return part.length;
    }
    this.zeroBlocks = 0;
    this.entries += 1;
    if (this.entries > this.limits.entries) {
      throw new ArchiveRefused('too_many_entries', `the archive has more than ${this.limits.entries} entries`);
    }
    this.begin(readHeader(this.block));
    return part.length;
  }

  private begin(header: TarHeader): void {
    const size = this.sizeOf(header);
    if (size > this.limits.unpacked) throw new ArchiveRefused('too_large', 'an entry is larger than an archive may be');
    const entry = { use: this.useOf(header, size), left: size, padding: (BLOCK - (size % BLOCK)) % BLOCK, pieces: [] };
    if (size === 0) this.finish(entry);
    else this.entry = entry;
  }

  private sizeOf({ type, size }: TarHeader): number {
    // A folder has no bytes, whatever its header says of the size of its contents.
    if (type === '5') return 0;
    return EXTRA_TYPES.has(type) ? size : (this.extension.size ?? size);
  }

  private useOf({ name, type }: TarHeader, size: number): Use {
    if (EXTRA_TYPES.has(type)) {
      if (size > EXTRA_HEADER_BYTES) throw new ArchiveRefused('header_too_large', 'an extended header is too large');
      return { kind: 'extra', type };
    }
    const full = this.extension.path ?? name;
    if (type === 'S' || this.extension.sparse) throw new ArchiveRefused('sparse', 'the archive holds a sparse file');
    this.extension = {};
    if (Buffer.byteLength(full) > NAME_BYTES)
      throw new ArchiveRefused('name_too_long', 'the name of an entry is too long');
    // The old form knows no folders and writes them as files with a slash at the end.
    const path = FILE_TYPES.has(type) && !full.endsWith('/') ? memberPath(full, this.isFlat) : null;
    if (path === null || !this.wanted(path, size)) return { kind: 'skip' };
    this.kept += size - (this.files.get(path)?.length ?? 0);
    if (this.kept > this.limits.kept) throw new ArchiveRefused('too_large', 'the files to be read are too large');
    return { kind: 'file', path };
  }

  private takeBody(entry: Entry, bytes: Uint8Array): number {
    if (entry.left > 0) {
      const piece = bytes.subarray(0, entry.left);
      entry.left -= piece.length;
      // A copy, because a piece would hold on to the whole buffer that it lies in.
      if (entry.use.kind !== 'skip') entry.pieces.push(piece.slice());
      if (entry.left === 0 && entry.padding === 0) this.finish(entry);
      return piece.length;
    }
    const taken = Math.min(entry.padding, bytes.length);
    entry.padding -= taken;
    if (entry.padding === 0) this.finish(entry);
    return taken;
  }

  private finish({ use, pieces }: Entry): void {
    this.entry = null;
    if (use.kind === 'file') this.files.set(use.path, joined(pieces));
    if (use.kind === 'extra') this.extend(use.type, joined(pieces));
  }

  // Several of them add up for the next entry. `K` and the attributes of all entries (`g`) say nothing that is used here,
  // but a size or a place for all entries would change what every other reader sees.
  private extend(type: string, bytes: Uint8Array): void {
    if (type === 'K') return;
    if (type === 'L') {
      const end = bytes.indexOf(0);
      this.extension.path = utf8(end < 0 ? bytes : bytes.subarray(0, end));
      return;
    }
    const read = readExtension(bytes);
    if (type !== 'g') Object.assign(this.extension, read);
    else if (read.size !== undefined || read.sparse || read.path !== undefined) {
      throw new ArchiveRefused('damaged', 'an extended header changes the name or size of all entries');
    }
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only ? only : new Uint8Array(Buffer.concat(pieces));
}

// The path of an entry below the folder that every package has at its top (`package/`, `name-1.0/`); null for what lies
// nowhere inside of it. Names are only ever keys of a map, but a caller may compare or show them, so none leaves the archive.
function memberPath(name: string, isFlat: boolean): string | null {
  if (/[\0\\]/.test(name) || name.startsWith('/') || /^[A-Za-z]:/.test(name)) return null;
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.');
  const skipped = isFlat ? 0 : 1;
  if (segments.includes('..') || segments.length <= skipped) return null;
  return segments.slice(skipped).join('/');
}

// What an extended header changes of the entry behind it.
interface Extension {
  path?: string;
  size?: number;
  sparse?: boolean;
}

const DAMAGED = 'the extended header of an entry cannot be read';
const SPACE = 0x20;
const EQUALS = 0x3d;
const NEWLINE = 0x0a;

// Records are `<length> <key>=<value>\n`, their length in bytes with everything.
function readExtension(bytes: Uint8Array): Extension {
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

// Zip archives made by hand, also such as no program would write.
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipMember {
  name: string;
  body?: string | Uint8Array;
  // What the list says instead of the truth.
  listed?: Partial<
    Record<'name' | 'size' | 'packed' | 'at' | 'checksum' | 'flags' | 'method' | 'mode', number | string>
  >;
}

export function zip(members: readonly ZipMember[], { count = members.length, comment = '' } = {}): Uint8Array {
  const locals: Buffer[] = [];
  const listed: Buffer[] = [];
  let at = 0;
  for (const { name, body = '', listed: said = {} } of members) {
    const content = Buffer.from(body);
    const packed = deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(crc32(content), 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(content.length, 22);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    locals.push(local, Buffer.from(name), packed);
    const told = {
      name,
      size: content.length,
      packed: packed.length,
      at,
      checksum: crc32(content),
      flags: 0,
      method: 8,
      mode: 0o100644,
      ...said,
    };
    const line = Buffer.alloc(46);
    line.writeUInt32LE(0x02014b50, 0);
    line.writeUInt16LE(Number(told.flags), 8);
    line.writeUInt16LE(Number(told.method), 10);
    line.writeUInt32LE(Number(told.checksum), 16);
    line.writeUInt32LE(Number(told.packed), 20);
    line.writeUInt32LE(Number(told.size), 24);
    line.writeUInt16LE(Buffer.byteLength(String(told.name)), 28);
    line.writeUInt32LE((Number(told.mode) << 16) >>> 0, 38);
    line.writeUInt32LE(Number(told.at), 42);
    listed.push(line, Buffer.from(String(told.name)));
    at += 30 + Buffer.byteLength(name) + packed.length;
  }
  const list = Buffer.concat(listed);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  return new Uint8Array(Buffer.concat([...locals, list, end, Buffer.from(comment)]));
}

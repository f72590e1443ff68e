// Zip archives as they are written, and as hostile ones say they were.
import { crc32, deflateRawSync } from 'node:zlib';

interface ZipMember {
  name: string;
  body: string | Uint8Array;
  // What the directory says where that differs from the truth.
  size?: number;
  sum?: number;
  flags?: number;
  method?: number;
  place?: number;
}

// `isLong`: with the second end that archives of many entries have.
export function zipped(members: readonly ZipMember[], { isLong = false, count = members.length } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, body, ...said } of members) {
    const plain = Buffer.from(body);
    const content = (said.method ?? 8) === 8 ? deflateRawSync(plain) : plain;
    const path = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(path.length, 26);
    const member = Buffer.alloc(46);
    member.writeUInt32LE(0x02014b50, 0);
    member.writeUInt16LE(said.flags ?? 0, 8);
    member.writeUInt16LE(said.method ?? 8, 10);
    member.writeUInt32LE(said.sum ?? crc32(plain), 16);
    member.writeUInt32LE(content.length, 20);
    member.writeUInt32LE(said.size ?? plain.length, 24);
    member.writeUInt16LE(path.length, 28);
    member.writeUInt32LE(said.place ?? at, 42);
    parts.push(local, path, content);
    directory.push(member, path);
    at += local.length + path.length + content.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(isLong ? 0xffff : count, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(isLong ? 0xffffffff : at, 16);
  return Buffer.concat([...parts, listed, ...(isLong ? longEnd(count, at, at + listed.length) : []), end]);
}

function longEnd(count: number, start: number, here: number): Buffer[] {
  const end = Buffer.alloc(56);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(start), 48);
  const place = Buffer.alloc(20);
  place.writeUInt32LE(0x07064b50, 0);
  place.writeBigUInt64LE(BigInt(here), 8);
  return [end, place];
}

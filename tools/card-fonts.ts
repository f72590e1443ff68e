// Makes the fonts of the cards for link previews (src/web/cards/fonts) of the WOFF files that their package brings: what draws
// the cards reads plain font files alone. Run it by hand when the package changes.
import { readFileSync, writeFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';

const SIGNATURE = 0x774f4646;
const HEADER = 44;
const ENTRY = 20;
const MAX_SIZE = 4_000_000;

function plainFont(woff: Uint8Array): Uint8Array {
  const read = new DataView(woff.buffer, woff.byteOffset, woff.byteLength);
  if (woff.byteLength < HEADER || read.getUint32(0) !== SIGNATURE) throw new Error('this is no WOFF file');
  const count = read.getUint16(12);
  const tables = Array.from({ length: count }, (_, index) => {
    const at = HEADER + index * ENTRY;
    const [offset, packed, length] = [read.getUint32(at + 4), read.getUint32(at + 8), read.getUint32(at + 12)];
    const bytes = woff.subarray(offset, offset + packed);
    const table = packed < length ? inflateSync(bytes, { maxOutputLength: MAX_SIZE }) : bytes;
    return { tag: read.getUint32(at), checksum: read.getUint32(at + 16), table };
  });
  const size = tables.reduce((sum, { table }) => sum + padded(table.length), 12 + 16 * count);
  const font = new Uint8Array(size);
  const write = new DataView(font.buffer);
  const power = Math.floor(Math.log2(count));
  write.setUint32(0, read.getUint32(4));
  write.setUint16(4, count);
  write.setUint16(6, 16 * 2 ** power);
  write.setUint16(8, power);
  write.setUint16(10, 16 * (count - 2 ** power));
  let place = 12 + 16 * count;
  for (const [index, { tag, checksum, table }] of tables.entries()) {
    const at = 12 + 16 * index;
    write.setUint32(at, tag);
    write.setUint32(at + 4, checksum);
    write.setUint32(at + 8, place);
    write.setUint32(at + 12, table.length);
    font.set(table, place);
    place += padded(table.length);
  }
  return font;
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}

for (const weight of ['400', '600']) {
  const name = `ibm-plex-mono-latin-${weight}-normal`;
  const woff = readFileSync(new URL(`../node_modules/@fontsource/ibm-plex-mono/files/${name}.woff`, import.meta.url));
  writeFileSync(new URL(`../src/web/cards/fonts/${name}.ttf`, import.meta.url), plainFont(woff));
}

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { imageExtension } from './image-type.ts';

const rows: [name: string, start: string, extension: string | null][] = [
  ['PNG', '\x89PNG\r\n\x1a\n....', 'png'],
  ['JPEG', '\xff\xd8\xff\xe0....', 'jpg'],
  ['GIF', 'GIF89a....', 'gif'],
  ['WebP', 'RIFF\x01\x02\x03\x04WEBPVP8 ', 'webp'],
  ['AVIF', '\0\0\0\x1cftypavif....', 'avif'],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg">', null],
  ['a page that calls itself an image', '<!doctype html>', null],
  ['RIFF of another kind', 'RIFF\x01\x02\x03\x04WAVE', null],
  ['nothing', '', null],
];
for (const [name, start, extension] of rows) {
  it(`${name}: ${extension ?? 'no known image'}`, () => {
    assert.equal(imageExtension(Buffer.from(start, 'latin1')), extension);
  });
}

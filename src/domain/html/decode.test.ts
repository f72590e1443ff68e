import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeText } from './decode.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const wide = (text: string, mark: boolean) => Uint8Array.from(Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le'));

describe('bytes as text', () => {
  const rows: [name: string, bytes: Uint8Array, contentType: string | undefined, expected: string][] = [
    ['UTF-8 without a word', utf8('é “x” 😀'), undefined, 'é “x” 😀'],
    ['the mark wins over the header', utf8('\ufeffé'), 'text/xml; charset=iso-8859-1', 'é'],
    ['UTF-16 with a mark', wide('<é/>', true), 'text/xml; charset=utf-8', '<é/>'],
    ['UTF-16 without one', wide('<?xml version="1.0"?><é/>', false), undefined, '<?xml version="1.0"?><é/>'],
    [
      'the header wins over the declaration',
      latin('<?xml version="1.0" encoding="utf-8"?>é'),
      'text/xml; charset="ISO-8859-1"',
      '<?xml version="1.0" encoding="utf-8"?>é',
    ],
    [
      'the declaration',
      latin('<?xml version="1.0" encoding="ISO-8859-1"?>é'),
      'text/xml',
      '<?xml version="1.0" encoding="ISO-8859-1"?>é',
    ],
    [
      'a declaration of another script',
      Uint8Array.of(...utf8('<?xml version="1.0" encoding="koi8-r"?>'), 0xd4),
      undefined,
      '<?xml version="1.0" encoding="koi8-r"?>т',
    ],
    [
      'the meta tag of a page',
      latin('<html><meta charset="windows-1252">\x93é\x94'),
      'text/html',
      '<html><meta charset="windows-1252">“é”',
    ],
    [
      'a label nobody knows',
      utf8('<?xml version="1.0" encoding="utf8-mb4"?>é'),
      'text/xml; charset=wtf',
      '<?xml version="1.0" encoding="utf8-mb4"?>é',
    ],
    ['ASCII says nothing', utf8('é'), 'text/xml; charset=us-ascii', 'é'],
    [
      'a readable declaration is not UTF-16',
      utf8('<?xml version="1.0" encoding="utf-16"?>é'),
      undefined,
      '<?xml version="1.0" encoding="utf-16"?>é',
    ],
    ['no UTF-8: Windows-1252', latin('caf\xe9 \x93x\x94 \x80'), undefined, 'café “x” €'],
    ['stray bytes in UTF-8', Uint8Array.of(...utf8('é'), 0x92, ...utf8('😀')), 'text/xml; charset=utf-8', 'é’😀'],
    [
      'overlong and broken forms',
      Uint8Array.of(0xc0, 0x80, 0x61, 0xed, 0xa0, 0x80, 0xe2, 0x82),
      undefined,
      'À€aí\u00a0€â‚',
    ],
    ['nothing', new Uint8Array(), undefined, ''],
  ];
  for (const [name, bytes, contentType, expected] of rows) {
    it(name, () => assert.equal(decodeText(bytes, { contentType }), expected));
  }
});

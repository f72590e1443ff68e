// Decodes the bytes of a document by its byte order mark, else by the HTTP header, else by its own declaration, else as
// UTF-8.

interface DecodeOptions {
  // The `Content-Type` header.
  contentType?: string | null;
}

const CHARSET = /charset\s{0,3}=\s{0,3}["']?(?<label>[\w.:-]{1,40})/i;
const XML_DECLARATION = /^\s{0,100}<\?xml\s[^>]{0,300}?encoding\s{0,3}=\s{0,3}["'](?<label>[\w.:-]{1,40})["']/;
const HTML_META = /<meta\s[^>]{0,300}?charset\s{0,3}=\s{0,3}["']?(?<label>[\w.:-]{1,40})/i;
const DECLARATION_BYTES = 1024;
// Labels that are ignored. A document that calls itself ASCII may hold other bytes, and a declaration that could be read as
// single bytes is not UTF-16.
const ASCII = /^(?:us-?ascii|ascii|ansi_x3\.4-1968|iso646-us)$/i;
const UTF16_OR_32 = /^(?:utf-?16|ucs-?2|iso-10646-ucs-2|unicode|utf-?32)/i;
// The upper half of Windows-1252, encoded in UTF-8.
const WINDOWS = Array.from({ length: 128 }, (_, index) =>
  new TextEncoder().encode(new TextDecoder('windows-1252').decode(Uint8Array.of(0x80 + index))),
);

export function decodeText(bytes: Uint8Array, { contentType }: DecodeOptions = {}): string {
  const text = byByteOrder(bytes);
  if (text !== null) return text;
  const stated = decoderOf(CHARSET.exec(contentType ?? '')?.groups?.label, true);
  if (stated) return read(stated, bytes);
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  const label = (XML_DECLARATION.exec(head) ?? HTML_META.exec(head))?.groups?.label;
  const declared = decoderOf(label, false);
  return declared ? read(declared, bytes) : utf8OrWindows(bytes);
}

function byByteOrder(bytes: Uint8Array): string | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return utf8OrWindows(bytes.subarray(3));
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // UTF-16 without a byte order mark: `<` and a zero, or a zero and `<`.
  if (first === 0x3c && second === 0 && fourth === 0) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0 && second === 0x3c && third === 0) return new TextDecoder('utf-16be').decode(bytes);
  return null;
}

function decoderOf(label: string | undefined, mayBeUtf16: boolean): TextDecoder | null {
  if (label === undefined || ASCII.test(label) || (!mayBeUtf16 && UTF16_OR_32.test(label))) return null;
  try {
    return new TextDecoder(label);
  } catch {
    // An unknown label is ignored.
    return null;
  }
}

function read(decoder: TextDecoder, bytes: Uint8Array): string {
  return decoder.encoding === 'utf-8' ? utf8OrWindows(bytes) : decoder.decode(bytes);
}

// UTF-8 in which invalid bytes are read as Windows-1252, because some sites paste texts of both encodings together.
function utf8OrWindows(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return mixedText(bytes);
  }
}

// Invalid bytes are replaced by their UTF-8 first, so that the whole is decoded at once.
function mixedText(bytes: Uint8Array): string {
  const clean = new Uint8Array(bytes.length * 3);
  let size = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) {
      clean[size++] = byte;
      at += 1;
      continue;
    }
    const length = sequenceLength(bytes, at);
    const character = length === 0 ? WINDOWS[byte - 0x80] : undefined;
    const piece = character ?? bytes.subarray(at, at + length);
    clean.set(piece, size);
    size += piece.length;
    at += Math.max(1, length);
  }
  return new TextDecoder('utf-8').decode(clean.subarray(0, size));
}

// The length in bytes of the valid non-ASCII UTF-8 character at a position, 0 when there is none.
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead >= 0xc2 && lead <= 0xdf ? 2 : (lead & 0xf0) === 0xe0 ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
  for (let next = 1; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1] ?? 0;
  // Overlong forms, surrogates and code points beyond Unicode are invalid.
  if ((lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f)) return 0;
  if ((lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f)) return 0;
  return length;
}

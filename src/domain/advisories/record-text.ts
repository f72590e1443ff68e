// The text of one record of the OSV format, as it comes from strangers.
import { type Advisory, readOsvRecord } from './osv-record.ts';

export const MAX_RECORD_BYTES = 1_000_000;
const DEEPEST = 64;

// `elsewhere`: of other ecosystems alone. Null for what cannot be read.
export function readRecordText(bytes: Uint8Array): Advisory | 'elsewhere' | null {
  if (bytes.length > MAX_RECORD_BYTES || nestsTooDeeply(bytes)) return null;
  try {
    return readOsvRecord(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

const [QUOTE, BACKSLASH, SQUARE, SQUARE_END, BRACE, BRACE_END] = Buffer.from('"\\[]{}') as unknown as number[];

// Brackets outside of strings, in one pass.
function nestsTooDeeply(bytes: Uint8Array): boolean {
  let [depth, isString] = [0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isString = false;
    } else if (byte === QUOTE) isString = true;
    else if (byte === BRACE || byte === SQUARE) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (byte === BRACE_END || byte === SQUARE_END) depth -= 1;
  }
  return false;
}

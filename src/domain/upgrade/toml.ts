// Parses untrusted TOML.
import { parse } from 'smol-toml';

// The document, or null when any part of the text is no TOML: half of a document must not pass for the whole.
export function parseToml(text: string): Record<string, unknown> | null {
  try {
    return parseWhole(text);
  } catch {
    return null;
  }
}

// Why a text is no TOML; null when it is.
export function tomlErrorOf(text: string): unknown {
  try {
    parseWhole(text);
    return null;
  } catch (error) {
    return error;
  }
}

function parseWhole(text: string): Record<string, unknown> {
  return parse(text.replace(/^\ufeff/, ''), { integersAsBigInt: 'asNeeded' });
}

// Parses untrusted TOML.
import { parse } from 'smol-toml';

// The document, or null when any part of the text is no TOML: half of a document must not pass for the whole.
export function parseToml(text: string): Record<string, unknown> | null {
  try {
    return parse(text.replace(/^\ufeff/, ''), { integersAsBigInt: 'asNeeded' });
  } catch {
    return null;
  }
}

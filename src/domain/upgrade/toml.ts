// Parses TOML documents of strangers.
import { parse } from 'smol-toml';

// Null for a text that is no TOML: half of a document must not pass for the whole of it.
export function parseToml(text: string): Record<string, unknown> | null {
  try {
    return parse(text.replace(/^\ufeff/, ''), { integersAsBigInt: 'asNeeded' });
  } catch {
    return null;
  }
}

// Single settings of YAML files, as far as cooldowns need them: a plain value, or a list of plain values, at the left edge. What has
// another form stays the text that stands there, so that a reader of the value finds no sense in it and can say so.
import { linesOf } from '../upgrade/lockfiles/block-lines.ts';

const MAX_ITEMS = 5_000;

// The last of several lines with a key counts.
export function readFlatSettings(text: string, keys: readonly string[]): Record<string, string | string[] | null> {
  const found: Record<string, string | string[] | null> = {};
  let list: string[] | null = null;
  for (const line of linesOf(text.replace(/^\ufeff/, ''))) {
    const item = /^\s*-\s+(.*)$/.exec(line)?.[1];
    if (item !== undefined && list) {
      if (list.length < MAX_ITEMS) list.push(plainValue(item));
      continue;
    }
    const isBlank = /^\s*(?:#|$)/.test(line);
    if (isBlank) continue;
    list = null;
    const [, key, rest = ''] = /^["']?([A-Za-z]+)["']?\s*:(?:\s+(.*))?$/.exec(line) ?? [];
    if (key === undefined || !keys.includes(key)) continue;
    const value = plainValue(rest);
    if (value === '') {
      list = [];
      found[key] = list;
    } else found[key] = flowItems(value) ?? (value === 'null' || value === '~' ? null : value);
  }
  return found;
}

// Without quotes, and without a comment behind it.
function plainValue(text: string): string {
  const [, quoted] = /^(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?$/.exec(text)?.filter((one) => one !== undefined) ?? [];
  return quoted ?? text.replace(/(?:^|\s)#.*$/, '').trim();
}

function flowItems(value: string): string[] | null {
  if (!value.startsWith('[') || !value.endsWith(']')) return null;
  return value
    .slice(1, -1)
    .split(',')
    .slice(0, MAX_ITEMS)
    .map((one) => plainValue(one.trim()))
    .filter(Boolean);
}

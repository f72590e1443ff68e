// Columns that an export leaves out because they are computed from others.
import { LOCATOR_KEYS } from '../../contract/manifest.ts';
import { foldName } from '../../domain/clean-text.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import { locatorKey } from '../orgs/locations.ts';
import type { RecordData } from './record-children.ts';
import type { RecordName } from './record-types.ts';

export function derivedColumns(name: RecordName, data: RecordData): Record<string, unknown> {
  const url = String(data.url);
  switch (name) {
    case 'source':
      return { name_key: foldName(String(data.name)), url_key: normalizeUrl(url) ?? url };
    case 'tag':
    case 'org':
    case 'product':
    case 'collection':
      return { name_key: foldName(String(data.name)) };
    case 'location':
      return { match_key: locationKey(data) };
    default:
      return {};
  }
}

export function locationKey(data: RecordData): string {
  return locatorKey(Object.fromEntries(LOCATOR_KEYS.flatMap((key) => (data[key] === null ? [] : [[key, data[key]]]))));
}

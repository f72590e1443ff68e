// Which app of which store front a source is about.

import type { AppPlatform } from '../../../contract/enums.ts';
import type { SourceRow } from '../../../store/schema/sources.ts';

export interface AppIdentity {
  id: string;
  platform: AppPlatform;
  // Two letters, lower case.
  storefront: string;
}

const STORE_ADDRESS =
  /^https?:\/\/(?:apps|itunes)\.apple\.com\/(?:(?<front>[a-z]{2})\/)?(?:[^?#]*\/)?id(?<id>\d{1,20})(?=[/?#]|$)/i;
const DEFAULT_STOREFRONT = 'us';

// Digits, or an address of the store with `/id<digits>` in it.
export function readAppAddress(text: string): { id: string; storefront: string | null } | null {
  const plain = text.trim();
  if (/^\d{1,20}$/.test(plain)) return { id: plain, storefront: null };
  const groups = STORE_ADDRESS.exec(plain)?.groups;
  return groups?.id ? { id: groups.id, storefront: groups.front?.toLowerCase() ?? null } : null;
}

type AppSource = Pick<SourceRow, 'app_id' | 'app_platform' | 'app_storefront' | 'url'>;

export function identifyApp(source: AppSource): AppIdentity | null {
  const address = readAppAddress(source.url);
  const id = source.app_id ?? address?.id ?? null;
  if (id === null) return null;
  return {
    id,
    platform: source.app_platform === 'macos' ? 'macos' : 'ios',
    storefront: source.app_storefront ?? address?.storefront ?? DEFAULT_STOREFRONT,
  };
}

export function lookupAddress(base: string, { id, platform, storefront }: AppIdentity): string {
  const entity = platform === 'macos' ? '&entity=macSoftware' : '';
  return `${base.replace(/\/+$/, '')}/lookup?id=${id}&country=${storefront}${entity}`;
}

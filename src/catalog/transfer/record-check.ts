// What a record must keep to besides the schemas of its fields: addresses that may be fetched, dates that have come, and
// names that no other record of the file has.
import type { Context } from '../../context.ts';
import { parseHostList } from '../../domain/net/host-list.ts';
import { storedAddressRefusal } from '../../domain/net/stored-address.ts';
import { isRecord } from '../../domain/records.ts';
import type { RecordData } from './record-children.ts';
import { keyOf, RECORD_TYPES, type RecordName } from './record-types.ts';

// Gives the fault of a record, or null. It remembers names, so each reading of a file needs a check of its own.
export type RecordCheck = (line: number, name: RecordName, data: RecordData) => string | null;

const AHEAD_MS = 2 * 86_400_000;

export function createRecordCheck({ config, clock }: Pick<Context, 'config' | 'clock'>): RecordCheck {
  const { list: allow } = parseHostList(config.egress.allow);
  const own = URL.parse(config.webUrl)?.origin;
  const latest = new Date(clock().getTime() + AHEAD_MS).toISOString();
  const lines = new Map<string, number>();

  const addressFault = (url: string, isPaused: boolean): string | null => {
    const refusal = storedAddressRefusal(url, allow);
    if (refusal === null || URL.parse(url)?.origin === own) return null;
    // A source that an import has made of a file has its page in the registry, which may have an internal name.
    if (refusal === 'internal_host' && isPaused) return null;
    return `must not lead to ${url.slice(0, 100)} (${refusal})`;
  };

  return (line, name, data) => {
    for (const field of ADDRESSES[name] ?? []) {
      const value = field === 'markdownUrl' && isRecord(data.settings) ? data.settings.markdownUrl : data[field];
      const fault = typeof value === 'string' ? addressFault(value, data.fetchPriority === 'paused') : null;
      if (fault) return `${field} ${fault}`;
    }
    const fault = FAULTS[name]?.(data, latest);
    if (fault) return fault;
    for (const claim of claimsOf(name, data)) {
      const other = lines.get(claim);
      if (other !== undefined) return `claims the same ${claim.split(' ', 1)[0]} as line ${other}`;
      lines.set(claim, line);
    }
    return null;
  };
}

// Fields whose address this program fetches.
const ADDRESSES: Partial<Record<RecordName, readonly string[]>> = {
  source: ['url', 'feedUrl', 'changelogUrl', 'videoFeed', 'appIconUrl', 'markdownUrl'],
  location: ['url', 'feed', 'appstore', 'file'],
  changelogFile: ['rawUrl'],
};

const FAULTS: Partial<Record<RecordName, (data: RecordData, latest: string) => string | null>> = {
  release({ title, version, publishedAt, fetchedAt, feedAt }, latest) {
    if (!title && !version) return 'title or version is required';
    for (const [field, time] of Object.entries({ publishedAt, fetchedAt })) {
      if (typeof time === 'string' && time > latest) return `${field} lies in the future`;
    }
    return feedAt === '' || feedAt === publishedAt || feedAt === fetchedAt ? null : 'feedAt is no time of the release';
  },
  coverage: ({ coverageId, canonicalId }) => (coverageId === canonicalId ? 'covers itself' : null),
  collection({ members = [] }) {
    return members.every(({ orgId, productId }) => (orgId === null) !== (productId === null))
      ? null
      : 'members must be an org or a product each';
  },
  summary({ type, year, month, windowDays }) {
    const isMonth = Number(month) >= 1 && Number(month) <= 12 && Number(year) >= 1970 && Number(year) <= 9999;
    return type === 'monthly' ? (isMonth ? null : 'has no month') : Number(windowDays) > 0 ? null : 'has no window';
  },
};

// Names that one entity alone can have. Releases are too many to remember; the database tells.
function claimsOf(name: RecordName, data: RecordData): string[] {
  if (name === 'release') return [];
  const { slug, orgId, accounts = [] } = data;
  const claims = [`id ${keyOf(RECORD_TYPES[name], data)}`];
  if (name === 'org') {
    claims.push(`slug org ${slug}`);
    if (data.domain) claims.push(`domain ${data.domain}`);
    claims.push(...accounts.map(({ platform, handle }) => `account ${platform} ${handle}`));
  }
  if (name === 'org' || name === 'product') {
    claims.push(...(data.aliases ?? []).map(({ domain }) => `alias ${domain}`));
  }
  if (name === 'product' || name === 'source') claims.push(`slug ${name} ${orgId} ${slug}`);
  if (name === 'collection') claims.push(`slug collection ${slug}`);
  if (name === 'package') claims.push(`package ${data.ecosystem} ${data.name}`);
  return claims;
}

// Reads an export file: as lines with constant memory, compressed or not, and checked against its manifest.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { parseHostList } from '../../domain/net/host-list.ts';
import { storedAddressRefusal } from '../../domain/net/stored-address.ts';
import { isRecord } from '../../domain/records.ts';
import { type FileLine, LineFileError, linesOf, parseLine } from '../../store/line-file.ts';
import { type ExportManifest, FORMAT } from './export-records.ts';
import { listingFault } from './listing-records.ts';
import type { RecordData } from './record-children.ts';
import { keyOf, RECORD_NAMES, RECORD_SCHEMAS, RECORD_TYPES, type RecordName } from './record-types.ts';

export interface FileRecord {
  // The number of the line, from 1.
  line: number;
  name: RecordName;
  data: RecordData;
  // Why the record is not valid; its data are unchecked then.
  fault?: string;
}

const KNOWN: ReadonlySet<string> = new Set(RECORD_NAMES);
const isRecordName = (name: string): name is RecordName => KNOWN.has(name);

interface Verification {
  check: RecordCheck;
  signal?: AbortSignal | undefined;
  onFault: (record: FileRecord) => void;
}

// Reads the whole file once: every record must be valid, and the manifest at the end must match.
export async function verifyExport(path: string, { check, signal, onFault }: Verification) {
  const hash = createHash('sha256');
  const counts: Record<string, number> = Object.fromEntries(RECORD_NAMES.map((name) => [name, 0]));
  let records = 0;
  let manifest: ExportManifest | null = null;
  for await (const one of linesOf(path)) {
    const { line } = one;
    signal?.throwIfAborted();
    if (manifest) throw new LineFileError(`line ${line}: there is something behind the manifest`);
    const { type, data } = typed(one);
    if (type === 'manifest') {
      manifest = readManifest(line, data);
      continue;
    }
    const record = readRecord(line, { type, data, check });
    if (record.fault !== undefined) onFault(record);
    hash.update(one.bytes).update('\n');
    counts[record.name] = (counts[record.name] ?? 0) + 1;
    records += 1;
  }
  if (!manifest) throw new LineFileError('the file ends without a manifest; it is no export, or was cut off');
  const sha256 = hash.digest('hex');
  const isWhole = manifest.sha256 === sha256 && manifest.records === records;
  if (!isWhole || Object.entries(counts).some(([name, count]) => (manifest.counts[name] ?? 0) !== count)) {
    throw new LineFileError('the manifest does not match what the file holds; it was changed or damaged');
  }
  return manifest;
}

// The records of a verified file.
export async function* exportedRecords(path: string, check: RecordCheck): AsyncIterable<FileRecord> {
  for await (const one of linesOf(path)) {
    const { type, data } = typed(one);
    if (type === 'manifest') return;
    yield readRecord(one.line, { type, data, check });
  }
}

function typed(line: FileLine): { type: string; data: unknown } {
  const value = parseLine(line);
  if (isRecord(value) && typeof value.type === 'string') return { type: value.type, data: value.data };
  throw new LineFileError(`line ${line.line} is no record of an export`);
}

const manifestData = z.object({
  format: z.literal(FORMAT),
  org: z.string().nullable(),
  since: z.string().nullable(),
  counts: z.record(z.string(), z.number()),
  records: z.number(),
  sha256: z.string(),
});

function readManifest(line: number, data: unknown): ExportManifest {
  if (isRecord(data) && isRecord(data.counts) && data.format !== FORMAT) {
    throw new LineFileError(`the file has format ${String(data.format)}, this program reads format ${FORMAT}`);
  }
  const checked = manifestData.safeParse(data);
  if (!checked.success) throw new LineFileError(`line ${line}: the manifest cannot be read`);
  return checked.data;
}

function readRecord(
  line: number,
  { type, data, check }: { type: string; data: unknown; check: RecordCheck },
): FileRecord {
  if (!isRecordName(type)) throw new LineFileError(`line ${line}: there is no record type "${type.slice(0, 40)}"`);
  const checked = RECORD_SCHEMAS[type].safeParse(data);
  if (checked.success) {
    const fault = check(line, type, checked.data);
    return { line, name: type, data: checked.data, ...(fault === null ? {} : { fault }) };
  }
  const [issue] = checked.error.issues;
  const fault = `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not valid'}`;
  return { line, name: type, data: isRecord(data) ? data : {}, fault };
}

// What a record must keep to besides the schemas of its fields: addresses that may be fetched, dates that have come, and
// names that no other record of the file has.

// Gives the fault of a record, or null. It remembers names, so each reading of a file needs a check of its own.
type RecordCheck = (line: number, name: RecordName, data: RecordData) => string | null;

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
    for (const { tarballUrl, version } of data.versions ?? []) {
      const fault = tarballUrl === null ? null : addressFault(tarballUrl, false);
      if (fault) return `tarballUrl of ${version} ${fault}`;
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
  listing: listingFault,
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

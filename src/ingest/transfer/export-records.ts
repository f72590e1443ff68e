// The export of a registry: every public record as a line of JSON, in an order that depends only on the data, and at
// the end a manifest that proves completeness. Everything is read from one snapshot, a page at a time.
import { createHash } from 'node:crypto';
import { type Context, now } from '../../context.ts';
import { packageViewer } from '../../entities/packages/viewer.ts';
import type { Queries } from '../../store/schema/index.ts';
import { recordPage, recordsByKeys, releaseIds } from './read-records.ts';
import type { RecordData } from './record-children.ts';
import { type ExportScope, keyOf, RECORD_NAMES, RECORD_TYPES, type RecordName } from './record-types.ts';

// Another number means that older programs cannot read the file.
export const FORMAT = 1;

export interface ExportManifest {
  format: number;
  // The org that the export is restricted to; null for everything.
  org: string | null;
  since: string | null;
  counts: Record<string, number>;
  records: number;
  // The hash of all bytes before the line of the manifest.
  sha256: string;
}

interface ExportOptions {
  // Restricts the export to the org with this id.
  org?: string;
  since?: string;
  // Receives each line with its line break.
  write(line: string): Promise<void>;
  onProgress?: (records: number) => void;
}

const PAGE = 500;
// Release notes are long, so a page contains fewer of them.
const RELEASES = 200;
// A text may be long, and a package may have thousands of versions.
const FEW = 10;
const LARGE: ReadonlySet<RecordName> = new Set(['changelogFile', 'listing']);

export async function exportRecords(ctx: Context, options: ExportOptions): Promise<ExportManifest> {
  const { org, since, write, onProgress = () => {} } = options;
  const { private: privateScopes } = await packageViewer(ctx);
  const scope: ExportScope = { now: now(ctx), privateScopes, ...(org ? { org } : {}), ...(since ? { since } : {}) };
  const hash = createHash('sha256');
  const counts = Object.fromEntries(RECORD_NAMES.map((name) => [name, 0]));
  let records = 0;
  await ctx.store.snapshot(async (db) => {
    for (const type of RECORD_NAMES) {
      for await (const data of publicRecords(db, type, scope)) {
        const line = `${JSON.stringify({ type, data })}\n`;
        hash.update(line);
        await write(line);
        counts[type] = (counts[type] ?? 0) + 1;
        records += 1;
        onProgress(records);
      }
    }
  });
  const sha256 = hash.digest('hex');
  const manifest = { format: FORMAT, org: org ?? null, since: since ?? null, counts, records, sha256 };
  await write(`${JSON.stringify({ type: 'manifest', data: manifest })}\n`);
  return manifest;
}

function publicRecords(db: Queries, name: RecordName, scope: ExportScope): AsyncIterable<RecordData> {
  return name === 'release' ? releasesBySource(db, scope) : recordsInOrder(db, name, scope);
}

async function* recordsInOrder(db: Queries, name: RecordName, scope: ExportScope): AsyncIterable<RecordData> {
  const limit = LARGE.has(name) ? FEW : PAGE;
  for (let after = ''; ; ) {
    const page = await recordPage(db, name, { scope, after, limit });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < limit) return;
    after = keyOf(RECORD_TYPES[name], last);
  }
}

// Source by source, so that an import writes the releases of a source together.
async function* releasesBySource(db: Queries, scope: ExportScope): AsyncIterable<RecordData> {
  for await (const source of recordsInOrder(db, 'source', scope)) {
    const ids = await releaseIds(db, { scope, sourceId: String(source.id) });
    for (let start = 0; start < ids.length; start += RELEASES) {
      const keys = ids.slice(start, start + RELEASES);
      for (const { data } of (await recordsByKeys(db, 'release', { scope, keys })).values()) yield data;
    }
  }
}

// The advisories of a folder, an archive or a file on packages that a project has.
import { statSync } from 'node:fs';
import type { Advisory } from '../../domain/advisories/osv-record.ts';
import { readRecordText } from '../../domain/advisories/record-text.ts';
import { ArchiveRefused } from '../../domain/archive/refusal.ts';
import { type PackageName, packageKey } from '../../domain/ecosystems/index.ts';
import { recordFiles, TooManyRecords } from '../../runtime/record-files.ts';
import { FileRefused } from '../../runtime/regular-file.ts';
import { ProjectFault } from '../local-file.ts';

interface GivenAdvisories {
  // Records of packages that the registry knows kinds of, and files that are none or cannot be read.
  records: number;
  unreadable: number;
  // By the key of the package; of the wanted ones alone.
  byPackage: ReadonlyMap<string, readonly Advisory[]>;
}

interface AdvisoryRequest {
  wanted: ReadonlySet<string>;
  signal: AbortSignal;
  onRead?: (count: number) => void;
}

const TELL_EACH = 1_000;

// Half of the records would be a wrong answer: a source that cannot be read to its end is a fault.
export async function readAdvisories(path: string, request: AdvisoryRequest): Promise<GivenAdvisories> {
  if (!statSync(path, { throwIfNoEntry: false })) throw new ProjectFault(`there is no file or folder ${path}`);
  try {
    return await readAll(path, request);
  } catch (error) {
    const isKnown = error instanceof FileRefused || error instanceof ArchiveRefused || error instanceof TooManyRecords;
    throw isKnown ? new ProjectFault(`the advisories of ${path} cannot be read: ${error.message}`) : error;
  }
}

async function readAll(path: string, { wanted, signal, onRead }: AdvisoryRequest): Promise<GivenAdvisories> {
  let [records, unreadable, seen] = [0, 0, 0];
  const byPackage = new Map<string, Advisory[]>();
  for await (const bytes of recordFiles(path, signal)) {
    seen += 1;
    if (seen % TELL_EACH === 0) onRead?.(seen);
    const advisory = bytes === null ? null : readRecordText(bytes);
    if (advisory === null) unreadable += 1;
    else if (advisory !== 'elsewhere') {
      records += 1;
      for (const key of namedIn(advisory, wanted)) byPackage.set(key, [...(byPackage.get(key) ?? []), advisory]);
    }
  }
  if (records === 0) {
    throw new ProjectFault(`${path} has no advisory on a package of npm or PyPI in the OSV form`);
  }
  return { records, unreadable, byPackage };
}

function namedIn({ affected }: Advisory, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const keys = affected.map((one: PackageName) => packageKey(one));
  return new Set(keys.filter((key) => wanted.has(key)));
}

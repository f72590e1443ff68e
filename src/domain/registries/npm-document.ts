// Reads the document of an npm registry about a package, the short form for installers or the full one.
import type { ListedVersion } from '../published-package.ts';
import { isRecord } from '../records.ts';
import { type DistTags, readDistTags } from '../upgrade/dist-tags.ts';
import { httpUrlOrNull, isVersionText, MAX_VERSIONS, statement, timeOrNull } from './fields.ts';
import { npmFacts, type PackageFacts } from './package-facts.ts';
import { repositoryUrl } from './repository-url.ts';

export interface NpmDocument {
  kind: 'package';
  name: string;
  latest: string | null;
  tags: DistTags;
  // Only the full document has times.
  hasTimes: boolean;
  isDescribed: boolean;
  repository: string | null;
  homepage: string | null;
  facts: PackageFacts | null;
  versions: ListedVersion[];
}

type NpmReading = NpmDocument | { kind: 'unpublished'; name: string } | { kind: 'fault'; reason: string };

export function readNpmDocument(json: unknown, { now }: { now: number }): NpmReading {
  if (!isRecord(json) || typeof json.name !== 'string') return { kind: 'fault', reason: 'the answer names no package' };
  const { name } = json;
  const times = isRecord(json.time) ? json.time : null;
  const versions = isRecord(json.versions) ? json.versions : {};
  const texts = Object.keys(versions).filter(isVersionText);
  if (texts.length > MAX_VERSIONS) return { kind: 'fault', reason: `more than ${MAX_VERSIONS} versions` };
  if (texts.length === 0) {
    return isRecord(times?.unpublished)
      ? { kind: 'unpublished', name }
      : { kind: 'fault', reason: 'no version is listed' };
  }
  const listed = new Set(texts);
  const tags = readDistTags(recordOf(json['dist-tags']), (version) => listed.has(version));
  const latest = tags.latest ?? null;
  // Some registries describe each version, but not the package.
  const newest = latest === null ? {} : recordOf(versions[latest]);
  const repository = json.repository ?? newest.repository;
  return {
    kind: 'package',
    name,
    latest,
    tags,
    hasTimes: times !== null,
    isDescribed: times !== null || repository !== undefined,
    repository: repositoryUrl(isRecord(repository) ? repository.url : repository),
    homepage: httpUrlOrNull(json.homepage ?? newest.homepage),
    // The short document leaves out most of the manifest.
    facts: times === null || latest === null ? null : npmFacts(newest, json.description),
    versions: texts.map((text) => listedVersion(text, { entry: recordOf(versions[text]), time: times?.[text], now })),
  };
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function listedVersion(
  version: string,
  { entry, time, now }: { entry: Record<string, unknown>; time: unknown; now: number },
): ListedVersion {
  const dist = recordOf(entry.dist);
  return {
    version,
    publishedAt: timeOrNull(time, now),
    withdrawn: false,
    withdrawnReason: null,
    // An empty text takes a deprecation back; some registries write true.
    deprecated: entry.deprecated === true ? 'deprecated' : statement(entry.deprecated),
    tarballUrl: httpUrlOrNull(dist.tarball),
    integrity: integrityOf(dist),
  };
}

const INTEGRITY = /^(?:sha(?:1|256|384|512)-[A-Za-z0-9+/=]{20,100}\s?){1,4}$/;
const SHA1 = /^[0-9a-f]{40}$/i;

// Old versions have only a hexadecimal sum.
function integrityOf({ integrity, shasum }: Record<string, unknown>): string | null {
  if (typeof integrity === 'string' && integrity.length <= 300 && INTEGRITY.test(integrity)) return integrity.trim();
  if (typeof shasum !== 'string' || !SHA1.test(shasum)) return null;
  return `sha1-${Buffer.from(shasum, 'hex').toString('base64')}`;
}

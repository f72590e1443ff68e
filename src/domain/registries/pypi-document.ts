// Reads the document of the Python package index about a project.
import type { ListedVersion } from '../published-package.ts';
import { isRecord } from '../records.ts';
import { compareVersionKeys, isPrerelease, versionSort } from '../versions/index.ts';
import { httpUrlOrNull, isVersionText, MAX_VERSIONS, statement, timeOrNull } from './fields.ts';
import { type PackageFacts, pypiFacts } from './package-facts.ts';
import { repositoryUrl } from './repository-url.ts';

const MAX_NAME_LENGTH = 214;

interface PypiDocument {
  kind: 'package';
  name: string;
  latest: string | null;
  repository: string | null;
  homepage: string | null;
  facts: PackageFacts;
  versions: ListedVersion[];
}

export function readPypiDocument(
  json: unknown,
  { now }: { now: number },
): PypiDocument | { kind: 'fault'; reason: string } {
  const info = isRecord(json) && isRecord(json.info) ? json.info : {};
  if (typeof info.name !== 'string' || info.name.length > MAX_NAME_LENGTH) {
    return { kind: 'fault', reason: 'the answer names no package' };
  }
  const releases = isRecord(json) && isRecord(json.releases) ? json.releases : {};
  const texts = Object.keys(releases).filter(isVersionText);
  if (texts.length > MAX_VERSIONS) return { kind: 'fault', reason: `more than ${MAX_VERSIONS} versions` };
  if (texts.length === 0) return { kind: 'fault', reason: 'no version is listed' };
  const versions = texts.map((text) => listedVersion(text, filesOf(releases[text]), now));
  const urls = isRecord(info.project_urls) ? Object.entries(info.project_urls) : [];
  return {
    kind: 'package',
    name: info.name,
    latest:
      highestStable(versions) ??
      (typeof info.version === 'string' && texts.includes(info.version) ? info.version : null),
    repository: repositoryOf(urls),
    homepage:
      httpUrlOrNull(info.home_page) ?? httpUrlOrNull(urls.find(([label]) => /^home-?\s?page$/i.test(label))?.[1]),
    facts: pypiFacts(info),
    versions,
  };
}

function filesOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

// A version is withdrawn when none of its files can be chosen any more.
function listedVersion(version: string, files: readonly Record<string, unknown>[], now: number): ListedVersion {
  const times = files
    .map((file) => timeOrNull(file.upload_time_iso_8601 ?? file.upload_time, now))
    .filter((at) => at !== null);
  const withdrawn = files.every((file) => file.yanked === true);
  const reason = files.map((file) => statement(file.yanked_reason)).find((one) => one !== null) ?? null;
  const file = files.find((one) => one.packagetype === 'sdist') ?? files[0];
  return {
    version,
    publishedAt: times.sort()[0] ?? null,
    withdrawn,
    withdrawnReason: withdrawn ? (files.length === 0 ? 'its files were deleted' : reason) : null,
    deprecated: null,
    tarballUrl: httpUrlOrNull(file?.url),
    integrity: integrityOf(file?.digests),
  };
}

function integrityOf(digests: unknown): string | null {
  const sum = isRecord(digests) ? digests.sha256 : null;
  if (typeof sum !== 'string' || !/^[0-9a-f]{64}$/i.test(sum)) return null;
  return `sha256-${Buffer.from(sum, 'hex').toString('base64')}`;
}

function highestStable(versions: readonly ListedVersion[]): string | null {
  let highest: { version: string; key: string } | null = null;
  for (const { version, withdrawn } of versions) {
    const key = withdrawn || isPrerelease(version) ? null : versionSort(version);
    if (key !== null && (highest === null || compareVersionKeys(key, highest.key) > 0)) highest = { version, key };
  }
  return highest?.version ?? null;
}

const LABELS = [/^(?:source|repository|code|github|gitlab)\b/i, /source|repositor/i, /^home-?\s?page$/i];

function repositoryOf(urls: readonly (readonly [string, unknown])[]): string | null {
  for (const label of LABELS) {
    const named = urls.filter(([text]) => label.test(text)).map(([, url]) => repositoryUrl(url));
    // A home page is a repository only where it lies on a host of repositories.
    const found = named.find(
      (url) => url !== null && (label !== LABELS[2] || /^https:\/\/(?:github|gitlab)\.com\//.test(url)),
    );
    if (found) return found;
  }
  return null;
}

// Where listings and archives of packages come from: the cache, npm's cache, and the registries of the person's `.npmrc`.
import { createHash } from 'node:crypto';
import { integrityHolds } from '../../domain/archive/integrity.ts';
import { type Ecosystem, factsOfEcosystem, type PackageName } from '../../domain/ecosystems/index.ts';
import type { ListedVersion } from '../../domain/published-package.ts';
import type { DistTags } from '../../domain/upgrade/dist-tags.ts';
import { createFetch, type GuardedFetch } from '../../net/fetch.ts';
import type { FetchResult } from '../../net/result.ts';
import { readJsonDocument } from '../../threads/json.ts';
import { NPM_DOCUMENT, PYPI_DOCUMENT } from '../../threads/registry-documents.ts';
import { TaskStopped } from '../../threads/task.ts';
import { readVersion } from '../../version.ts';
import type { CheckCache } from '../cache.ts';
import type { NamedRepository } from '../notes/packed-notes.ts';
import type { Environment, NpmSettings } from '../npmrc/settings.ts';
import { archiveInCache } from './npm-cache.ts';

export interface Listing {
  latest: string | null;
  // Empty for PyPI, which has none.
  tags: DistTags;
  versions: readonly ListedVersion[];
  // Where the package is developed; npm's short listings do not tell.
  repository?: NamedRepository | null;
}

// Why a registry could not be asked, or does not tell. `isUnknown`: it answered, and has no such package.
export class NotTold extends Error {
  override name = 'NotTold';
  readonly host: string;
  readonly isUnknown: boolean;

  constructor(reason: string, host: string, isUnknown = false) {
    super(reason);
    this.host = host;
    this.isUnknown = isUnknown;
  }
}

export interface PackageSource {
  // Rejects with `NotTold`.
  listing(named: PackageName): Promise<Listing>;
  archive(named: PackageName, version: ListedVersion): Promise<Uint8Array>;
  // Bytes of archives that came over the network.
  readonly downloaded: number;
}

interface SourceInput {
  settings: NpmSettings;
  cache: CheckCache;
  env: Environment;
  signal: AbortSignal;
  isOffline: boolean;
  // Listings with the days of publication, which are many times as long.
  isDated?: boolean;
}

interface StoredListing extends Listing {
  etag: string | null;
  at: number;
}

const SHORT = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8';
const FULL = 'application/json';
const LISTINGS = 'listings-3';
const DATED_LISTINGS = 'dated-listings-3';
// A listing of the last minutes need not be asked for again.
const FRESH_MS = 5 * 60_000;
const LISTING_LIMITS = { maxBytes: 64 * 1024 * 1024, totalMs: 60_000 };
// Two such archives and what is unpacked of them fit into the memory of the thread that compares.
const ARCHIVE_LIMITS = { maxBytes: 50_000_000, totalMs: 120_000 };
const DEFAULT_PYPI = 'https://pypi.org';

export function openPackageSource(input: SourceInput): PackageSource {
  const { settings, env, signal } = input;
  const fetch = createClient(input);
  const known = new Map<string, Promise<Listing>>();
  const pypi = (env.REGISTRY_PYPI_URL || DEFAULT_PYPI).replace(/\/+$/, '');
  const homes: Readonly<Record<Ecosystem, (name: string) => string>> = {
    npm: (name) => settings.registryOf(name).url,
    pypi: () => pypi,
  };
  const addresses: Readonly<Record<Ecosystem, (name: string) => string>> = {
    npm: (name) => `${homes.npm(name)}/${encodeURIComponent(name).replace(/^%40/, '@')}`,
    pypi: (name) => `${pypi}/pypi/${encodeURIComponent(name)}/json`,
  };
  const [accept, kind] = input.isDated ? [FULL, DATED_LISTINGS] : [SHORT, LISTINGS];
  let downloaded = 0;

  async function asked(url: string, request: { accept?: string; etag?: string | null; isArchive?: boolean }) {
    const credential = settings.credentialFor(url);
    const { accept, etag, isArchive } = request;
    const limits = isArchive ? ARCHIVE_LIMITS : LISTING_LIMITS;
    return fetch({
      url,
      headers: {
        ...(accept ? { accept } : {}),
        ...(etag ? { 'if-none-match': etag } : {}),
        ...(credential === null ? {} : { authorization: credential }),
      },
      ...(isArchive ? { codings: 'identity' as const } : {}),
      // A credential is never sent along a redirect, not even to another path of the same host.
      limits: { ...limits, ...(credential === null ? {} : { maxRedirects: 0 }) },
      poolKey: credential === null ? 'check' : `check ${createHash('sha256').update(credential).digest('hex')}`,
      signal,
    });
  }

  async function list({ ecosystem, name }: PackageName): Promise<Listing> {
    const url = addresses[ecosystem](name);
    const stored = input.cache.read<StoredListing>(kind, url);
    if (stored && (input.isOffline || Date.now() - stored.at < FRESH_MS)) return stored;
    const host = new URL(url).host;
    if (input.isOffline) throw new NotTold('not asked: offline', host);
    const answer = await asked(url, { accept, etag: stored?.etag ?? null });
    if (stored && answer.ok && answer.status === 304) {
      input.cache.write(kind, url, { ...stored, at: Date.now() });
      return stored;
    }
    const body = bodyOf(answer, host);
    const read = await readListing({ ecosystem, name }, body, host);
    const etag = answer.ok ? (answer.headers.etag ?? null) : null;
    input.cache.write(kind, url, { ...read, etag, at: Date.now() } satisfies StoredListing);
    return read;
  }

  return {
    get downloaded() {
      return downloaded;
    },
    listing(named) {
      const key = `${named.ecosystem} ${named.name}`;
      const listing = known.get(key) ?? list(named);
      known.set(key, listing);
      return listing;
    },
    async archive({ ecosystem, name }, { tarballUrl, integrity, version }) {
      const cached = await archiveInCache(settings.cacheFolder, integrity);
      if (cached !== null) return cached;
      const url = archiveUrl(ecosystem, homes[ecosystem](name), tarballUrl);
      const host = URL.parse(url)?.host ?? '';
      if (input.isOffline) throw new NotTold(`the archive of ${version} is not cached`, host);
      const bytes = new Uint8Array(bodyOf(await asked(url, { isArchive: true }), host));
      downloaded += bytes.length;
      if (await integrityHolds(bytes, integrity)) return bytes;
      throw new NotTold(`the archive of ${version} is not the one that the registry lists`, host);
    },
  };
}

// The public registry names a host of its own in the addresses of archives; a mirror has them under its own, as npm assumes too.
function archiveUrl(ecosystem: Ecosystem, registry: string, tarballUrl: string | null): string {
  const url = URL.parse(tarballUrl ?? '');
  const home = new URL(registry);
  const { archiveHost, publicHosts } = factsOfEcosystem(ecosystem);
  const isPublic = home.host === archiveHost || home.host === publicHosts[0];
  if (url?.host !== archiveHost || isPublic) return tarballUrl ?? '';
  return `${registry}${url.pathname}`;
}

function createClient({ settings, env, isOffline }: SourceInput): GuardedFetch {
  if (isOffline) return async () => Promise.reject(new Error('nothing is fetched offline'));
  const allow = (env.REGISTRY_EGRESS_ALLOW ?? '').split(',').map((one) => one.trim());
  return createFetch({
    userAgent: `ReleaseRegistry/${readVersion()}`,
    allow: [...settings.trustedHosts, ...allow.filter(Boolean)],
    ...(settings.ca === null ? {} : { ca: settings.ca }),
    proxyFor: settings.proxyFor,
  });
}

const DOCUMENTS = {
  npm: (body: Uint8Array, options: { now: number }) => readJsonDocument(NPM_DOCUMENT, body, options),
  pypi: (body: Uint8Array, options: { now: number }) => readJsonDocument(PYPI_DOCUMENT, body, options),
} satisfies Record<Ecosystem, unknown>;

async function readListing({ ecosystem, name }: PackageName, body: Uint8Array, host: string): Promise<Listing> {
  const now = Date.now();
  try {
    const document = await DOCUMENTS[ecosystem](body, { now });
    if (document?.kind !== 'package') {
      throw new NotTold(
        document?.kind === 'unpublished' ? 'it was unpublished' : 'the answer is no listing',
        host,
        true,
      );
    }
    if (factsOfEcosystem(ecosystem).keepsCapitals && document.name !== name) {
      throw new NotTold('the answer is about another package', host);
    }
    const tags = 'tags' in document ? document.tags : {};
    const repository = document.repository === null ? null : { url: document.repository, folder: '' };
    return { latest: document.latest, tags, versions: document.versions, repository };
  } catch (error) {
    if (error instanceof TaskStopped) throw new NotTold(`the listing cannot be read: ${error.message}`, host);
    throw error;
  }
}

function bodyOf(answer: FetchResult, host: string): Uint8Array {
  if (!answer.ok) throw new NotTold(`${host}: ${answer.detail}`, host);
  if (answer.status === 200) return answer.body;
  const hint = answer.status === 401 || answer.status === 403 ? '. Is the token in .npmrc valid?' : '';
  throw new NotTold(`${host}: ${answer.status}${hint}`, host, answer.status === 404);
}

// Documents of package registries in the shapes of the real ones, for servers on the loopback.
import type { Answer, OutsideWorld, SeenRequest } from './outside-world.ts';

export interface NpmPackage {
  name: string;
  // Version and the day it was published.
  versions: Readonly<Record<string, string>>;
  latest?: string;
  deprecated?: Readonly<Record<string, string>>;
  repository?: unknown;
  homepage?: string;
  // Where tarballs lie.
  origin?: string;
  readme?: string;
}

const SHORT = 'application/vnd.npm.install-v1+json';

function npmVersion({ name, deprecated = {}, origin = 'https://npm.example' }: NpmPackage, version: string) {
  const file = `${name.split('/').at(-1)}-${version}.tgz`;
  return {
    name,
    version,
    ...(deprecated[version] === undefined ? {} : { deprecated: deprecated[version] }),
    dist: {
      shasum: 'a'.repeat(40),
      tarball: `${origin}/${name}/-/${file}`,
      integrity: `sha512-${Buffer.from(`${name}@${version}`.padEnd(64, '.').slice(0, 64)).toString('base64')}`,
      fileCount: 7,
      unpackedSize: 12345,
      signatures: [{ keyid: 'SHA256:example', sig: 'MEUCIQ==' }],
    },
    engines: { node: '>=18' },
  };
}

function latestOf({ latest, versions }: NpmPackage): string {
  return latest ?? Object.keys(versions).at(-1) ?? '';
}

// What installers get.
export function npmShort(one: NpmPackage) {
  const versions = Object.keys(one.versions).map((version) => [version, npmVersion(one, version)]);
  return {
    name: one.name,
    'dist-tags': { latest: latestOf(one), next: latestOf(one) },
    versions: Object.fromEntries(versions),
    modified: '2026-02-01T10:00:00.000Z',
  };
}

export function npmFull(one: NpmPackage) {
  const { repository, homepage = 'https://home.example/', readme = '# Readme' } = one;
  const times = Object.entries(one.versions).map(([version, day]) => [version, `${day}T08:00:00.000Z`]);
  return {
    _id: one.name,
    _rev: '12-0123456789abcdef',
    ...npmShort(one),
    modified: undefined,
    time: { created: '2020-01-01T00:00:00.000Z', modified: '2026-02-01T10:00:00.000Z', ...Object.fromEntries(times) },
    repository: repository ?? { type: 'git', url: `git+https://github.com/acme/${one.name.split('/').at(-1)}.git` },
    homepage,
    maintainers: [{ name: 'someone', email: 'someone@mail.example' }],
    readme,
    readmeFilename: 'README.md',
  };
}

export function npmUnpublished(name: string) {
  return {
    _id: name,
    name,
    time: {
      created: '2020-01-01T00:00:00.000Z',
      '1.0.0': '2020-01-01T00:00:00.000Z',
      unpublished: { time: '2026-01-05T00:00:00.000Z', versions: ['1.0.0'] },
    },
  };
}

// The server answers as npm does: by form, with an ETag for each, and 304 where it fits.
export function serveNpm(world: OutsideWorld, one: NpmPackage): void {
  world.route(npmPath(one.name), (request) => npmAnswer(request, one));
}

export function npmPath(name: string): string {
  return `/${encodeURIComponent(name).replace(/^%40/, '@')}`;
}

function npmAnswer({ headers }: SeenRequest, one: NpmPackage): Answer {
  const isShort = String(headers.accept).startsWith(SHORT);
  const body = JSON.stringify(isShort ? npmShort(one) : npmFull(one));
  const etag = `"${isShort ? 's' : 'f'}-${body.length}-${Object.keys(one.deprecated ?? {}).length}"`;
  if (headers['if-none-match'] === etag) return { status: 304, headers: { ETag: etag } };
  return { headers: { ETag: etag, 'Content-Type': isShort ? SHORT : 'application/json' }, body };
}

// Each version has the names of its files; a yanked one has its reason.
export function pypiDocument(
  name: string,
  versions: Readonly<Record<string, { day?: string; yanked?: string | null; files?: number }>>,
) {
  const releases = Object.entries(versions).map(([version, { day = '2026-01-10', yanked, files = 2 }]) => [
    version,
    Array.from({ length: files }, (_, index) => ({
      filename: `${name}-${version}${index === 0 ? '-py3-none-any.whl' : '.tar.gz'}`,
      packagetype: index === 0 ? 'bdist_wheel' : 'sdist',
      upload_time: `${day}T08:0${index}:00`,
      upload_time_iso_8601: `${day}T08:0${index}:00.000000Z`,
      url: `https://files.example/${name}-${version}-${index}`,
      yanked: yanked !== undefined,
      yanked_reason: yanked ?? null,
      digests: { blake2b_256: 'b'.repeat(64), md5: 'c'.repeat(32), sha256: 'd'.repeat(64) },
    })),
  ]);
  return {
    info: {
      name,
      version: Object.keys(versions).at(-1),
      home_page: '',
      project_urls: {
        Documentation: 'https://docs.example/',
        Source: 'https://github.com/acme/py-tool',
        Homepage: 'https://py.example/',
      },
      yanked: false,
      yanked_reason: null,
    },
    last_serial: 123,
    releases: Object.fromEntries(releases),
    urls: [],
    vulnerabilities: [],
  };
}

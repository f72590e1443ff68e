// A Python package index on the loopback, with wheels that a test describes by their files.
import { createHash } from 'node:crypto';
import type { TestContext } from 'node:test';
import { zip } from '../../src/domain/archive/zip.fixture.ts';
import { readPypiDocument } from '../../src/domain/registries/pypi-document.ts';
import { serve } from '../../src/net/loopback.fixture.ts';

type Files = Record<string, string>;

export interface PypiIndex {
  origin: string;
  env: Record<string, string>;
  // Paths in the order in which they were asked for.
  seen: string[];
  publish(name: string, version: string, files: Files): void;
  // What its document lists.
  versions(name: string): ReturnType<typeof readPypiDocument>;
}

export function wheel(name: string, version: string, files: Files): Uint8Array {
  const metadata = { [`${name}-${version}.dist-info/METADATA`]: `Name: ${name}\nVersion: ${version}\n` };
  return zip(Object.entries({ ...files, ...metadata }).map(([path, body]) => ({ name: path, body })));
}

export async function startPypi(t: TestContext): Promise<PypiIndex> {
  const packages = new Map<string, Map<string, Uint8Array>>();
  const seen: string[] = [];
  const server = await serve(t, (request, answer) => {
    const path = new URL(request.url ?? '', 'http://x').pathname;
    seen.push(path);
    const [, file, version] = /^\/files\/([^/]+)-([^-/]+)-py3-none-any\.whl$/.exec(path) ?? [];
    const archive = packages.get(file ?? '')?.get(version ?? '');
    if (archive) return answer.writeHead(200).end(archive);
    const name = /^\/pypi\/([^/]+)\/json$/.exec(path)?.[1] ?? '';
    if (!packages.has(name)) return answer.writeHead(404).end('{}');
    answer.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(documentOf(name)));
  });

  function documentOf(name: string) {
    const releases = [...(packages.get(name) ?? [])].map(([version, archive]) => [
      version,
      [
        {
          packagetype: 'bdist_wheel',
          upload_time_iso_8601: '2026-01-10T08:00:00.000000Z',
          url: `${server.origin}/files/${name}-${version}-py3-none-any.whl`,
          yanked: false,
          digests: { sha256: createHash('sha256').update(archive).digest('hex') },
        },
      ],
    ]);
    return { info: { name, version: '2.0.0' }, releases: Object.fromEntries(releases) };
  }

  return {
    origin: server.origin,
    env: { REGISTRY_EGRESS_ALLOW: '127.0.0.0/8', REGISTRY_HOST_DELAY_MS: '0', REGISTRY_PYPI_URL: server.origin },
    seen,
    publish(name, version, files) {
      const versions = packages.get(name) ?? new Map<string, Uint8Array>();
      packages.set(name, versions.set(version, wheel(name, version, files)));
    },
    versions: (name) => readPypiDocument(documentOf(name), { now: Date.parse('2026-03-01') }),
  };
}

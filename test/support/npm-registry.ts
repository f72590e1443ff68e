// An npm registry on the loopback with real archives, which notes what it was asked and with which credentials.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { packed } from '../../src/domain/archive/archive.fixture.ts';

// Files by version; each gets a package.json with name and version.
export type Versions = Record<string, { manifest?: object; files: Record<string, string> }>;

interface SeenRequest {
  path: string;
  authorization: string | undefined;
}

interface NpmRegistryFixture {
  url: string;
  // As REGISTRY_EGRESS_ALLOW takes it.
  host: string;
  seen: SeenRequest[];
  close(): void;
}

interface FixtureOptions {
  // Where archives are said to lie; else at the registry itself.
  archivesAt?: string;
  // The days of publication, which only full listings tell.
  times?: Record<string, Record<string, string>>;
  // Answers before the registry does; true when it did.
  before?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export async function startNpmRegistry(
  packages: Record<string, Versions>,
  { archivesAt, times, before }: FixtureOptions = {},
): Promise<NpmRegistryFixture> {
  const seen: SeenRequest[] = [];
  const archives = new Map<string, Uint8Array>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    seen.push({ path, authorization: request.headers.authorization });
    if (before?.(request, response)) return;
    const archive = archives.get(path);
    if (archive) return void response.end(archive);
    const versions = packages[path];
    if (!versions) return void response.writeHead(404).end('{}');
    const at = archivesAt ?? `http://${request.headers.host}`;
    const listed = Object.entries(versions).map(([version, { manifest, files }]) => {
      const bytes = packed({ 'package.json': JSON.stringify({ name: path, version, ...manifest }), ...files });
      const file = `${path}/-/${path.split('/').at(-1)}-${version}.tgz`;
      archives.set(file, bytes);
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      return [version, { name: path, version, dist: { tarball: `${at}/${file}`, integrity } }] as const;
    });
    const tags = { latest: listed.at(-1)?.[0], previous: listed.at(-2)?.[0] };
    response.setHeader('content-type', 'application/json');
    const time = times?.[path];
    const listing = { name: path, 'dist-tags': tags, versions: Object.fromEntries(listed), ...(time && { time }) };
    response.end(JSON.stringify(listing));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}`, host, seen, close: () => void server.close() };
}

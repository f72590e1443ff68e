// A package registry on the loopback, with real small archives that the test describes by their files.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TestContext } from 'node:test';
import { type Context, transact } from '../../src/context.ts';
import { packed } from '../../src/domain/archive/archive.fixture.ts';
import type { PackageListing } from '../../src/domain/published-package.ts';
import { serve } from '../../src/net/loopback.fixture.ts';
import { storeListing } from '../../src/packages/listings/store-listing.ts';

type Files = Record<string, string>;

interface PublishedVersion {
  files: Files;
  publishedAt: string;
  // In place of the archive of these files.
  archive?: Uint8Array;
}

export interface NpmRegistry {
  origin: string;
  env: Record<string, string>;
  // What was asked for, in order: `/name` for listings, `/name/-/1.0.0.tgz` for archives.
  seen: string[];
  requests: IncomingMessage[];
  // Answers in place of what is published, by path.
  refusals: Map<string, { status: number; headers?: Record<string, string> }>;
  publish(name: string, version: string, files?: Files, more?: Partial<PublishedVersion>): void;
  listing(name: string, registry?: string | null): PackageListing;
}

export async function startRegistry(t: TestContext): Promise<NpmRegistry> {
  const packages = new Map<string, Map<string, PublishedVersion>>();
  const refusals: NpmRegistry['refusals'] = new Map();
  const seen: string[] = [];
  const archiveOf = ({ archive, files }: PublishedVersion) => archive ?? packed(files);
  const server = await serve(t, (request, answer) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname);
    seen.push(path);
    const refusal = refusals.get(path);
    if (refusal) return answer.writeHead(refusal.status, refusal.headers).end('no');
    const [, name = '', version = ''] = /^\/(.+?)(?:\/-\/(.+)\.tgz)?$/.exec(path) ?? [];
    const found = packages.get(name);
    const one = found?.get(version);
    if (one) return answer.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(archiveOf(one));
    if (!found || version !== '') return answer.writeHead(404).end('{}');
    answer.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(documentOf(name, found)));
  });
  const tarball = (name: string, version: string) => `${server.origin}/${name}/-/${version}.tgz`;
  const integrityOf = (version: PublishedVersion) =>
    `sha512-${createHash('sha512').update(packed(version.files)).digest('base64')}`;

  function documentOf(name: string, versions: Map<string, PublishedVersion>) {
    const entries = [...versions].map(([version, one]) => [
      version,
      { name, version, dist: { tarball: tarball(name, version), integrity: integrityOf(one) } },
    ]);
    const time = Object.fromEntries([...versions].map(([version, { publishedAt }]) => [version, publishedAt]));
    return { name, 'dist-tags': { latest: [...versions.keys()].at(-1) }, versions: Object.fromEntries(entries), time };
  }

  return {
    origin: server.origin,
    env: { REGISTRY_EGRESS_ALLOW: '127.0.0.0/8', REGISTRY_HOST_DELAY_MS: '0', REGISTRY_NPM_URL: server.origin },
    seen,
    requests: server.seen,
    refusals,
    publish(name, version, files = {}, more = {}) {
      const versions = packages.get(name) ?? new Map<string, PublishedVersion>();
      packages.set(name, versions);
      const manifest = { name, version, ...JSON.parse(files['package.json'] ?? '{}') };
      const publishedAt = `2026-01-${String(versions.size + 1).padStart(2, '0')}T00:00:00.000Z`;
      versions.set(version, { files: { ...files, 'package.json': JSON.stringify(manifest) }, publishedAt, ...more });
    },
    listing(spelling, registry = null) {
      const versions = [...(packages.get(spelling) ?? [])].map(([version, one]) => ({
        version,
        publishedAt: one.publishedAt,
        withdrawn: false,
        withdrawnReason: null,
        deprecated: null,
        tarballUrl: tarball(spelling, version),
        integrity: integrityOf(one),
      }));
      const latest = versions.at(-1)?.version ?? null;
      return { ecosystem: 'npm', spelling, registry, latest, repository: null, homepage: null, versions };
    },
  };
}

// What the registry lists is stored as if it had been read; `known`: somebody follows the package.
export async function storeRegistry(
  ctx: Context,
  registry: NpmRegistry,
  name: string,
  { scope = null, known = true }: { scope?: string | null; known?: boolean } = {},
): Promise<void> {
  const followed = { next_read_at: '2030-01-01T00:00:00.000Z', wanted_at: '2026-01-01T00:00:00.000Z' };
  const columns = known ? followed : { next_read_at: null };
  await transact(ctx, async (ctx) => {
    await storeListing(ctx, registry.listing(name, scope));
    await ctx.tx.updateTable('package_states').set(columns).where('name', '=', name).execute();
  });
}

// The archives of a truth set: from a folder where there is one, else from the npm registry, and kept in that folder.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatherPair, meantVersion } from '../../src/check/evidence/gather.ts';
import { openFolderSource } from '../../src/check/packages/open-source.ts';
import type { Listing, PackageSource } from '../../src/check/packages/source.ts';

export class KeptPackages {
  readonly #folder: string;
  readonly #source: PackageSource;

  constructor(folder: string, env = process.env) {
    mkdirSync(folder, { recursive: true });
    this.#folder = folder;
    const { signal } = new AbortController();
    const { source } = openFolderSource({ folder, env, signal, isOffline: false, isDated: true });
    this.#source = {
      downloaded: 0,
      // Listings that were kept long ago have no tags.
      listing: async (named) => ({
        tags: {},
        ...(await this.#keptJson<Omit<Listing, 'tags'>>(`${named.name}.json`, () => source.listing(named))),
      }),
      archive: (named, version) => this.#kept(version.tarballUrl ?? '', () => source.archive(named, version)),
    };
  }

  async pair(name: string, from: string, to: string): ReturnType<typeof gatherPair> {
    const listing = await this.#source.listing({ ecosystem: 'npm', name });
    const [old, next] = [from, to].map((version) => meantVersion(listing, version));
    if (!old || !next) throw new Error(`${name} ${from} or ${to} is not published`);
    return gatherPair(this.#source, { ecosystem: 'npm', name, from: old, to: next, isPublic: true });
  }

  // One archive, by `name@version`.
  async one(named: string): Promise<Uint8Array> {
    const [, name = '', version = ''] = /^(.+)@([^@]+)$/.exec(named) ?? [];
    const listed = meantVersion(await this.#source.listing({ ecosystem: 'npm', name }), version);
    if (!listed) throw new Error(`${named} is not published`);
    return this.#source.archive({ ecosystem: 'npm', name }, listed);
  }

  async #kept(url: string, download: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const path = join(this.#folder, url.replace(/^https?:\/\/[^/]+\//, '').replaceAll('/', '+'));
    if (existsSync(path)) return new Uint8Array(readFileSync(path));
    const bytes = await download();
    writeFileSync(path, bytes);
    return bytes;
  }

  async #keptJson<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const path = join(this.#folder, name.replaceAll('/', '+'));
    if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as T;
    const value = await ask();
    writeFileSync(path, JSON.stringify(value));
    return value;
  }
}

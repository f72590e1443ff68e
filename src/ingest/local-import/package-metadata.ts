// What a `package.json` says about where the package comes from.
import { z } from 'zod';
import { githubCoordinate, isHttpUrl } from '../../domain/urls.ts';

export interface PackageMetadata {
  name: string | null;
  version: string | null;
  isPrivate: boolean;
  repository: PackageRepository | null;
  homepage: string | null;
  // Without the `@`.
  scope: string | null;
  author: string | null;
}

export interface PackageRepository {
  // `owner/repo` in lower case.
  coordinate: string;
  // As the package spells them.
  owner: string;
  name: string;
  // Where the package lies in it; empty at the root, null when nothing is said.
  directory: string | null;
}

const text = z.string().trim().min(1);
const loose = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const packageJson = z.object({
  name: loose(text.max(214)),
  version: loose(text.max(200)),
  private: loose(z.boolean()),
  homepage: loose(text),
  repository: loose(z.union([text, z.object({ url: text, directory: loose(text) })])),
  author: loose(z.union([text, z.object({ name: text })])),
});

// Null when the text is no JSON object.
export function readPackageJson(source: string): PackageMetadata | null {
  let json: unknown;
  try {
    json = JSON.parse(source.replace(/^\ufeff/, ''));
  } catch {
    return null;
  }
  const { data } = packageJson.safeParse(json);
  if (!data) return null;
  const { name = null, version = null, homepage, repository, author } = data;
  const named = typeof repository === 'string' ? { url: repository } : repository;
  return {
    name,
    version,
    isPrivate: data.private ?? false,
    repository: named ? readRepository(named.url, 'directory' in named ? named.directory : undefined) : null,
    homepage: homepage !== undefined && isHttpUrl(homepage) ? homepage : null,
    scope: /^@([^/]+)\//.exec(name ?? '')?.[1] ?? null,
    author: authorName(typeof author === 'string' ? author : author?.name),
  };
}

// The GitHub repository that an address or a short form names.
export function readRepository(address: string, directory?: string): PackageRepository | null {
  const plain = address.replace(/#.*$/, '');
  const coordinate = githubCoordinate(plain);
  const [owner = '', name = ''] = coordinate?.split('/') ?? [];
  // No owner has a dot: that is the host of another service.
  if (coordinate === null || owner.includes('.')) return null;
  const at = plain.toLowerCase().indexOf(coordinate);
  const spelled = at < 0 ? coordinate : plain.slice(at, at + coordinate.length);
  const inAddress = /\/(?:tree|blob)\/[^/]+\/(?<path>[^?]+)/.exec(plain)?.groups?.path;
  return {
    coordinate,
    owner: spelled.slice(0, owner.length),
    name: spelled.slice(-name.length),
    directory: plainDirectory(directory ?? inAddress),
  };
}

function plainDirectory(path: string | undefined): string | null {
  if (path === undefined) return null;
  const parts = path.split(/[\\/]+/).filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? null : parts.join('/');
}

// `Jane Doe <jane@acme.example> (https://acme.example)`
function authorName(author: string | undefined): string | null {
  const name = author?.replace(/\s*[<(].*$/s, '').trim();
  return name ? name.slice(0, 120) : null;
}

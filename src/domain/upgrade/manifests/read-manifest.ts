// What the manifest of a package says about itself: under which name it is published, and where it says it comes from.
import { type Ecosystem, type ManifestName, publishedName } from '../../ecosystems/index.ts';
import { githubCoordinate } from '../../urls.ts';
import { objectOf } from '../lockfiles/json-text.ts';
import { parseToml } from '../toml.ts';

interface PackageManifest {
  ecosystem: Ecosystem;
  name: string;
  // The name as it is published.
  spelling: string;
  // `owner/repo` of every repository that it names as its own.
  repositories: string[];
}

type ManifestReader = (text: string) => PackageManifest | null;

const READERS: Readonly<Record<ManifestName, ManifestReader>> = {
  'package.json': readPackageJson,
  'pyproject.toml': readPyproject,
  'setup.cfg': readSetupCfg,
};

function isManifestName(filename: string): filename is ManifestName {
  return Object.hasOwn(READERS, filename);
}

// The package of a manifest; null when it names no package that anybody could install.
export function readManifest(filename: string, text: string): PackageManifest | null {
  return isManifestName(filename) ? READERS[filename](text.replace(/^\ufeff/, '')) : null;
}

function manifest(ecosystem: Ecosystem, text: unknown, addresses: readonly unknown[]): PackageManifest | null {
  const name = publishedName(ecosystem, text);
  if (name === null) return null;
  const repositories = addresses.flatMap((address) =>
    typeof address === 'string' ? (githubCoordinate(address) ?? []) : [],
  );
  return { ecosystem, name, spelling: String(text).trim(), repositories: [...new Set(repositories)] };
}

function readPackageJson(text: string): PackageManifest | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof json !== 'object' || json === null) return null;
  const { name, private: isPrivate, repository } = json as Record<string, unknown>;
  if (isPrivate === true) return null;
  const address =
    typeof repository === 'object' && repository !== null ? (repository as { url?: unknown }).url : repository;
  return manifest('npm', name, [address]);
}

function readPyproject(text: string): PackageManifest | null {
  const document = parseToml(text);
  const project = objectOf(document?.project);
  const poetry = objectOf(objectOf(document?.tool)?.poetry);
  const urls = Object.values(objectOf(project?.urls) ?? {});
  return manifest('pypi', project?.name ?? poetry?.name, [...urls, poetry?.repository]);
}

function readSetupCfg(text: string): PackageManifest | null {
  let section = '';
  const found: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const header = /^\[([^\]\n]{1,100})\]\s*$/.exec(line);
    if (header) section = header[1]?.trim() ?? '';
    const entry = section === 'metadata' ? /^(name|url)\s*[=:]\s*(\S{1,300})\s*$/.exec(line) : null;
    if (entry?.[1] && entry[2]) found[entry[1]] ??= entry[2];
  }
  return manifest('pypi', found.name, [found.url]);
}

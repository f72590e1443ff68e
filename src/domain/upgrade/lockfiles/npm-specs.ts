// What a dependency on an npm package asks for: a range of a registry, an alias, a repository, a folder or an archive.
import { isName, type PackageSource } from './types.ts';

interface NpmSpec {
  name: string;
  // The range without `npm:`.
  range: string;
}

interface Elsewhere {
  source: Exclude<PackageSource, 'registry'>;
  ref: string;
}

// Packages of a workspace or of a catalog say nothing about where they come from.
const OWN = /^(?:workspace|catalog|patch|exec):/i;
const GIT = /^(?:git[+:@]|ssh:|(?:github|gitlab|bitbucket|gist):)|^https?:\/\/[^#]*\.git(?:#|$)|#commit=/i;
// Archives that code hosts make of a commit.
const COMMIT_ARCHIVE = /^https?:\/\/(?:codeload\.github\.com\/|[^/]+\/[^#]*\/(?:-\/archive|archive|tarball|get)\/)/i;
const ARCHIVE = /\.(?:tgz|tar|tar\.gz|zip|whl)(?:[?#]|$)/i;
// The address of an archive in a package registry.
const REGISTRY_ARCHIVE = /\/-\/[^/]+\.tgz(?:[?#]|$)|\/-\/@[^/]+\/[^/]+\.tgz(?:[?#]|$)/i;
const SHORTHAND = /^[\w.-]+\/[\w.-]+(?:#.*)?$/;

// Where a package comes from by an address or a spec; null for a package registry and for what belongs to the project.
export function elsewhere(text: string): Elsewhere | null {
  if (OWN.test(text) || text.startsWith('npm:')) return null;
  if (/^(?:link|portal):/i.test(text)) return { source: 'link', ref: text };
  if (/^file:/i.test(text) || /^(?:\.{1,2}|~)?\//.test(text)) return { source: 'file', ref: text };
  if (GIT.test(text)) return { source: 'git', ref: text };
  if (/^https?:/i.test(text)) {
    if (REGISTRY_ARCHIVE.test(text)) return null;
    if (COMMIT_ARCHIVE.test(text)) return { source: 'git', ref: text };
    return ARCHIVE.test(text) ? { source: 'url', ref: text } : null;
  }
  return SHORTHAND.test(text) ? { source: 'git', ref: `github:${text}` } : null;
}

// The folder that `file:./lib` or `link:lib` names, seen from the project.
export function folderIn(spec: string): string {
  const path = spec.replace(/^(?:file|link|portal):/i, '').split('#', 1)[0] ?? '';
  return path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
}

// The package and range that a dependency means; null when it does not come from a package registry. An alias is read as the
// package that it stands for.
export function readNpmSpec(text: string): NpmSpec | null {
  const at = text.indexOf('@', 1);
  return at === -1 ? null : readNpmRange(text.slice(0, at), text.slice(at + 1));
}

export function readNpmRange(name: string, range: string): NpmSpec | null {
  const isAlias = range.startsWith('npm:');
  const plain = isAlias ? range.slice(4) : range;
  const at = isAlias ? plain.indexOf('@', 1) : -1;
  if (at !== -1 && isName(plain.slice(0, at))) return { name: plain.slice(0, at), range: plain.slice(at + 1) };
  // An alias without a range stands for any version.
  if (isAlias && isName(plain) && !/^[\d^~<>=*]/.test(plain)) return { name: plain, range: '*' };
  return ELSEWHERE.test(plain) || plain.includes('/') || !isName(name) ? null : { name, range: plain };
}

const ELSEWHERE = /^(?:workspace|link|portal|file|patch|exec|git|github|git\+[a-z]+|https?|ssh|catalog):/i;

export interface NpmNeed {
  workspace: string;
  installedAs: string;
  spec: string;
  dev: boolean;
  optional: boolean;
}

const BLOCKS = ['dependencies', 'optionalDependencies', 'devDependencies', 'peerDependencies'] as const;

// What one manifest names. A name in several blocks counts where it is needed most.
export function manifestNeeds(workspace: string, manifest: Record<string, unknown>): NpmNeed[] {
  const needs = new Map<string, NpmNeed>();
  for (const block of BLOCKS) {
    const entries = manifest[block];
    if (typeof entries !== 'object' || entries === null) continue;
    for (const [installedAs, spec] of Object.entries(entries)) {
      if (typeof spec !== 'string' || needs.has(installedAs)) continue;
      const [dev, optional] = [block === 'devDependencies', block === 'optionalDependencies'];
      needs.set(installedAs, { workspace, installedAs, spec, dev, optional });
    }
  }
  return [...needs.values()];
}

// The hosts that the packages of a project come from, as far as its files and the settings of its tools tell. A package that
// comes from elsewhere is asked for nowhere else.
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { EcosystemFacts } from '../../domain/ecosystems/facts.ts';
import {
  factsOfEcosystem,
  normalizePackageName,
  type PackageName,
  PUBLIC_PACKAGE_HOSTS,
} from '../../domain/ecosystems/index.ts';
import { blockLines } from '../../domain/upgrade/lockfiles/block-lines.ts';
import { entriesIn, objectOf, parseObject, plainJson } from '../../domain/upgrade/lockfiles/json-text.ts';
import { billAddresses } from '../../domain/upgrade/lockfiles/sbom.ts';
import { isInside } from '../../runtime/regular-file.ts';
import { boundaryOf } from '../git/repository.ts';
import { projectFileAt, textFileAt } from '../local-file.ts';
import type { Environment } from '../npmrc/settings.ts';
import type { Project } from './read-project.ts';

// Undefined where nothing tells of another place than the one that everybody asks.
export type HostOf = (named: PackageName) => string | undefined;

const MAX_LENGTH = 4 * 1024 * 1024;

type Noting = (name: string, address: unknown) => void;

export function packageHosts(project: Project, env: Environment): HostOf {
  const { file, text } = project;
  const byName = new Map<string, string>();
  const note: Noting = (name, address) => {
    const host = typeof address === 'string' ? URL.parse(address)?.host : undefined;
    // Of several copies the one from elsewhere counts.
    if (host && !isPrivate(byName.get(name))) byName.set(name, host);
  };
  const { format } = project.locked;
  if (format === 'CycloneDX' || format === 'SPDX') noteBill(text, note);
  else if (/^(?:package-lock|npm-shrinkwrap)\.json$/.test(file)) noteNpm(parseObject(text) ?? {}, note);
  else if (file === 'yarn.lock') noteYarn(text, note);
  else if (file === 'pnpm-lock.yaml') notePnpm(text, note);
  else if (file === 'bun.lock') noteBun(text, note);
  else if (/^(?:uv|poetry|pdm)\.lock$/.test(file)) notePython(text, note);
  const scopes = file === 'yarn.lock' ? yarnScopes(project.folder, env) : new Map<string, string>();
  const index = indexOf(project, env);
  const hosts: Record<EcosystemFacts['language'], (name: string) => string | undefined> = {
    javascript: (name) => byName.get(name) ?? scopes.get(/^@[^/]+/.exec(name)?.[0] ?? '') ?? scopes.get(''),
    python: (name) => byName.get(normalizePackageName('pypi', name)) ?? byName.get(name) ?? index,
  };
  return ({ ecosystem, name }) => hosts[factsOfEcosystem(ecosystem).language](name);
}

function isPrivate(host: string | undefined): boolean {
  return host !== undefined && !PUBLIC_PACKAGE_HOSTS.has(host);
}

// The oldest form has copies inside of copies.
function noteNpm(json: object, note: Noting, depth = 0): void {
  const { packages, dependencies } = json as Record<string, unknown>;
  for (const [place, value] of entriesIn(objectOf(packages) ?? dependencies)) {
    const entry = objectOf(value) ?? {};
    const name = entry.name ?? place.split('node_modules/').at(-1);
    if (typeof name === 'string') note(name, entry.resolved);
    if (packages === undefined && depth < 50) noteNpm({ dependencies: entry.dependencies }, note, depth + 1);
  }
}

function noteBill(text: string, note: Noting): void {
  for (const { name, address } of billAddresses(parseObject(text) ?? {})) note(name, address);
}

// `"bulb@npm:lamp@^1.0.0", bulb@1:` with its `resolved` below; the later form tells no hosts.
function noteYarn(text: string, note: Noting): void {
  for (const { key, value, path } of blockLines(text)) {
    if (key !== 'resolved' || path.length !== 1) continue;
    const [, installedAs, real] =
      /^"?((?:@[^/"]+\/)?[^@"]+)@(?:npm:((?:@[^/"]+\/)?[^@"]+)@)?/.exec(path[0] ?? '') ?? [];
    const name = real ?? installedAs;
    if (name) note(name, value);
  }
}

function notePnpm(text: string, note: Noting): void {
  for (const { key, value, path } of blockLines(text)) {
    const isAddress = path[0] === 'packages' && (key === 'tarball' || key === 'resolution');
    const address = isAddress ? /(?:^|tarball: '?)(https?:[^,'}\s]+)/.exec(value)?.[1] : undefined;
    const name = /^\/?((?:@[^/]+\/)?[^@/]+)[@/]/.exec(path[1] ?? '')?.[1];
    if (address && name) note(name, address);
  }
}

// `["lamp@1.0.0", "<address, or nothing for the public registry>", {…}, "sha512-…"]`
function noteBun(text: string, note: Noting): void {
  for (const [, value] of entriesIn(parseObject(plainJson(text))?.packages)) {
    const [named, address] = Array.isArray(value) ? value : [];
    const name = typeof named === 'string' ? /^((?:@[^/]+\/)?[^@]+)@/.exec(named)?.[1] : undefined;
    if (name) note(name, address);
  }
}

function notePython(text: string, note: Noting): void {
  for (const block of text.split(/^\[\[package\]\]$/m).slice(1)) {
    const name = /^name = "([^"]+)"/m.exec(block)?.[1];
    const address =
      /^source = \{ registry = "([^"]+)"/m.exec(block)?.[1] ??
      /^\[package\.source\]\ntype = "legacy"\nurl = "([^"]+)"/m.exec(block)?.[1] ??
      /\btype = "legacy"[\s\S]*?\burl = "([^"]+)"/.exec(block)?.[1];
    if (name) note(normalizePackageName('pypi', name), address);
  }
}

// The registries that `.yarnrc.yml` names, by scope; the one for all is under no name. The nearest file wins.
function yarnScopes(folder: string, env: Environment): Map<string, string> {
  const found = new Map<string, string>();
  const add = (scope: string, address: string) => {
    if (!found.has(scope)) found.set(scope, hostIn(address));
  };
  if (env.YARN_NPM_REGISTRY_SERVER) add('', env.YARN_NPM_REGISTRY_SERVER);
  const inside = boundaryOf(folder);
  for (const place of [...foldersAbove(realpathSync(folder)), homeOf(env)]) {
    const file = join(place, '.yarnrc.yml');
    // Above the repository are the person's own files.
    const isOfProject = isInside(inside, place);
    const text = isOfProject
      ? projectFileAt(file, { most: MAX_LENGTH, inside })
      : textFileAt(file, { most: MAX_LENGTH });
    for (const { key, value, path } of blockLines(text ?? '')) {
      if (key !== 'npmRegistryServer' || value === '') continue;
      if (path.length === 0) add('', value);
      else if (path[0] === 'npmScopes' && path[1]) add(`@${path[1].replace(/^@/, '')}`, value);
    }
  }
  return found;
}

const INDEX_VARIABLES = [
  'PIP_INDEX_URL',
  'PIP_EXTRA_INDEX_URL',
  'UV_INDEX_URL',
  'UV_EXTRA_INDEX_URL',
  'UV_DEFAULT_INDEX',
  'UV_INDEX',
  'PDM_PYPI_URL',
];
const INDEX_OPTION = /^\s*(?:-i|--(?:extra-)?index-url|--find-links|-f)(?:\s+|=)(\S+)/gm;
const INDEX_SETTING = /^\s*(?:extra-)?index-url\s*=\s*(\S+)/gm;
const PDM_SOURCE = /^\[\[tool\.pdm\.source\]\][^[]*?^url\s*=\s*["']([^"']+)/gm;

// An index beside the public one, for files that do not tell where each package comes from: any of them may be its own.
function indexOf({ file, text, manifests }: Project, env: Environment): string | undefined {
  const isPip = file === 'requirements.txt';
  if (!isPip && file !== 'pdm.lock') return undefined;
  const pyproject = manifests.find(({ path }) => path === 'pyproject.toml')?.text ?? '';
  const home = homeOf(env);
  const settings = [env.PIP_CONFIG_FILE, join(home, '.config/pip/pip.conf'), join(home, '.pip/pip.conf')];
  const named = [
    ...INDEX_VARIABLES.flatMap((name) => env[name]?.split(/\s+/) ?? []),
    ...firstOf(text.matchAll(isPip ? INDEX_OPTION : PDM_SOURCE)),
    ...firstOf(pyproject.matchAll(PDM_SOURCE)),
    ...(isPip ? settings.flatMap((path) => (path ? firstOf(textOf(path).matchAll(INDEX_SETTING)) : [])) : []),
  ].filter((address) => address !== '');
  const own = hostIn(env.REGISTRY_PYPI_URL ?? 'https://pypi.org');
  return named.map(hostIn).find((host) => isPrivate(host) && host !== own);
}

function firstOf(matches: Iterable<RegExpExecArray>): string[] {
  return [...matches].map(([, first = '']) => first);
}

// A folder, or a variable that is filled in later, is no public host either.
function hostIn(address: string): string {
  return URL.parse(address)?.host || 'an index of its own';
}

function homeOf(env: Environment): string {
  return env.HOME || env.USERPROFILE || homedir();
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

function textOf(path: string): string {
  return textFileAt(path, { most: MAX_LENGTH }) ?? '';
}

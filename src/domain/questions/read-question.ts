// What a text in the one field asks for: a package, an update of one, a repository, or words to search for.
import {
  ECOSYSTEMS,
  type Ecosystem,
  factsOfEcosystem,
  isEcosystem,
  isPossibleName,
  SCOPED_ECOSYSTEM,
  withEcosystem,
} from '../ecosystems/index.ts';
import { githubCoordinate } from '../urls.ts';

export type ReadQuestion =
  // Without an ecosystem it is a package only where one of this name is known.
  | { kind: 'package'; name: string; ecosystem: Ecosystem | null }
  | UpgradeQuestion
  // `owner/name` on the code host.
  | { kind: 'repository'; coordinate: string; from: string | null; to: string | null }
  | { kind: 'words'; text: string };

interface UpgradeQuestion {
  kind: 'upgrade';
  name: string;
  ecosystem: Ecosystem | null;
  from: string;
  to: string;
  // Text such as `error 404` is an update only where a package of this name is known.
  isSure: boolean;
}

const MAX_LENGTH = 500;
const NEWEST = 'latest';

const VERSION = /^[v^~=]{0,2}\d{1,9}(?:\.(?:\d{1,9}|[x*])){0,4}(?:[-+.]?[a-z][\w.+-]{0,60}|-\d[\w.+-]{0,60})?$/i;
const ADDRESS = /^(?:git\+)?(?:https?|ssh|git):\/\/|^git@|^(?:www\.)?(?:github\.com|npmjs\.com|pypi\.org)\//i;
const SCOPED = /^@[^/\s]+\/[^/\s]+$/;
const BETWEEN: ReadonlySet<string> = new Set(['to', 'from', 'until', 'and', 'vs', '-', '→', '->', '=>', '..', '...']);
const BEFORE: ReadonlySet<string> = new Set(['upgrade', 'update', 'updating', 'upgrading']);
// A lone number from here on is rather a code or a year than a version.
const MANY = 100;

export function readQuestion(typed: string): ReadQuestion {
  const text = typed.slice(0, MAX_LENGTH).trim().replaceAll(/\s+/g, ' ');
  const words = text.split(' ');
  if (BEFORE.has(words[0]?.toLowerCase() ?? '') && words.length > 2) words.shift();
  const [first = '', ...rest] = words;
  const named = readName(first);
  if (named === null) return { kind: 'words', text };
  const bounds = rest
    .flatMap((word) => word.split(/(?:\.{2,3}|->|=>|→)/))
    .filter((word) => word !== '' && !BETWEEN.has(word.toLowerCase()));
  const versions = [...(named.version === null ? [] : [named.version]), ...bounds];
  if (versions.length > 2 || !versions.every(isBound)) return { kind: 'words', text };
  const [from = null, to = null] = versions;
  if (named.coordinate !== null) return { kind: 'repository', coordinate: named.coordinate, from, to };
  const { name, ecosystem } = named;
  // `zod latest` is about the package.
  if (from === null || isNewest(from)) return { kind: 'package', name, ecosystem };
  const isSure =
    ecosystem !== null || named.version !== null || versions.length > 1 || !/^\d+$/.test(from) || Number(from) < MANY;
  return { kind: 'upgrade', name, ecosystem, from: plainVersion(from), to: plainVersion(to ?? NEWEST), isSure };
}

function isBound(text: string): boolean {
  return isNewest(text) || VERSION.test(text);
}

function isNewest(text: string): boolean {
  return text.toLowerCase() === NEWEST;
}

// Without the signs of a version range, and without the last parts that are open: `^3.25.x` is 3.25.
function plainVersion(text: string): string {
  return isNewest(text) ? NEWEST : text.replace(/^[~=^]+/, '').replace(/(?:\.[x*])+$/i, '');
}

interface NamedThing {
  name: string;
  ecosystem: Ecosystem | null;
  version: string | null;
  coordinate: string | null;
}

function readName(word: string): NamedThing | null {
  if (word.startsWith('pkg:')) return readPurl(word);
  if (ADDRESS.test(word)) return readAddress(word);
  const said = withEcosystem(word);
  const { name, version } = splitVersion(said?.rest ?? word);
  if (said) return packageOf(said.ecosystem, name, version);
  if (SCOPED.test(name)) return packageOf(SCOPED_ECOSYSTEM, name, version);
  if (/^github:/i.test(name) || name.includes('/')) return repositoryOf(name, version);
  if (VERSION.test(name) || !ECOSYSTEMS.some((one) => isPossibleName(one, name))) return null;
  return { name, ecosystem: null, version, coordinate: null };
}

function splitVersion(text: string): { name: string; version: string | null } {
  const at = text.lastIndexOf('@');
  const equal = text.indexOf('==');
  if (equal > 0) return { name: text.slice(0, equal), version: text.slice(equal + 2) || null };
  return at > 0 ? { name: text.slice(0, at), version: text.slice(at + 1) || null } : { name: text, version: null };
}

function packageOf(ecosystem: Ecosystem, name: string, version: string | null): NamedThing | null {
  return isPossibleName(ecosystem, name) ? { name, ecosystem, version, coordinate: null } : null;
}

function repositoryOf(text: string, version: string | null): NamedThing | null {
  const coordinate = githubCoordinate(text);
  return coordinate === null ? null : { name: text, ecosystem: null, version, coordinate };
}

// A package URL, of which qualifiers and subpaths do not count.
const PURL = /^pkg:\/{0,2}(?<type>[a-z][a-z0-9.+-]*)\/(?<path>[^?#]+)/i;

function readPurl(word: string): NamedThing | null {
  const { type = '', path = '' } = PURL.exec(word)?.groups ?? {};
  const ecosystem = type.toLowerCase();
  const { name, version } = splitVersion(path);
  const [plainName, plain] = [decoded(name), version === null ? null : decoded(version)];
  if (plainName === null) return null;
  if (ecosystem === 'github') return repositoryOf(`github:${plainName}`, plain);
  return isEcosystem(ecosystem) ? packageOf(ecosystem, plainName, plain) : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

// The address of a repository, or of the page of a package or of one of its versions.
function readAddress(word: string): NamedThing | null {
  const address = /^(?:www\.)?(?:npmjs\.com|pypi\.org)\//i.test(word) ? `https://${word}` : word;
  for (const ecosystem of ECOSYSTEMS) {
    const named = readPackagePage(ecosystem, address);
    if (named) return named;
  }
  return repositoryOf(address, null);
}

function readPackagePage(ecosystem: Ecosystem, address: string): NamedThing | null {
  const page = URL.parse(address);
  const home = URL.parse(factsOfEcosystem(ecosystem).packagePage('name'));
  if (page === null || home === null || page.host.replace(/^www\./, '') !== home.host.replace(/^www\./, ''))
    return null;
  const [folder = ''] = home.pathname.split('name', 1);
  const path = decoded(page.pathname);
  if (path === null || !path.startsWith(folder)) return null;
  const segments = path.slice(folder.length).split('/').filter(Boolean);
  const name = segments.splice(0, segments[0]?.startsWith('@') ? 2 : 1).join('/');
  const version = segments.at(-1) ?? null;
  return packageOf(ecosystem, name, version !== null && VERSION.test(version) ? version : null);
}

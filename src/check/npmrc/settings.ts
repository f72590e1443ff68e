// Where packages are asked for, and with which credentials, as npm would do it. The files of the person and of the machine are
// trusted; a file in the project comes with the code of strangers, so it names scopes and addresses and nothing else.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isScope } from '../../domain/published-package.ts';
import { boundaryOf } from '../git/repository.ts';
import { projectFileAt, textFileAt } from '../local-file.ts';
import { type NpmrcKeys, parseNpmrc } from './parse.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface NpmRegistry {
  // Without a slash at the end.
  url: string;
  // The registry that everybody knows: its packages may be named to others.
  isPublic: boolean;
  // The person named the host in a file of their own, so it may lie in a private network.
  isTrusted: boolean;
}

export interface NpmSettings {
  registryOf(name: string): NpmRegistry;
  // The value of `Authorization` for an address; null when none belongs to its host.
  credentialFor(url: string): string | null;
  // Hosts that may have a private address, as `host:port`.
  readonly trustedHosts: readonly string[];
  // Certificates to trust beside those of the machine, and the proxy for an address.
  readonly ca: string | null;
  proxyFor(url: string): string | null;
  // The folder of npm's own cache.
  readonly cacheFolder: string;
}

const MAX_LENGTH = 4 * 1024 * 1024;
const PUBLIC_NPM = 'https://registry.npmjs.org';
// The public registry under another name.
const PUBLIC_HOSTS = new Set(['registry.npmjs.org', 'registry.yarnpkg.com']);

interface SettingsInput {
  folder: string;
  env: Environment;
  platform?: NodeJS.Platform;
}

export function readNpmSettings({ folder, env, platform = process.platform }: SettingsInput): NpmSettings {
  const home = env.HOME || env.USERPROFILE || homedir();
  const own = new Map([
    ...ownKeys(env.NPM_CONFIG_GLOBALCONFIG ?? env.npm_config_globalconfig ?? globalFile(env), env),
    ...ownKeys(env.NPM_CONFIG_USERCONFIG ?? env.npm_config_userconfig ?? join(home, '.npmrc'), env),
  ]);
  const project = projectKeys(folder);
  const variables = keysOfVariables(env);
  // npm lets the project's file win over the person's, and variables over both.
  const addresses = new Map([...addressKeys(own), ...project, ...addressKeys(variables)]);
  const publicUrl = registryUrl(env.REGISTRY_NPM_URL) ?? PUBLIC_NPM;
  const ownAddresses = [...addressKeys(own).values(), ...addressKeys(variables).values(), ...credentialHosts(own)];
  // A house may have a copy of the public registry under its name.
  const trusted = new Set([publicUrl, ...ownAddresses].flatMap(hostOf));
  const allowed = (env.REGISTRY_EGRESS_ALLOW ?? '').split(',').map((one) => one.trim());
  const setting = (name: string) => variables.get(name) ?? own.get(name) ?? null;

  return {
    registryOf(name) {
      const scope = /^(@[^/]+)\//.exec(name)?.[1];
      const url = (scope && addresses.get(`${scope}:registry`)) ?? addresses.get('registry') ?? publicUrl;
      const isPublic = url === publicUrl || PUBLIC_HOSTS.has(URL.parse(url)?.host ?? '');
      return { url, isPublic, isTrusted: isPublic || hostOf(url).some((host) => trusted.has(host)) };
    },
    credentialFor: (url) => credentialIn(own, url, allowed),
    trustedHosts: [...trusted],
    ca: certificates(setting('ca'), setting('cafile') ?? env.NODE_EXTRA_CA_CERTS ?? null),
    proxyFor: (url) => proxyOf(url, { env, setting }),
    cacheFolder: setting('cache') || defaultCache({ env, home, platform }),
  };
}

function ownKeys(path: string, env: Environment): NpmrcKeys {
  return parseNpmrc(textFileAt(path, { most: MAX_LENGTH }) ?? '', env);
}

function globalFile(env: Environment): string {
  return join(env.PREFIX || join(process.execPath, '../..'), 'etc/npmrc');
}

// `npm_config_registry` and the like; names are the same with hyphens, underscores and capitals.
function keysOfVariables(env: Environment): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    const key = /^npm_config_(.+)$/i.exec(name)?.[1];
    if (key !== undefined && value) found.set(key.toLowerCase().replace(/(?!^)_/g, '-'), value);
  }
  return found;
}

// Of the project only addresses count: no tokens, no variables in them, no proxy, no certificates.
function projectKeys(folder: string): Map<string, string> {
  const text = projectFileAt(join(folder, '.npmrc'), { most: MAX_LENGTH, inside: boundaryOf(folder) });
  return addressKeys(parseNpmrc(text ?? '', null));
}

function addressKeys(keys: NpmrcKeys): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of keys) {
    const scope = /^(@.+):registry$/.exec(key)?.[1];
    if (key !== 'registry' && (scope === undefined || !isScope(scope))) continue;
    const url = registryUrl(value);
    if (url !== null) found.set(key, url);
  }
  return found;
}

function registryUrl(value: string | undefined): string | null {
  const url = value === undefined ? null : URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function hostOf(address: string): string[] {
  const url = URL.parse(address);
  return url === null ? [] : [`${url.hostname}:${url.port || (url.protocol === 'http:' ? '80' : '443')}`];
}

// Credentials are keyed by the address that they belong to: `//npm.acme.example/:_authToken`.

const CREDENTIAL = /^(\/\/[^\s]+?)\/?:(_authToken|_auth|username|_password)$/;

function credentialHosts(own: NpmrcKeys): string[] {
  return [...own.keys()].flatMap((key) => {
    const place = CREDENTIAL.exec(key)?.[1];
    return place === undefined ? [] : [`https:${place}`];
  });
}

// The nearest one above the address. A token goes over https alone; a server on this machine may be named in
// REGISTRY_EGRESS_ALLOW to get it without.
function credentialIn(own: NpmrcKeys, address: string, allowed: readonly string[]): string | null {
  const url = URL.parse(address);
  if (url === null) return null;
  const isLocal = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(url.hostname) && allowed.includes(url.host);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) return null;
  for (const place of placesAbove(url)) {
    const key = (name: string) => own.get(`${place}/:${name}`) ?? own.get(`${place}:${name}`);
    const value = headerOf(key);
    if (value !== null) return value;
  }
  return null;
}

function placesAbove({ host, pathname }: URL): string[] {
  const parts = pathname.split('/').filter(Boolean).slice(0, 20);
  return [...parts.keys(), parts.length].reverse().map((count) => [`//${host}`, ...parts.slice(0, count)].join('/'));
}

function headerOf(key: (name: string) => string | undefined): string | null {
  const [token, basic, user, password] = [key('_authToken'), key('_auth'), key('username'), key('_password')];
  const value = token
    ? `Bearer ${token}`
    : basic
      ? `Basic ${basic}`
      : user && password
        ? `Basic ${Buffer.from(`${user}:${Buffer.from(password, 'base64')}`).toString('base64')}`
        : null;
  // What would end the header is no credential.
  return value !== null && /^[\x20-\x7e]+$/.test(value) ? value : null;
}

function certificates(given: string | null, file: string | null): string | null {
  const inline = given?.replaceAll('\\n', '\n') ?? '';
  const text = file === null ? '' : (textFileAt(file, { most: MAX_LENGTH }) ?? '');
  const all = [inline, text].filter((one) => one.includes('BEGIN CERTIFICATE')).join('\n');
  return all === '' ? null : all;
}

interface ProxyInput {
  env: Environment;
  setting: (name: string) => string | null;
}

function proxyOf(address: string, { env, setting }: ProxyInput): string | null {
  const url = URL.parse(address);
  if (url === null) return null;
  const excepted = setting('noproxy') ?? env.NO_PROXY ?? env.no_proxy ?? '';
  const isExcepted = excepted
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((one) => one === '*' || url.hostname === one || url.hostname.endsWith(`.${one.replace(/^\*?\./, '')}`));
  if (isExcepted) return null;
  const secure = setting('https-proxy') ?? env.HTTPS_PROXY ?? env.https_proxy;
  const plain = setting('proxy') ?? env.HTTP_PROXY ?? env.http_proxy;
  const proxy = url.protocol === 'https:' ? (secure ?? setting('proxy')) : plain;
  return proxy && proxy !== 'null' && URL.canParse(proxy) ? proxy : null;
}

function defaultCache({ env, home, platform }: { env: Environment; home: string; platform: NodeJS.Platform }): string {
  return platform === 'win32' ? join(env.LOCALAPPDATA || join(home, 'AppData/Local'), 'npm-cache') : join(home, '.npm');
}

// Code hosts whose releases and files can be read, and where on them a repository lies.

// The shapes of their interfaces. Forgejo answers as Gitea does.
export type CodeHostKind = 'github' | 'gitlab' | 'gitea';

export interface CodeHost {
  kind: CodeHostKind;
  // Where people read it; without a slash at the end, like the others.
  web: string;
  api: string;
  // Where files are had without the limits of the interface.
  raw?: string;
}

export interface Repository {
  host: CodeHost;
  // `owner/name`; groups of GitLab nest.
  path: string;
}

export const GITHUB: CodeHost = {
  kind: 'github',
  web: 'https://github.com',
  api: 'https://api.github.com',
  raw: 'https://raw.githubusercontent.com',
};

const API_PATHS: Record<CodeHostKind, string> = { github: '/api/v3', gitlab: '/api/v4', gitea: '/api/v1' };

// Those that anybody may ask. A package can name no other.
const PUBLIC_HOSTS: readonly CodeHost[] = [
  GITHUB,
  ...['https://gitlab.com', 'https://gitlab.gnome.org', 'https://gitlab.freedesktop.org'].map((web) =>
    codeHostAt('gitlab', web),
  ),
  ...['https://framagit.org', 'https://salsa.debian.org'].map((web) => codeHostAt('gitlab', web)),
  ...['https://codeberg.org', 'https://gitea.com'].map((web) => codeHostAt('gitea', web)),
];

export function codeHostAt(kind: CodeHostKind, web: string): CodeHost {
  return { kind, web, api: `${web}${API_PATHS[kind]}` };
}

// The public ones with those that a person names, as `gitea=https://git.acme.example, gitlab=…`. What is no address is left out.
export function knownCodeHosts(named: string): CodeHost[] {
  const own = named.split(/[\s,]+/).flatMap((text) => {
    const [, kind, address = ''] = /^(github|gitlab|gitea|forgejo)=(\S{1,500})$/.exec(text) ?? [];
    const web = plainAddress(address);
    if (kind === undefined || web === null) return [];
    return [codeHostAt(kind === 'forgejo' ? 'gitea' : (kind as CodeHostKind), web)];
  });
  return [...own, ...PUBLIC_HOSTS];
}

// An address of a server without user, query and closing slash; null for anything else.
export function plainAddress(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

const SEGMENT = /^(?!\.{1,2}$)[\w.-]{1,100}$/;
const MAX_GROUPS = 8;

// The repository at an address, as `repositoryUrl` gives it; null where it lies at no known host or the path is none.
export function repositoryAt(address: string, hosts: readonly CodeHost[]): Repository | null {
  const url = URL.parse(address);
  if (url === null) return null;
  const host = hosts.find(({ web }) => isBelow(url, new URL(web)));
  if (!host) return null;
  const below = url.pathname.slice(new URL(host.web).pathname.replace(/\/+$/, '').length);
  const segments = below
    .replace(/\/-\/.*$/, '')
    .split('/')
    .filter(Boolean);
  const named = host.kind === 'gitlab' ? segments.slice(0, MAX_GROUPS) : segments.slice(0, 2);
  const plain = named.map((one, index) => (index === named.length - 1 ? one.replace(/\.git$/, '') : one));
  return plain.length >= 2 && plain.every((one) => SEGMENT.test(one)) ? { host, path: plain.join('/') } : null;
}

function isBelow(url: URL, home: URL): boolean {
  const isHost = url.host.replace(/^www\./, '') === home.host;
  const base = home.pathname.replace(/\/+$/, '');
  return isHost && (base === '' || url.pathname.startsWith(`${base}/`));
}

// What to ask a code host for.

export const RELEASES_A_PAGE: Record<CodeHostKind, number> = { github: 100, gitlab: 100, gitea: 50 };

export function releasesAddress({ host, path }: Repository, page = 1): string {
  const paged = page === 1 ? '' : `&page=${page}`;
  switch (host.kind) {
    case 'github':
      return `${host.api}/repos/${path}/releases?per_page=${RELEASES_A_PAGE.github}${paged}`;
    case 'gitlab':
      return `${host.api}/projects/${encodeURIComponent(path)}/releases?per_page=${RELEASES_A_PAGE.gitlab}${paged}`;
    case 'gitea':
      return `${host.api}/repos/${path}/releases?limit=${RELEASES_A_PAGE.gitea}${paged}`;
  }
}

// A file of the default branch, as it is.
export function fileAddress({ host, path }: Repository, file: string): string {
  const escaped = file.split('/').map(encodeURIComponent).join('/');
  switch (host.kind) {
    case 'github':
      return host.raw ? `${host.raw}/${path}/HEAD/${escaped}` : `${host.api}/repos/${path}/contents/${escaped}`;
    case 'gitlab':
      return `${host.web}/${path}/-/raw/HEAD/${escaped}`;
    case 'gitea':
      return `${host.api}/repos/${path}/raw/${escaped}`;
  }
}

// What a folder of a repository holds; only asked of hosts in the shape of GitHub.
export function folderAddress({ host, path }: Repository, folder: string): string {
  return `${host.api}/repos/${path}/contents/${folder.split('/').map(encodeURIComponent).join('/')}`;
}

export function repositoryPage({ host, path }: Repository): string {
  return `${host.web}/${path}`;
}

// How a host is asked for its documents, and for a file as it is.
export const JSON_OF: Record<CodeHostKind, string> = {
  github: 'application/vnd.github+json',
  gitlab: 'application/json',
  gitea: 'application/json',
};
export const RAW_OF: Record<CodeHostKind, string> = {
  github: 'application/vnd.github.raw+json, ',
  gitlab: '',
  gitea: '',
};

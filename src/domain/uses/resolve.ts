// Where a specifier leads: to a file of the project (relative paths, paths of tsconfig, workspaces, `#imports`), or to a package.
import { isRecord } from '../records.ts';

type Target = { file: string } | { package: string; subpath: string } | 'elsewhere';

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte', '.json'];
const INDEXES = ENDINGS.slice(1).map((ending) => `/index${ending}`);
const MAX_EXTENDS = 8;

interface Aliases {
  folder: string;
  base: string | null;
  paths: readonly { before: string; after: string; isExact: boolean; targets: readonly string[] }[];
}

interface Workspace {
  name: string;
  folder: string;
  entries: readonly string[];
  imports: Readonly<Record<string, unknown>>;
}

export class Resolver {
  readonly #files: ReadonlySet<string>;
  readonly #aliases: Aliases[] = [];
  readonly #workspaces: Workspace[] = [];
  readonly #known = new Map<string, Target>();
  // Packages that are installed under another name.
  readonly installedAs = new Map<string, string>();

  constructor(files: ReadonlySet<string>, manifests: readonly { path: string; text: string }[]) {
    this.#files = files;
    const texts = new Map(manifests.map(({ path, text }) => [path, text]));
    for (const [path, text] of texts) {
      const folder = folderOf(path);
      if (path.endsWith('package.json')) this.#addManifest(folder, readJson(text));
      else this.#addAliases(path, texts);
    }
    this.#aliases.sort((a, b) => b.folder.length - a.folder.length);
  }

  resolve(from: string, specifier: string): Target {
    const isAnywhere = this.#aliases.length === 0 && !/^[./#]/.test(specifier);
    const key = isAnywhere ? specifier : `${folderOf(from)}\n${specifier}`;
    const target = this.#known.get(key) ?? this.#resolve(from, specifier);
    this.#known.set(key, target);
    return target;
  }

  #resolve(from: string, specifier: string): Target {
    if (/^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..') {
      return this.#local(specifier.startsWith('/') ? specifier.slice(1) : joined(folderOf(from), specifier));
    }
    if (specifier.startsWith('#')) return this.#imported(from, specifier);
    const aliased = this.#aliased(from, specifier);
    if (aliased) return aliased;
    const name = packageNameOf(specifier);
    if (name === null || /^(?!node:)[a-z]+:/.test(specifier)) return 'elsewhere';
    const workspace = this.#workspaces.find((one) => one.name === name);
    if (workspace) return this.#inWorkspace(workspace, specifier.slice(name.length));
    return { package: name, subpath: `.${specifier.slice(name.length)}` };
  }

  #addManifest(folder: string, manifest: unknown): void {
    if (!isRecord(manifest)) return;
    const { name, imports } = manifest;
    const entries = [manifest.source, manifest.types, manifest.module, manifest.main, ...textsIn(manifest.exports)];
    this.#workspaces.push({
      name: typeof name === 'string' ? name : '',
      folder,
      entries: entries.filter((entry) => typeof entry === 'string'),
      imports: isRecord(imports) ? imports : {},
    });
    for (const field of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      const table = manifest[field];
      for (const [key, range] of Object.entries(isRecord(table) ? table : {})) {
        const real = typeof range === 'string' ? /^npm:(@?[^@]+)/.exec(range)?.[1] : undefined;
        if (real && real !== key) this.installedAs.set(key, real);
      }
    }
  }

  #addAliases(path: string, texts: ReadonlyMap<string, string>): void {
    let at: string | null = path;
    for (let depth = 0; at !== null && depth < MAX_EXTENDS; depth += 1) {
      const config = readJson(texts.get(at) ?? '');
      if (!isRecord(config)) return;
      const options = isRecord(config.compilerOptions) ? config.compilerOptions : {};
      const base = typeof options.baseUrl === 'string' ? joined(folderOf(at), options.baseUrl) : null;
      if (base !== null || isRecord(options.paths)) {
        const root = base ?? folderOf(at);
        const paths = Object.entries(isRecord(options.paths) ? options.paths : {}).flatMap(([key, targets]) => {
          if (!Array.isArray(targets)) return [];
          const [before = '', after = ''] = key.split('*');
          const texts = targets.filter((target) => typeof target === 'string').map((target) => joined(root, target));
          return [{ before, after, isExact: !key.includes('*'), targets: texts }];
        });
        this.#aliases.push({ folder: folderOf(path), base, paths });
        return;
      }
      const [first] = Array.isArray(config.extends) ? config.extends : [config.extends];
      const next: string | null =
        typeof first === 'string' && first.startsWith('.') ? joined(folderOf(at), first) : null;
      at = next === null || texts.has(next) ? next : `${next}.json`;
    }
  }

  #aliased(from: string, specifier: string): Target | null {
    for (const { folder, base, paths } of this.#aliases) {
      if (folder !== '' && !from.startsWith(`${folder}/`)) continue;
      for (const { before, after, isExact, targets } of paths) {
        if (isExact ? specifier !== before : !specifier.startsWith(before) || !specifier.endsWith(after)) continue;
        const middle = isExact ? '' : specifier.slice(before.length, specifier.length - after.length);
        for (const target of targets) {
          const file = this.#fileAt(target.replace('*', () => middle));
          if (file !== null) return { file };
        }
        // A path into node_modules is the package itself.
        if (targets.some((target) => !target.includes('node_modules/'))) {
          if (before.length > 0) return 'elsewhere';
        }
      }
      const file = base === null ? null : this.#fileAt(joined(base, specifier));
      if (file !== null) return { file };
    }
    return null;
  }

  #imported(from: string, specifier: string): Target {
    const owners = this.#workspaces.filter(({ folder }) => folder === '' || from.startsWith(`${folder}/`));
    for (const { folder, imports } of owners.sort((a, b) => b.folder.length - a.folder.length)) {
      for (const [key, value] of Object.entries(imports)) {
        const [before = '', after = ''] = key.split('*');
        if (key.includes('*') ? !specifier.startsWith(before) || !specifier.endsWith(after) : specifier !== key)
          continue;
        const middle = specifier.slice(before.length, specifier.length - after.length);
        for (const text of textsIn(value)) {
          const target = text.replace('*', () => middle);
          if (!target.startsWith('.')) return this.#resolve(from, target);
          const file = this.#fileAt(joined(folder, target));
          if (file !== null) return { file };
        }
      }
    }
    return 'elsewhere';
  }

  #inWorkspace({ folder, entries }: Workspace, rest: string): Target {
    const built = (path: string) => [path, path.replace(/^(?:\.\/)?(?:dist|lib|build|out|esm|cjs)\//, 'src/')];
    const candidates =
      rest === ''
        ? [...entries.flatMap(built), 'src/index', 'index', 'src/main']
        : [`.${rest}`, `src${rest}`, `lib${rest}`];
    for (const candidate of candidates) {
      const file =
        this.#fileAt(joined(folder, candidate)) ??
        this.#fileAt(joined(folder, candidate.replace(/\.(?:d\.)?[cm]?[jt]sx?$/, '')));
      if (file !== null) return { file };
    }
    return 'elsewhere';
  }

  #local(path: string): Target {
    const file = this.#fileAt(path);
    return file === null ? 'elsewhere' : { file };
  }

  #fileAt(path: string): string | null {
    for (const ending of ENDINGS) if (this.#files.has(path + ending)) return path + ending;
    for (const index of INDEXES) {
      const inside = path === '' ? index.slice(1) : path.replace(/\/$/, '') + index;
      if (this.#files.has(inside)) return inside;
    }
    // An import names the file that will be made of a source.
    const source = path.replace(/\.([cm]?)jsx?$/, '.$1ts');
    if (source !== path) for (const one of [source, `${source}x`]) if (this.#files.has(one)) return one;
    return null;
  }
}

export function packageNameOf(specifier: string): string | null {
  return /^(?:@[^/\s@]+\/)?[^/@\s.][^/\s]*/.exec(specifier)?.[0] ?? null;
}

function folderOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end < 0 ? '' : path.slice(0, end);
}

function joined(folder: string, path: string): string {
  const parts: string[] = folder === '' ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

// The texts of an `exports` or `imports` entry, conditions in order.
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (!isRecord(value) || depth > 6) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1));
}

// JSON as tsconfig has it: with comments and trailing commas.
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    const plain = text.replace(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, kept) => kept ?? '');
    try {
      return JSON.parse(plain.replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[\]}])/g, (_, kept) => kept ?? ''));
    } catch {
      return null;
    }
  }
}

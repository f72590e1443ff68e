// What the compiler sees of a project: its own files as they were read, packages that are put in place of installed ones, and
// what else is installed, links resolved. Nothing outside of the project's folder is read, apart from the library of the language.
import { readdirSync, realpathSync, statSync } from 'node:fs';
import ts from 'typescript-api';
import { parseLibraryFile } from '../../domain/evidence/library-file.ts';
import { Chains, MAX_CHAIN, MAX_NESTING, nestsDeeperThan } from '../../domain/evidence/nesting.ts';
import type { PackageFiles } from '../../domain/evidence/package-files.ts';
import type { SourceFile } from '../../domain/uses/project.ts';
import { textFileAt } from '../local-file.ts';

// A package in place of the installed one, with the packages that stand below it.
interface PutInPlace {
  files: PackageFiles;
  dependencies: readonly PackageFiles[];
}

const MAX_TEXT = 5_000_000;
const library = new Map<string, ts.SourceFile | undefined>();
const libraryFolder = ts.getDefaultLibFilePath({}).replace(/[\\/][^\\/]*$/, '');

export class ProjectHost {
  readonly root: string;
  readonly #texts = new Map<string, string>();
  readonly #folders = new Set<string>();
  // Folders of packages that are replaced, and where their neighbours are installed.
  readonly #replaced = new Map<string, string>();
  readonly #seen = new Map<string, string | null>();
  readonly #parsed = new Map<string, ts.SourceFile>();
  // Installed packages by name, and files of the project by path, on which the compiler would break.
  readonly #leftOut = new Set<string>();
  readonly #chains = new Chains((path) => this.#text(path) ?? null);

  constructor(root: string, files: readonly SourceFile[]) {
    this.root = real(root) ?? root;
    for (const { path, text } of files) this.#add(`${this.root}/${path}`, text);
  }

  put({ files, dependencies }: PutInPlace): void {
    const folder = `${this.root}/node_modules/${files.name}`;
    const installed = real(folder);
    const neighbours = installed === null ? null : installed.slice(0, -files.name.length - 1);
    this.#replaced.set(
      folder,
      neighbours !== null && this.#isInside(neighbours) ? neighbours : `${this.root}/node_modules`,
    );
    this.#addPackage(folder, files);
    for (const one of dependencies) this.#addPackage(`${folder}/node_modules/${one.name}`, one);
  }

  // A package where nothing is installed.
  addBeside(files: PackageFiles): void {
    this.#addPackage(`${this.root}/node_modules/${files.name}`, files);
  }

  compilerHost(options: ts.CompilerOptions): ts.CompilerHost {
    return {
      fileExists: (path) => this.#text(path) !== undefined,
      readFile: (path) => this.#text(path),
      useCaseSensitiveFileNames: () => true,
      directoryExists: (path) => this.#isFolder(path),
      getDirectories: (path) => this.#foldersIn(path),
      getCurrentDirectory: () => this.root,
      getCanonicalFileName: (path) => path,
      getNewLine: () => '\n',
      getDefaultLibFileName: () => `${libraryFolder}/${ts.getDefaultLibFileName(options)}`,
      getDefaultLibLocation: () => libraryFolder,
      writeFile: () => {},
      realpath: (path) =>
        this.#place(path) === path && !this.#texts.has(path) ? (this.#insideReal(path) ?? path) : path,
      getSourceFile: (path, version) => this.#sourceFile(path, version),
    };
  }

  // What was read of installed packages, by the paths below the folder.
  filesRead(): string[] {
    return [...this.#seen].flatMap(([path, text]) => (text === null ? [] : [path.slice(this.root.length + 1)]));
  }

  // What the compiler is not given: installed packages, and files of the project.
  leftOut(): string[] {
    return [...this.#leftOut].sort();
  }

  // For tsconfig: files are named by the project, never by a pattern.
  parseHost(): ts.ParseConfigHost {
    return {
      useCaseSensitiveFileNames: true,
      fileExists: (path) => this.#text(path) !== undefined,
      readFile: (path) => this.#text(path),
      readDirectory: () => [],
    };
  }

  #add(path: string, text: string): void {
    this.#texts.set(path, text);
    for (let folder = path.slice(0, path.lastIndexOf('/')); folder !== '' && !this.#folders.has(folder); ) {
      this.#folders.add(folder);
      folder = folder.slice(0, folder.lastIndexOf('/'));
    }
  }

  #addPackage(folder: string, { texts }: PackageFiles): void {
    for (const [path, text] of texts) {
      if (/\.[cm]?tsx?$|(?:^|\/)package\.json$/.test(path)) this.#add(`${folder}/${path}`, text);
    }
  }

  // Where a path lies on disk: a replaced package has its own files, and the neighbours of the installed one.
  #place(path: string): string | null {
    for (const [folder, neighbours] of this.#replaced) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      const inner = path.slice(folder.length + 1);
      return inner.startsWith('node_modules/') ? `${neighbours}/${inner.slice('node_modules/'.length)}` : null;
    }
    return path;
  }

  #text(path: string): string | undefined {
    const own = this.#texts.get(path);
    if (own !== undefined) return own;
    if (isLibrary(path)) return ts.sys.readFile(path);
    const known = this.#seen.get(path);
    if (known !== undefined) return known ?? undefined;
    const text = this.#fromDisk(path);
    this.#seen.set(path, text);
    return text ?? undefined;
  }

  #fromDisk(path: string): string | null {
    // Sources of the project are those that were read; only packages are looked up.
    if (!path.includes('/node_modules/')) return null;
    const inside = this.#insideReal(path);
    return inside === null ? null : textFileAt(inside, { most: MAX_TEXT, inside: this.root });
  }

  #insideReal(path: string): string | null {
    const place = this.#place(path);
    const found = place === null || !this.#isInside(place) ? null : real(place);
    return found !== null && this.#isInside(found) ? found : null;
  }

  #isInside(path: string): boolean {
    return path === this.root || path.startsWith(`${this.root}/`);
  }

  #isFolder(path: string): boolean {
    const plain = path.replace(/\/$/, '');
    if (this.#folders.has(plain)) return true;
    const inside = this.#insideReal(plain);
    if (inside === null) return false;
    try {
      return statSync(inside).isDirectory();
    } catch {
      return false;
    }
  }

  #foldersIn(path: string): string[] {
    const plain = path.replace(/\/$/, '');
    const own = [...this.#folders].flatMap((folder) =>
      folder.startsWith(`${plain}/`) ? [folder.slice(plain.length + 1).split('/')[0] ?? ''] : [],
    );
    const inside = this.#insideReal(plain);
    try {
      const found = inside === null ? [] : readdirSync(inside, { withFileTypes: true });
      return [...new Set([...own, ...found.filter((one) => !one.isFile()).map(({ name }) => name)])];
    } catch {
      return [...new Set(own)];
    }
  }

  // One file that is too deep leaves its whole package out.
  #isTooDeep(path: string, text: string): boolean {
    const installed = this.#texts.has(path) ? undefined : /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
    const name = installed ?? path.slice(this.root.length + 1);
    const isDeep =
      this.#leftOut.has(name) ||
      nestsDeeperThan(text, MAX_NESTING) ||
      (installed !== undefined && this.#chains.isLongerThan(path, MAX_CHAIN));
    if (isDeep) this.#leftOut.add(name);
    return isDeep;
  }

  #sourceFile(path: string, version: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined {
    const cache = isLibrary(path) ? library : this.#parsed;
    const key = typeof version === 'object' ? `${path} ${version.impliedNodeFormat ?? ''}` : path;
    const known = cache.get(key);
    if (known) return known;
    const text = this.#text(path);
    if (text === undefined || (cache !== library && this.#isTooDeep(path, text))) return undefined;
    const made =
      cache === library ? parseLibraryFile(path, text, version, true) : ts.createSourceFile(path, text, version, true);
    cache.set(key, made);
    return made;
  }
}

// A file of the language's own library, which lies outside of every project.
function isLibrary(path: string): boolean {
  return path.startsWith(`${libraryFolder}/`) && /^lib[\w.]*\.d\.ts$/.test(path.slice(libraryFolder.length + 1));
}

function real(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

// All uses of packages by the files of a project. Only files that can matter are read: those that name one of the packages that
// are asked about, and those that get it through other files of the project.
import { builtinModules } from 'node:module';
import { typeReferences } from './ambient.ts';
import { Linker, type ReadFile } from './linker.ts';
import { readPython } from './python.ts';
import { packageNameOf, Resolver } from './resolve.ts';
import { isScannable, mayBeSpecifiers, mayLoadAnything } from './scan.ts';
import type { FileUses, Touch } from './touch.ts';
import type { Place } from './use.ts';

export interface SourceFile {
  // Relative to the project, with `/` between folders.
  path: string;
  text: string;
  // A script without an extension, which its first line or a manifest makes a program.
  isProgram?: boolean;
}

// A touch that leads to a package.
export interface PackageTouch extends Omit<Touch, 'specifier'> {
  file: string;
  subpath: string;
  // A program has written the file, so nobody of the project uses anything there.
  isGenerated: boolean;
}

export interface PackageUses {
  touches: PackageTouch[];
  // Where the package is mentioned and nothing could be read.
  unclear: Place[];
}

export interface ProjectUses {
  packages: ReadonlyMap<string, PackageUses>;
  // Modules of Python packages, by their names.
  modules: ReadonlyMap<string, PackageUses>;
  sources: readonly SourceFile[];
  manifests: readonly SourceFile[];
  // Loads of modules whose names are known only at run time.
  dynamic: readonly Place[];
  // Files that were not looked at, which may use anything.
  leftOut: number;
  // The names under which the project installs a package.
  installedNames(packageName: string): readonly string[];
  // Whether a text of the project names the package.
  isNamed(packageName: string): boolean;
  // Where a word stands in a source file as a name or as a whole text.
  placesOfWord(word: string): readonly Place[];
}

const SCRIPTS = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i;

function isScript({ path, isProgram }: SourceFile): boolean {
  return isProgram === true || SCRIPTS.test(path);
}

const MANIFESTS = /(?:^|\/)(?:package|[tj]sconfig[\w.-]*)\.json$/;

interface ReadingOptions {
  leftOut?: number;
  // The packages that anybody will ask for; null for all.
  asked?: readonly string[] | null;
}

// Which files a file may import, and whether it names a package that is asked about.
interface Scanned {
  files: ReadonlySet<string>;
  isAsked: boolean;
}

export class ProjectReading {
  readonly #all: readonly SourceFile[];
  readonly #sources: readonly SourceFile[];
  readonly #manifests: readonly SourceFile[];
  readonly #leftOut: number;
  readonly #resolver: Resolver;
  readonly #read = new Map<string, ReadFile>();
  // Null when everything is read.
  readonly #asked: ReadonlySet<string> | null;
  readonly #scanned = new Map<string, Scanned>();
  readonly #named = new Set<string>();
  // Files that hand on names of the packages.
  readonly #carriers = new Set<string>();
  #packages: ReadonlyMap<string, PackageUses> | null = null;

  constructor(files: Iterable<SourceFile>, { leftOut = 0, asked = null }: ReadingOptions = {}) {
    this.#all = [...files];
    this.#sources = this.#all.filter(isScript);
    this.#manifests = this.#all.filter((one) => !isScript(one) && !one.path.endsWith('.py'));
    this.#leftOut = leftOut;
    const configs = this.#manifests.filter(({ path }) => MANIFESTS.test(path));
    this.#resolver = new Resolver(new Set(this.#sources.map(({ path }) => path)), configs);
    const isScanned = this.#sources.every(({ path }) => isScannable(path));
    this.#asked = asked !== null && isScanned ? new Set(asked.flatMap(meantNames)) : null;
    this.#scan();
  }

  // The files that have to be read next; none when everything that can matter was read.
  next(): readonly SourceFile[] {
    const unread = this.#sources.filter(({ path }) => !this.#read.has(path));
    if (this.#asked === null) return unread;
    this.#findCarriers();
    const wave = unread.filter(({ path }) => {
      const scanned = this.#scanned.get(path);
      return scanned?.isAsked || this.#carriers.intersection(scanned?.files ?? NONE).size > 0;
    });
    if (wave.length > 0 || !this.#isAnyInDoubt()) return wave;
    return unread.filter(({ text }) => mayLoadAnything(text));
  }

  get sources(): readonly SourceFile[] {
    return this.#all.filter((one) => isScript(one) || one.path.endsWith('.py'));
  }

  add(source: SourceFile, uses: FileUses | null): void {
    this.#read.set(source.path, { source, uses });
    this.#packages = null;
  }

  uses(placesOfWord: ProjectUses['placesOfWord']): ProjectUses {
    const python = this.#all.filter(({ path }) => path.endsWith('.py'));
    return {
      packages: this.#linked(),
      modules: readPython(python),
      sources: this.sources,
      manifests: this.#manifests,
      dynamic: this.#sources.flatMap(({ path: file }) =>
        (this.#read.get(file)?.uses?.dynamic ?? []).map((line) => ({ file, line })),
      ),
      leftOut: this.#leftOut,
      installedNames: (name) => this.#installedNames(name),
      isNamed: (name) => this.#isNamed(name),
      placesOfWord,
    };
  }

  #scan(): void {
    for (const { path, text } of this.sources) {
      const files = new Set<string>();
      let isAsked = false;
      for (const specifier of mayBeSpecifiers(text)) {
        const name = packageNameOf(specifier);
        if (name !== null) this.#named.add(name);
        if (this.#asked === null) continue;
        const target = this.#resolver.resolve(path, specifier);
        if (target === 'elsewhere') continue;
        if ('file' in target) files.add(target.file);
        else isAsked ||= this.#isAsked(target.package);
      }
      this.#scanned.set(path, { files, isAsked });
    }
  }

  #installedNames(packageName: string): string[] {
    const others = [...this.#resolver.installedAs].flatMap(([name, real]) => (real === packageName ? [name] : []));
    return [packageName, ...others];
  }

  #isNamed(packageName: string): boolean {
    return this.#installedNames(packageName).some((name) => this.#named.has(name));
  }

  #isAsked(name: string): boolean {
    return this.#asked?.has(this.#resolver.installedAs.get(name) ?? name) === true;
  }

  // A file that hands on what it has from a carrier is one itself.
  #findCarriers(): void {
    for (let before = -1; before < this.#carriers.size; ) {
      before = this.#carriers.size;
      for (const [path, { uses }] of this.#read) {
        if (uses && !this.#carriers.has(path) && this.#handsOn(path, uses)) this.#carriers.add(path);
      }
    }
  }

  #handsOn(path: string, { exports: { names, stars } }: FileUses): boolean {
    const isCarried = (specifier: string) => {
      const target = this.#resolver.resolve(path, specifier);
      if (target === 'elsewhere') return false;
      return 'file' in target ? this.#carriers.has(target.file) : this.#isAsked(target.package);
    };
    return stars.some(isCarried) || names.values().some((origins) => origins.some((one) => isCarried(one.specifier)));
  }

  // A package that nothing imports may be loaded by a name that is put together.
  #isAnyInDoubt(): boolean {
    if (this.#leftOut > 0) return false;
    const packages = this.#linked();
    return [...(this.#asked ?? [])].some((name) => !packages.has(name) && this.#isNamed(name));
  }

  #linked(): ReadonlyMap<string, PackageUses> {
    const inOrder = this.#sources.flatMap(({ path }) => this.#read.get(path) ?? []);
    const files = new Map(inOrder.map((one) => [one.source.path, one]));
    this.#packages ??= new Linker(this.#resolver, files).link(typeReferences(this.#manifests));
    return this.#packages;
  }
}

const NONE: ReadonlySet<string> = new Set();

// Declarations that others wrote are used where the package itself is.
export function meantNames(packageName: string): string[] {
  if (packageName === '@types/node') return [...builtinModules.flatMap((one) => [one, `node:${one}`]), packageName];
  const [, scope, name] = /^@types\/(?:(.+)__)?(.+)$/.exec(packageName) ?? [];
  return name === undefined ? [packageName] : [scope ? `@${scope}/${name}` : name, packageName];
}

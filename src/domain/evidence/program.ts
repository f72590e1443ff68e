// A package, what stands beside it and the library of the language as one program in memory. Files of the library stay
// parsed between comparisons, and a file that both versions share is parsed once.
import ts from 'typescript-api';
import { parseLibraryFile } from './library-file.ts';
import type { PackageFiles } from './package-files.ts';

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  esModuleInterop: true,
  jsx: ts.JsxEmit.Preserve,
  types: [],
  // Every reference inside a declaration is kept as written.
  preserveSymlinks: true,
  // Nobody else's library is looked for, which would be done for each of the hundred files of the language's own.
  libReplacement: false,
};

const library = new Map<string, ts.SourceFile | undefined>();

export class ParsedFiles {
  readonly #parsed = new Map<string, ts.SourceFile>();

  parse(path: string, text: string, languageVersion: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile {
    const key = `${path}\0${text.length}`;
    const known = this.#parsed.get(key);
    if (known?.text === text) return known;
    const file = ts.createSourceFile(path, text, languageVersion);
    if (!known) this.#parsed.set(key, file);
    return file;
  }
}

// One version of a package with what it was given beside it.
export class Installation {
  readonly files: PackageFiles;
  readonly #texts = new Map<string, string>();
  readonly #folders = new Set<string>();
  readonly #parsed: ParsedFiles;
  readonly #host: ts.CompilerHost;
  readonly #resolutions: ts.ModuleResolutionCache;
  // Whether declarations of the package itself, or of a package made for it, were found.
  readonly typesName: string;

  constructor(
    files: PackageFiles,
    beside: { dependencies: readonly PackageFiles[]; types: PackageFiles | null },
    parsed: ParsedFiles,
  ) {
    this.files = files;
    this.#parsed = parsed;
    this.typesName = beside.types?.name ?? files.name;
    for (const one of [...beside.dependencies, ...(beside.types ? [beside.types] : []), files]) this.#add(one);
    this.#host = this.#hostOfTexts();
    this.#resolutions = ts.createModuleResolutionCache('/', (path) => path, OPTIONS);
  }

  // The file with the declarations of a subpath; null when there is none. `how` is the way in which it was found: `unreachable`
  // declarations exist, and `exports` leads nobody to them.
  declarations(subpath: string): { path: string; how: 'reachable' | 'unreachable' } | null {
    const specifier = this.specifier(subpath);
    for (const mode of [ts.ModuleKind.ESNext, ts.ModuleKind.CommonJS] as const) {
      const path = this.#resolve(specifier, OPTIONS, mode);
      if (path !== null) return { path, how: 'reachable' };
    }
    const path = this.#resolve(specifier, { ...OPTIONS, moduleResolution: ts.ModuleResolutionKind.Node10 }, undefined);
    return path === null ? null : { path, how: 'unreachable' };
  }

  // The file with the declarations of what `require` loads.
  requiredDeclarations(subpath: string): string | null {
    return this.#resolve(this.specifier(subpath), OPTIONS, ts.ModuleKind.CommonJS);
  }

  specifier(subpath: string): string {
    return this.files.name + (subpath === '.' ? '' : subpath.slice(1));
  }

  // The module that a file imports; null when it is not there.
  imported(specifier: string, from: string): string | null {
    const { resolvedModule } = ts.resolveModuleName(
      specifier,
      from,
      OPTIONS,
      this.#host,
      this.#resolutions,
      undefined,
      ts.ModuleKind.ESNext,
    );
    return resolvedModule?.resolvedFileName ?? null;
  }

  text(path: string): string | undefined {
    return this.#texts.get(path);
  }

  // Whether a file belongs to the package or to what stands in for its declarations.
  owns(path: string): boolean {
    return path.startsWith(`/node_modules/${this.files.name}/`) || path.startsWith(`/node_modules/${this.typesName}/`);
  }

  program(roots: readonly string[]): ts.Program {
    return ts.createProgram({ rootNames: roots, options: OPTIONS, host: this.#host });
  }

  // What the compiler says of clients, by their paths; each is a file of its own in one program.
  errorsIn(roots: readonly string[], clients: ReadonlyMap<string, string>): Map<string, ts.Diagnostic[]> {
    for (const [path, text] of clients) this.#texts.set(path, text);
    try {
      const host = { ...this.#host, resolveModuleNameLiterals: this.#resolveForClients() };
      const program = ts.createProgram({ rootNames: [...roots, ...clients.keys()], options: OPTIONS, host });
      return new Map(
        [...clients.keys()].map((path) => {
          const file = program.getSourceFile(path);
          return [path, [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]];
        }),
      );
    } finally {
      for (const path of clients.keys()) this.#texts.delete(path);
    }
  }

  // A package that only `require` finds is found by clients, too: which of the two they write is another question.
  #resolveForClients(): NonNullable<ts.CompilerHost['resolveModuleNameLiterals']> {
    const own = this.files.name;
    return (literals, from, _redirected, options, file) =>
      literals.map((literal) => {
        const mode = ts.getModeForUsageLocation(file, literal, options);
        const found = ts.resolveModuleName(literal.text, from, options, this.#host, this.#resolutions, undefined, mode);
        const isOwn = literal.text === own || literal.text.startsWith(`${own}/`);
        if (found.resolvedModule || !isOwn || from.startsWith('/node_modules/')) return found;
        const path = this.requiredDeclarations(`.${literal.text.slice(own.length)}`);
        return path === null ? found : { resolvedModule: { resolvedFileName: path, extension: extensionOf(path) } };
      });
  }

  #resolve(specifier: string, options: ts.CompilerOptions, mode: ts.ResolutionMode): string | null {
    const { resolvedModule } = ts.resolveModuleName(
      specifier,
      '/client.ts',
      options,
      this.#host,
      undefined,
      undefined,
      mode,
    );
    const path = resolvedModule?.resolvedFileName;
    return path !== undefined && this.#texts.has(path) && /\.[cm]?tsx?$/.test(path) ? path : null;
  }

  #add({ name, texts }: PackageFiles): void {
    const root = `/node_modules/${name}`;
    for (const [path, text] of texts) {
      if (!/\.[cm]?tsx?$|(?:^|\/)package\.json$/.test(path)) continue;
      this.#texts.set(`${root}/${path}`, text);
      for (let folder = `${root}/${path}`; folder !== ''; ) {
        folder = folder.slice(0, folder.lastIndexOf('/'));
        if (this.#folders.has(folder)) break;
        this.#folders.add(folder);
      }
    }
  }

  #hostOfTexts(): ts.CompilerHost {
    const location = ts.getDefaultLibFilePath(OPTIONS).replace(/[\\/][^\\/]*$/, '');
    const isLibrary = (path: string) => path.startsWith(location);
    return {
      fileExists: (path) => this.#texts.has(path) || (isLibrary(path) && ts.sys.fileExists(path)),
      readFile: (path) => this.#texts.get(path) ?? (isLibrary(path) ? ts.sys.readFile(path) : undefined),
      directoryExists: (path) => this.#folders.has(path.replace(/\/$/, '')),
      getDirectories: () => [],
      getCurrentDirectory: () => '/',
      getCanonicalFileName: (path) => path,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => '\n',
      getDefaultLibFileName: (options) => `${location}/${ts.getDefaultLibFileName(options)}`,
      getDefaultLibLocation: () => location,
      writeFile: () => {},
      realpath: (path) => path,
      getSourceFile: (path, languageVersion) => {
        if (isLibrary(path)) return libraryFile(path, languageVersion);
        const text = this.#texts.get(path);
        return text === undefined ? undefined : this.#parsed.parse(path, text, languageVersion);
      },
    };
  }
}

function extensionOf(path: string): string {
  return /\.d\.[cm]?ts$|\.[cm]?tsx?$/.exec(path)?.[0] ?? ts.Extension.Dts;
}

function libraryFile(path: string, version: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined {
  if (!library.has(path)) {
    const text = ts.sys.readFile(path);
    library.set(path, text === undefined ? undefined : parseLibraryFile(path, text, version));
  }
  return library.get(path);
}

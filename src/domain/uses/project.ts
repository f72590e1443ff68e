// All uses of packages by the files of a project.

import { type ModuleExports, moduleExports, WHOLE } from './module-exports.ts';
import type { Origins } from './origins.ts';
import { extensionOf, type Parsed, parseScript } from './parse.ts';
import { readPython } from './python.ts';
import { Resolver } from './resolve.ts';
import { isComponent, scriptOf, templateReads } from './script-blocks.ts';
import { type Touch, touchesOf } from './touches.ts';
import type { Place } from './use.ts';

export interface SourceFile {
  // Relative to the project, with `/` between folders.
  path: string;
  text: string;
}

// A touch that leads to a package.
export interface PackageTouch extends Omit<Touch, 'specifier'> {
  file: string;
  subpath: string;
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
  // Files whose syntax is broken, or which cannot be parsed.
  broken: readonly string[];
  // Files that were not looked at, which may use anything.
  leftOut: number;
}

const SCRIPTS = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i;
const MANIFESTS = /(?:^|\/)(?:package|[tj]sconfig[\w.-]*)\.json$/;

interface ReadFile {
  path: string;
  touches: readonly Touch[];
  exports: ModuleExports;
}

export function readUses(files: Iterable<SourceFile>, { leftOut = 0 }: { leftOut?: number } = {}): ProjectUses {
  const all = [...files];
  const sources = all.filter(({ path }) => SCRIPTS.test(path));
  const manifests = all.filter(({ path }) => !SCRIPTS.test(path) && !path.endsWith('.py'));
  const configs = manifests.filter(({ path }) => MANIFESTS.test(path));
  const linker = new Linker(new Resolver(new Set(sources.map(({ path }) => path)), configs));
  const broken: string[] = [];
  const dynamic: Place[] = [];
  for (const source of sources) {
    const isWhole = readScript(source, linker, dynamic);
    if (!isWhole) {
      broken.push(source.path);
      linker.mention(source);
    }
  }
  return {
    packages: linker.link(),
    modules: readPython(all.filter(({ path }) => path.endsWith('.py'))),
    sources: all.filter(({ path }) => SCRIPTS.test(path) || path.endsWith('.py')),
    manifests,
    dynamic,
    broken,
    leftOut,
  };
}

// False when something of the file may be missing.
function readScript({ path, text }: SourceFile, linker: Linker, dynamic: Place[]): boolean {
  if (!/\b(?:import|require|export|createRequire|reference|module|mock)\b/.test(text)) return true;
  try {
    const script = isComponent(path) ? scriptOf(path, text) : { text, language: extensionOf(path) };
    const parsed: Parsed | null = parseScript(path, script.text, script.language);
    if (!parsed) return false;
    const { origins, touches, dynamic: lines } = touchesOf(parsed.tree);
    dynamic.push(...lines.map((line) => ({ file: path, line })));
    if (isComponent(path)) touches.push(...readTemplate(text, origins, parsed));
    linker.add({ path, touches, exports: moduleExports(parsed.tree, origins) });
    return !parsed.isBroken;
  } catch (error) {
    // Syntax that nests without end.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function readTemplate(text: string, origins: Origins, { tree }: Parsed): Touch[] {
  const bound = origins.atTop(tree);
  return templateReads(text, new Set(bound.keys())).flatMap(({ path: [name = '', ...rest], line }) =>
    (bound.get(name) ?? []).map((origin): Touch => {
      const path = [...origin.path, ...rest];
      const at = { lines: path.map(() => line), carried: origin.path.length, line };
      return {
        specifier: origin.specifier,
        path,
        ...at,
        kind: 'value',
        how: origin.how,
        isOpen: true,
        isComputed: false,
        given: null,
      };
    }),
  );
}

const MOST_STEPS = 20;

// Follows names through the files of the project to the packages that they come from.
class Linker {
  readonly #resolver: Resolver;
  readonly #files = new Map<string, ReadFile>();
  readonly #packages = new Map<string, PackageUses>();
  readonly #mentions: SourceFile[] = [];

  constructor(resolver: Resolver) {
    this.#resolver = resolver;
  }

  add(file: ReadFile): void {
    this.#files.set(file.path, file);
  }

  // A file that could not be read may do anything with what it names.
  mention(file: SourceFile): void {
    this.#mentions.push(file);
  }

  link(): ReadonlyMap<string, PackageUses> {
    for (const file of this.#files.values()) {
      for (const touch of file.touches) this.#follow(file.path, touch, file.path, 0);
    }
    for (const { path, text } of this.#mentions) {
      text.split('\n').forEach((line, index) => {
        for (const [, specifier = ''] of line.slice(0, 2000).matchAll(/["'`]([@\w][^"'`\s]*)["'`]/g)) {
          const target = this.#resolver.resolve(path, specifier);
          if (typeof target === 'object' && 'package' in target) {
            this.#of(target.package).unclear.push({ file: path, line: index + 1 });
          }
        }
      });
    }
    return this.#packages;
  }

  #of(name: string): PackageUses {
    const real = this.#resolver.installedAs.get(name) ?? name;
    const known = this.#packages.get(real);
    if (known) return known;
    const made: PackageUses = { touches: [], unclear: [] };
    this.#packages.set(real, made);
    return made;
  }

  #follow(from: string, touch: Touch, file: string, depth: number): void {
    if (depth > MOST_STEPS) return;
    const target = this.#resolver.resolve(from, touch.specifier);
    if (target === 'elsewhere') return;
    if ('package' in target) {
      const { specifier: _, ...rest } = touch;
      this.#of(target.package).touches.push({ ...rest, file, subpath: target.subpath });
      return;
    }
    const exported = this.#files.get(target.file)?.exports;
    if (!exported) return;
    for (const next of this.#handedOn(exported, touch)) this.#follow(target.file, next, file, depth + 1);
  }

  #handedOn({ names, stars }: ModuleExports, touch: Touch): Touch[] {
    const [first] = touch.path;
    const whole = names.get(WHOLE) ?? [];
    const direct = first === undefined ? undefined : names.get(first);
    if (direct) return direct.map((origin) => moved(touch, origin.specifier, origin.path, 1));
    const fromWhole = whole.map((origin) => moved(touch, origin.specifier, origin.path, first === 'default' ? 1 : 0));
    if (first === undefined || first === 'default') return fromWhole;
    return [...fromWhole, ...stars.map((specifier) => moved(touch, specifier, [], 0))];
  }
}

// The same touch on the module from which the file has it.
function moved(touch: Touch, specifier: string, path: readonly string[], replaced: number): Touch {
  const line = touch.lines[0] ?? touch.line;
  return {
    ...touch,
    specifier,
    path: [...path, ...touch.path.slice(replaced)],
    lines: [...path.map(() => line), ...touch.lines.slice(replaced)],
    carried: Math.max(0, touch.carried - replaced) + path.length,
  };
}

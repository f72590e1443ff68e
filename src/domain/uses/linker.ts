// Follows names through the files of a project to the packages that they come from.
import { isGenerated } from './generated.ts';
import type { PackageUses, SourceFile } from './project.ts';
import type { Resolver } from './resolve.ts';
import { type FileUses, type ModuleExports, type Touch, WHOLE } from './touch.ts';

export type ReadFile = { source: SourceFile; uses: FileUses | null };

const MAX_STEPS = 20;

export class Linker {
  readonly #resolver: Resolver;
  readonly #files: ReadonlyMap<string, ReadFile>;
  readonly #packages = new Map<string, PackageUses>();
  readonly #generated = new Map<string, boolean>();

  constructor(resolver: Resolver, files: ReadonlyMap<string, ReadFile>) {
    this.#resolver = resolver;
    this.#files = files;
  }

  // `references`: what the compiler is told to take in.
  link(references: readonly (Touch & { file: string })[] = []): ReadonlyMap<string, PackageUses> {
    for (const { file, ...touch } of references) this.#follow(file, touch, file, 0);
    for (const { source, uses } of this.#files.values()) {
      for (const touch of uses?.touches ?? []) this.#follow(source.path, touch, source.path, 0);
    }
    for (const { source, uses } of this.#files.values()) if (!uses || uses.isBroken) this.#mention(source);
    return this.#packages;
  }

  // A file that could not be read may do anything with what it names.
  #mention({ path, text }: SourceFile): void {
    text.split('\n').forEach((line, index) => {
      for (const [, specifier = ''] of line.slice(0, 2000).matchAll(/["'`]([@\w][^"'`\s]*)["'`]/g)) {
        const target = this.#resolver.resolve(path, specifier);
        if (typeof target === 'object' && 'package' in target) {
          this.#of(target.package).unclear.push({ file: path, line: index + 1 });
        }
      }
    });
  }

  #isGenerated(path: string): boolean {
    const known = this.#generated.get(path) ?? isGenerated(this.#files.get(path)?.source.text ?? '');
    this.#generated.set(path, known);
    return known;
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
    if (depth > MAX_STEPS) return;
    const target = this.#resolver.resolve(from, touch.specifier);
    if (target === 'elsewhere') return;
    if ('package' in target) {
      const { specifier: _, ...rest } = touch;
      const isGenerated = this.#isGenerated(file);
      this.#of(target.package).touches.push({ ...rest, file, subpath: target.subpath, isGenerated });
      return;
    }
    const exported = this.#files.get(target.file)?.uses?.exports;
    if (!exported) return;
    for (const next of handedOn(exported, touch)) this.#follow(target.file, next, file, depth + 1);
  }
}

function handedOn({ names, stars }: ModuleExports, touch: Touch): Touch[] {
  const [first] = touch.path;
  const whole = names.get(WHOLE) ?? [];
  const direct = first === undefined ? undefined : names.get(first);
  if (direct) return direct.map((origin) => moved(touch, origin.specifier, origin.path, 1));
  const fromWhole = whole.map((origin) => moved(touch, origin.specifier, origin.path, first === 'default' ? 1 : 0));
  if (first === undefined || first === 'default') return fromWhole;
  return [...fromWhole, ...stars.map((specifier) => moved(touch, specifier, [], 0))];
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

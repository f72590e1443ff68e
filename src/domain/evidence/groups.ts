// Which entry points may stand in one program. One that adds to other modules is loaded alone, or it would hide what they
// have lost.
import ts from 'typescript-api';
import type { Installation } from './program.ts';

interface Entry {
  subpath: string;
  was: string;
  is: string;
}

const MAX_ALONE = 8;
const AUGMENTS = /\bdeclare\s+(?:module\s*["']|global\b)|^\s*(?:module|namespace)\s*["']/m;

export function programGroups<T extends Entry>(
  before: Installation,
  after: Installation,
  entries: readonly T[],
): T[][] {
  const root = entries.find(({ subpath }) => subpath === '.');
  if (entries.length < 2) return [[...entries]];
  const reachOf = [new Reach(before), new Reach(after)] as const;
  const ofRoot = root && [reachOf[0].augmenting(root.was), reachOf[1].augmenting(root.is)];
  const together: T[] = [];
  const alone: T[] = [];
  for (const entry of entries) {
    const adds = [entry.was, entry.is].some((path, side) =>
      [...(reachOf[side] as Reach).augmenting(path)].some((one) => !ofRoot?.[side]?.has(one)),
    );
    if (adds && entry !== root && alone.length < MAX_ALONE) alone.push(entry);
    else together.push(entry);
  }
  return [together, ...alone.map((entry) => [entry])].filter((group) => group.length > 0);
}

// The files that an entry point leads to.
class Reach {
  readonly #installation: Installation;
  readonly #imports = new Map<string, readonly string[]>();
  readonly #isNeeded: boolean;

  constructor(installation: Installation) {
    this.#installation = installation;
    this.#isNeeded = [...installation.files.texts].some(
      ([path, text]) => /\.[cm]?tsx?$/.test(path) && AUGMENTS.test(text),
    );
  }

  // Those of them that add to other modules.
  augmenting(path: string): Set<string> {
    if (!this.#isNeeded) return new Set();
    const seen = new Set([path]);
    for (const one of seen) for (const other of this.#importsOf(one)) seen.add(other);
    return new Set([...seen].filter((one) => AUGMENTS.test(this.#installation.text(one) ?? '')));
  }

  #importsOf(path: string): readonly string[] {
    const known = this.#imports.get(path);
    if (known) return known;
    const { importedFiles, referencedFiles } = ts.preProcessFile(this.#installation.text(path) ?? '', true, false);
    const folder = path.slice(0, path.lastIndexOf('/'));
    const found = [
      ...importedFiles.map(({ fileName }) => this.#installation.imported(fileName, path)),
      ...referencedFiles.map(({ fileName }) => new URL(fileName, `file://${folder}/`).pathname),
    ].filter((one): one is string => one !== null && this.#installation.text(one) !== undefined);
    this.#imports.set(path, found);
    return found;
  }
}

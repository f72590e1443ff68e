// What was read of the files of a project, kept between runs by the hashes of their texts. A file that did not change is not
// parsed again.
import { hash } from 'node:crypto';
import { isRecord } from '../../domain/records.ts';
import type { SourceFile } from '../../domain/uses/project.ts';
import { extensionOf } from '../../domain/uses/script-blocks.ts';
import type { FileUses, Origin, Touch } from '../../domain/uses/touch.ts';
import type { CheckCache } from '../cache.ts';

// Rises with every change of the rules by which files are read.
const KIND = 'uses-3';
const MAX_PROJECTS = 20;
const MAX_CHARACTERS = 64_000_000;

interface Entry {
  // Null: the file cannot be parsed. Absent: it was not read.
  uses?: unknown;
  words?: Record<string, number[]>;
}

export class KeptFiles {
  readonly #cache: CheckCache;
  readonly #root: string;
  // By hash; each entry is a text with its own hash before it, taken apart when somebody needs it.
  readonly #stored: Readonly<Record<string, unknown>>;
  readonly #entries = new Map<string, Entry>();
  readonly #hashes = new Map<SourceFile, string>();
  #isChanged = false;

  constructor(cache: CheckCache, root: string) {
    this.#cache = cache;
    this.#root = root;
    const stored = cache.read<unknown>(KIND, root);
    this.#stored = isRecord(stored) ? stored : {};
  }

  // Undefined when the file was not read before.
  uses(source: SourceFile): FileUses | null | undefined {
    const { uses } = this.#entry(source);
    return uses === undefined || uses === null ? uses : decodeUses(uses);
  }

  keepUses(source: SourceFile, uses: FileUses | null): void {
    this.#entry(source).uses = uses === null ? null : encodeUses(uses);
    this.#isChanged = true;
  }

  // Those of the words that are known.
  lines(source: SourceFile, words: readonly string[]): Map<string, readonly number[]> {
    const { words: known = {} } = this.#entry(source);
    return new Map(
      words.flatMap((word) => {
        const lines = Object.hasOwn(known, word) ? known[word] : undefined;
        return Array.isArray(lines) ? [[word, lines.map(Number)] as const] : [];
      }),
    );
  }

  keepLines(source: SourceFile, lines: ReadonlyMap<string, number[]>): void {
    const entry = this.#entry(source);
    entry.words = { ...entry.words, ...Object.fromEntries(lines) };
    this.#isChanged = true;
  }

  // Keeps what this run has looked at; the rest belongs to files that are gone or to packages that nobody asks for.
  save(): void {
    if (!this.#isChanged) return;
    let left = MAX_CHARACTERS;
    const texts = [...this.#entries].flatMap(([key, entry]) => {
      const text = JSON.stringify(entry);
      left -= text.length;
      return left < 0 ? [] : [[key, hashOf(text) + text] as const];
    });
    this.#cache.write(KIND, this.#root, Object.fromEntries(texts), { most: MAX_PROJECTS });
  }

  #entry(source: SourceFile): Entry {
    const key = this.#hashes.get(source) ?? hashOf(`${extensionOf(source.path)}\n${source.text}`);
    this.#hashes.set(source, key);
    const entry = this.#entries.get(key) ?? entryIn(this.#stored[key]);
    this.#entries.set(key, entry);
    return entry;
  }
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64url');
}

const HASH_LENGTH = 43;

// Nothing is taken from an entry that was damaged.
function entryIn(stored: unknown): Entry {
  if (typeof stored !== 'string') return {};
  const text = stored.slice(HASH_LENGTH);
  if (hashOf(text) !== stored.slice(0, HASH_LENGTH)) return {};
  try {
    const { uses, words } = JSON.parse(text);
    return {
      ...(uses === undefined ? {} : { uses }),
      ...(isRecord(words) && { words: words as Record<string, number[]> }),
    };
  } catch {
    return {};
  }
}

// What was read of one file, as short data: texts that repeat stand once.

const KINDS: readonly Touch['kind'][] = ['import', 'value', 'type', 'tested'];
const HOWS: readonly Touch['how'][] = ['import', 'require', 'dynamic'];

// Texts by their number; then everything else as numbers.
interface EncodedUses {
  texts: string[];
  // Specifier, kind, how, flags, arguments (-1 for none), carried, line, and a name and a line for each step.
  touches: number[][];
  // Name, and for each origin: specifier, how, path.
  exports: [name: number, origins: number[][]][];
  stars: number[];
  dynamic: readonly number[];
  isBroken: boolean;
}

function encodeUses({ touches, exports, dynamic, isBroken }: FileUses): EncodedUses {
  const numbers = new Map<string, number>();
  const numberOf = (text: string) => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  };
  const origin = ({ specifier, how, path }: Origin) => [numberOf(specifier), HOWS.indexOf(how), ...path.map(numberOf)];
  const encoded = {
    touches: touches.map((one) => [
      numberOf(one.specifier),
      KINDS.indexOf(one.kind),
      HOWS.indexOf(one.how),
      (one.isOpen ? 1 : 0) + (one.isComputed ? 2 : 0),
      one.given ?? -1,
      one.carried,
      one.line,
      ...one.path.flatMap((name, index) => [numberOf(name), one.lines[index] ?? one.line]),
    ]),
    exports: [...exports.names].map(([name, origins]): [number, number[][]] => [numberOf(name), origins.map(origin)]),
    stars: exports.stars.map(numberOf),
    dynamic,
    isBroken,
  };
  return { texts: [...numbers.keys()], ...encoded };
}

// The opposite; undefined when the data are not what was written.
function decodeUses(value: unknown): FileUses | undefined {
  const { texts, touches, exports, stars, dynamic, isBroken } = value as EncodedUses;
  try {
    const textAt = (number: number | undefined) => known(texts[number ?? -1]);
    const origin = ([specifier, how, ...path]: number[]): Origin => {
      return { specifier: textAt(specifier), how: known(HOWS[how ?? -1]), path: path.map(textAt) };
    };
    return {
      touches: touches.map(([specifier, kind, how, flags = 0, given = -1, carried = 0, line = 1, ...steps]) => ({
        specifier: textAt(specifier),
        path: steps.filter((_, index) => index % 2 === 0).map(textAt),
        lines: steps.filter((_, index) => index % 2 === 1),
        carried,
        line,
        kind: known(KINDS[kind ?? -1]),
        how: known(HOWS[how ?? -1]),
        isOpen: (flags & 1) !== 0,
        isComputed: (flags & 2) !== 0,
        given: given < 0 ? null : given,
      })),
      exports: {
        names: new Map(exports.map(([name, origins]) => [textAt(name), origins.map(origin)])),
        stars: stars.map(textAt),
      },
      dynamic: dynamic.map(Number),
      isBroken: known(isBroken),
    };
  } catch {
    return undefined;
  }
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('not what was written');
  return value;
}

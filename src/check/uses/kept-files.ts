// What was read of the files of a project, kept between runs by the digests of their texts. A file that did not change is not
// parsed again.
import { hash } from 'node:crypto';
import { isRecord } from '../../domain/records.ts';
import type { SourceFile } from '../../domain/uses/project.ts';
import { extensionOf } from '../../domain/uses/script-blocks.ts';
import type { FileUses } from '../../domain/uses/touch.ts';
import type { CheckCache } from '../cache.ts';
import { decodeUses, encodeUses } from './file-codec.ts';

// Rises with every change of the rules by which files are read.
const KIND = 'uses-1';
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
  // By digest; each entry is a text with its own digest before it, taken apart when somebody needs it.
  readonly #stored: Readonly<Record<string, unknown>>;
  readonly #entries = new Map<string, Entry>();
  readonly #digests = new Map<SourceFile, string>();
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
    const texts = [...this.#entries].flatMap(([digest, entry]) => {
      const text = JSON.stringify(entry);
      left -= text.length;
      return left < 0 ? [] : [[digest, digestOf(text) + text] as const];
    });
    this.#cache.write(KIND, this.#root, Object.fromEntries(texts), { most: MAX_PROJECTS });
  }

  #entry(source: SourceFile): Entry {
    const digest = this.#digests.get(source) ?? digestOf(`${extensionOf(source.path)}\n${source.text}`);
    this.#digests.set(source, digest);
    const entry = this.#entries.get(digest) ?? entryIn(this.#stored[digest]);
    this.#entries.set(digest, entry);
    return entry;
  }
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url');
}

const DIGEST_LENGTH = 43;

// Nothing is taken from an entry that was damaged.
function entryIn(stored: unknown): Entry {
  if (typeof stored !== 'string') return {};
  const text = stored.slice(DIGEST_LENGTH);
  if (digestOf(text) !== stored.slice(0, DIGEST_LENGTH)) return {};
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

// Reads the uses of a project, as far as somebody asks for them. Files that did not change since the last run are not parsed, and
// the parser is loaded only where one is.
import { ProjectReading, type ProjectUses, type SourceFile } from '../../domain/uses/project.ts';
import { WordIndex } from '../../domain/uses/word-index.ts';
import { WordPlaces } from '../../domain/uses/word-places.ts';
import { endLongTurn } from '../../threads/turns.ts';
import type { KeptFiles } from './kept-files.ts';

interface ReadOptions {
  // Packages, and the words of their names that may be looked up.
  asked: readonly string[];
  words: Iterable<string>;
  leftOut: number;
  kept: KeptFiles;
  signal?: AbortSignal | undefined;
  onFile?: ((done: number, total: number, file: string) => void) | undefined;
}

interface ReadProject {
  uses: ProjectUses;
  index: WordIndex;
  // Answers by the uses; words that it asks for are looked up, and it is asked again.
  withWords<T>(answer: () => T): Promise<T>;
}

export async function readProjectUses(files: readonly SourceFile[], options: ReadOptions): Promise<ReadProject> {
  const { asked, leftOut, kept, signal, onFile } = options;
  const reading = new ProjectReading(files, { asked, leftOut });
  const total = reading.sources.length;
  let done = 0;
  const turn = async (file: string) => {
    onFile?.(done, total, file);
    signal?.throwIfAborted();
    await endLongTurn();
  };
  for (let wave = reading.next(); wave.length > 0; wave = reading.next()) {
    for (const source of wave) {
      const known = kept.uses(source);
      reading.add(source, known === undefined ? await readAnew(source, kept) : known);
      done += 1;
      await turn(source.path);
    }
  }
  const index = new WordIndex(reading.sources, options.words);
  const words = new WordPlaces(index);
  const uses = reading.uses(words.of);
  return {
    uses,
    index,
    async withWords(answer) {
      const first = answer();
      if (!words.isMissing) return first;
      for (const { source, words: wanted } of words.files()) {
        words.add(source, await linesOf(source, wanted, kept));
        await turn(source.path);
      }
      return answer();
    },
  };
}

async function readAnew(source: SourceFile, kept: KeptFiles) {
  const { readFile } = await import('../../domain/uses/syntax/read-file.ts');
  const uses = readFile(source);
  kept.keepUses(source, uses);
  return uses;
}

async function linesOf(source: SourceFile, wanted: readonly string[], kept: KeptFiles) {
  const known = kept.lines(source, wanted);
  const missing = wanted.filter((word) => !known.has(word));
  if (missing.length === 0) return known;
  const { linesOfWords } = await import('../../domain/uses/syntax/words.ts');
  const found = linesOfWords(source, missing);
  kept.keepLines(source, new Map(found));
  return new Map([...known, ...found]);
}

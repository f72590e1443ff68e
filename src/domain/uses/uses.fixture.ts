// The uses of files at once: everything is read, or only what can matter for the packages that are asked about.
import { ProjectReading, type ProjectUses, type SourceFile } from './project.ts';
import { readFile } from './syntax/read-file.ts';
import { linesOfWords } from './syntax/words.ts';
import { WordIndex } from './word-index.ts';
import { WordPlaces } from './word-places.ts';

export function readUses(
  files: readonly SourceFile[],
  options: { asked?: string[]; leftOut?: number } = {},
): ProjectUses {
  const reading = new ProjectReading(files, options);
  for (let wave = reading.next(); wave.length > 0; wave = reading.next()) {
    for (const source of wave) reading.add(source, readFile(source));
  }
  const words = new WordPlaces(new WordIndex(reading.sources, []));
  return reading.uses((word) => {
    words.of(word);
    for (const { source, words: found } of words.files()) words.add(source, linesOfWords(source, found));
    return words.of(word);
  });
}

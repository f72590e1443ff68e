// Counts which steps of an upgrade guide are among the steps of an answer.
import { readFileSync } from 'node:fs';

// What a guide inside of a published package asks for, counted by hand.
export interface CountedGuide {
  package: string;
  // The version whose archive holds the guide.
  archive: string;
  from: string;
  to: string;
  // Each in a few words, all of which one step of the answer must hold: `node & 20`.
  steps: readonly string[];
}

type GuideTable = Record<string, Record<string, string[]>>;

// The table is kept by archive (`name@version`) and range (`from to`).
export function readGuides(): CountedGuide[] {
  const table = JSON.parse(readFileSync(new URL('guides.json', import.meta.url), 'utf8')) as GuideTable;
  return Object.entries(table).flatMap(([archive, ranges]) => {
    const at = archive.lastIndexOf('@');
    return Object.entries(ranges).map(([range, steps]) => {
      const [from = '', to = ''] = range.split(' ');
      return { package: archive.slice(0, at), archive: archive.slice(at + 1), from, to, steps };
    });
  });
}

export function missingSteps({ steps }: CountedGuide, answer: readonly string[]): string[] {
  const told = answer.map((text) => text.toLowerCase());
  return steps.filter((step) => {
    const words = step.toLowerCase().split(' & ');
    return !told.some((text) => words.every((word) => text.includes(word)));
  });
}

// Projects with the truth about what they use of a step, each a folder with `truth.json`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TrueName {
  name: string;
  verdict: string;
  // Lines of use.
  at: readonly string[];
  // Further lines that may be named.
  also?: readonly string[];
  // Lines that look alike and do not break.
  not?: readonly string[];
  // Other verdicts that count as right.
  acceptable?: readonly string[];
}

export interface UsesCase {
  id: string;
  folder: string;
  package: string;
  from: string;
  to: string;
  names: readonly TrueName[];
}

export function readCases(folder: string): UsesCase[] {
  return readdirSync(folder)
    .sort()
    .filter((id) => existsSync(join(folder, id, 'truth.json')))
    .map((id) => {
      const truth = JSON.parse(readFileSync(join(folder, id, 'truth.json'), 'utf8')) as Omit<UsesCase, 'id' | 'folder'>;
      return { ...truth, id, folder: join(folder, id) };
    });
}

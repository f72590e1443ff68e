// What simple methods reach on the same steps, so that a figure can be told from luck: the kind of step alone, what the notes
// say, and names that are exported in the text of declarations.
import { readPackage } from '../../src/domain/evidence/read-package.ts';
import type { Step } from './truth.ts';

export interface Named {
  name: string;
  subpath: string;
}

export interface MethodAnswer {
  // Whether it says that the step breaks; null for no answer.
  breaks: boolean | null;
  names: readonly Named[];
}

export function byVersion({ step }: Step): MethodAnswer {
  return { breaks: step === 'major', names: [] };
}

// What the truth set says of the notes in the package: `said …`, `silent …` or that there are none.
export function byNotes({ notes = '' }: Step): MethodAnswer {
  return { breaks: notes.startsWith('said') ? true : notes.startsWith('silent') ? false : null, names: [] };
}

const DECLARED =
  /\bexport\s+(?:declare\s+)?(?:default\s+)?(?:abstract\s+)?(?:const|let|var|function|class|interface|type|enum|namespace)\s+([\w$]+)/g;
const LISTED = /\bexport\s+(?:type\s+)?\{([^}]*)\}/g;

// Names that some declaration file exported and none exports now.
export async function byText(old: Uint8Array, next: Uint8Array): Promise<MethodAnswer> {
  const [before, after] = [await exportedNames(old), await exportedNames(next)];
  const names = [...before].filter((name) => !after.has(name)).map((name) => ({ name, subpath: '' }));
  return { breaks: names.length > 0, names };
}

async function exportedNames(archive: Uint8Array): Promise<Set<string>> {
  const { files } = await readPackage(archive);
  const found = new Set<string>();
  for (const [path, text] of files?.texts ?? []) {
    if (!/\.d\.[cm]?ts$/.test(path)) continue;
    for (const [, name = ''] of text.matchAll(DECLARED)) found.add(name);
    for (const [, list = ''] of text.matchAll(LISTED)) {
      for (const one of list.split(',')) {
        const name = one.trim().split(/\s+/).at(-1) ?? '';
        if (name !== '') found.add(name);
      }
    }
  }
  return found;
}

export interface MethodScore {
  // Steps with listed breaks of which it says that they break.
  caught: { right: number; all: number };
  // Fully read steps without any break that it leaves alone.
  quiet: { right: number; all: number };
  // Listed breaks that it names.
  named: { right: number; all: number };
  // Traps that it does not name.
  traps: { right: number; all: number };
}

export function emptyMethodScore(): MethodScore {
  const none = () => ({ right: 0, all: 0 });
  return { caught: none(), quiet: none(), named: none(), traps: none() };
}

export function scoreMethod(score: MethodScore, step: Step, { breaks, names }: MethodAnswer): void {
  const listed = step.breaks.filter(({ doubt }) => doubt === undefined);
  const isNamed = (name: string, subpath: string) =>
    names.some((one) => {
      const isPlace = one.subpath === subpath || subpath === '' || one.subpath === '';
      return isPlace && (one.name === name || one.name === name.split('#')[0]);
    });
  if (listed.length > 0) add(score.caught, breaks === true);
  else if (step.coverage === 'full' && step.breaks.length === 0) add(score.quiet, breaks !== true);
  for (const { name, subpath } of listed) add(score.named, isNamed(name, subpath));
  for (const { name } of step.traps) add(score.traps, !names.some((one) => one.name === name));
}

function add(share: { right: number; all: number }, isRight: boolean): void {
  share.all += 1;
  if (isRight) share.right += 1;
}

const TITLES: readonly (readonly [keyof MethodScore, string])[] = [
  ['caught', 'steps that break, caught'],
  ['quiet', 'steps that break nothing, left alone'],
  ['named', 'breaks named'],
  ['traps', 'traps left alone'],
];

// A table in markdown, one method a line.
export function methodTable(scores: ReadonlyMap<string, MethodScore>): string {
  const cell = ({ right, all }: { right: number; all: number }) => (all === 0 ? '–' : `${right} of ${all}`);
  return [
    `| method | ${TITLES.map(([, title]) => title).join(' | ')} |`,
    `| --- |${TITLES.map(() => ' --- |').join('')}`,
    ...[...scores].map(([name, score]) => `| ${name} | ${TITLES.map(([key]) => cell(score[key])).join(' | ')} |`),
  ].join('\n');
}

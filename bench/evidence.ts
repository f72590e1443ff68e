// Two versions of a package side by side, in processor time, against parsing their declarations alone: the ratio holds on
// every machine.
import ts from 'typescript-api';
import { compareApi } from '../src/domain/evidence/compare.ts';
import { type PackageFiles, packageOf } from '../src/domain/evidence/package-files.ts';
import { type Figure, median } from './figures.ts';

const SIZES = [100, 300, 1_000, 3_000];
const ROUNDS = 5;
// The library of the language is bound anew for each version, so that a small pair costs many times its own text.
const MAX_TIMES = { typical: 15, largest: 12 };

export function benchEvidence(): Figure[] {
  const ratios = SIZES.map((names) => {
    const [old, next] = [made(names, 'a'), made(names, 'b')];
    const rounds = Array.from({ length: ROUNDS }, () => ({
      compared: spent(() => compareApi(old, next)),
      parsed: spent(() => parseAll(old, next)),
    }));
    // The first round pays for compiling and for the library of the language.
    const [compared, parsed] = [
      median(rounds.slice(1).map((one) => one.compared)),
      median(rounds.slice(1).map((one) => one.parsed)),
    ];
    return { names, compared, ratio: compared / parsed };
  });
  const typical = median(ratios.map(({ ratio }) => ratio));
  const last = ratios.at(-1);
  const detail = ratios.map(({ names, compared }) => `${names} names ${Math.round(compared)} ms`).join(', ');
  return [
    figure('comparison of two packages, median', typical, { most: MAX_TIMES.typical, detail }),
    figure('comparison of the largest two packages', last?.ratio ?? 0, { most: MAX_TIMES.largest, detail }),
  ];
}

function figure(name: string, value: number, { most, detail }: { most: number; detail: string }): Figure {
  return { name, value, unit: 'times parsing', target: `< ${most}`, holds: value < most, detail };
}

function spent(work: () => unknown): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

function parseAll(...packages: PackageFiles[]): void {
  for (const { texts } of packages) {
    for (const [path, text] of texts) {
      if (path.endsWith('.ts')) ts.createSourceFile(path, text, ts.ScriptTarget.ESNext);
    }
  }
}

const SHOWN = 'export';

function made(names: number, word: string): PackageFiles {
  const lines = Array.from({ length: names }, (_, at) => {
    const other = `Options${(at * 7) % names}`;
    return `/** Number ${at}. */
${SHOWN} interface Options${at} { ${word}${at % 10 === 0 ? word : ''}: string; size?: number; inner?: ${other} }
${SHOWN} declare function make${at}(options: Options${at}, more?: Partial<${other}>): Promise<Result${at}>;
${SHOWN} declare class Result${at} { readonly options: Options${at}; next(): Result${(at + 1) % names} | null; }`;
  });
  const json = JSON.stringify({ name: 'lamp', version: '1.0.0', types: './index.d.ts' });
  const found = packageOf(new Map(Object.entries({ 'package.json': json, 'index.d.ts': lines.join('\n') })));
  if (found === null) throw new Error('the package has no package.json');
  return found;
}

// The size check of `npm test`: how many files and lines of code there are, held against `bounds.json`. Who needs more
// raises a bound there, and says why in the commit.
import { globSync, readFileSync } from 'node:fs';
import type { Source } from './layers.ts';

interface Size {
  files: number;
  lines: number;
}

export type Sizes = Record<'src' | 'tests' | 'tools', Size>;

export function sizesOf(sources: readonly Source[]): Sizes {
  const sizes: Sizes = { src: { files: 0, lines: 0 }, tests: { files: 0, lines: 0 }, tools: { files: 0, lines: 0 } };
  for (const { path, text } of sources) {
    const size = sizes[groupOf(path)];
    size.files += 1;
    size.lines += text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  }
  return sizes;
}

function groupOf(path: string): keyof Sizes {
  if (path.startsWith('test/') || /\.(?:test|fixture)\.ts$/.test(path)) return 'tests';
  return path.startsWith('src/') ? 'src' : 'tools';
}

// What is larger than it may be, in words.
export function boundFaults(sizes: Sizes, bounds: Sizes): string[] {
  return (Object.keys(sizes) as (keyof Sizes)[]).flatMap((group) =>
    (['files', 'lines'] as const).flatMap((unit) => {
      const [is, most] = [sizes[group][unit], bounds[group][unit]];
      return is <= most ? [] : [`${group}: ${is} ${unit}, at most ${most}; write less, or raise tools/bounds.json`];
    }),
  );
}

if (import.meta.main) {
  const paths = globSync('{src,test,tools,bench}/**/*.{ts,js,css}').map((path) => path.replaceAll('\\', '/'));
  const sizes = sizesOf(paths.map((path) => ({ path, text: readFileSync(path, 'utf8') })));
  const faults = boundFaults(sizes, JSON.parse(readFileSync('tools/bounds.json', 'utf8')));
  for (const fault of faults) console.error(fault);
  for (const [group, { files, lines }] of Object.entries(sizes))
    console.log(`${group}: ${files} files, ${lines} lines`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

// The set as others can use it: compared pairs, what it means and what simple methods reach on it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULES_VERSION } from '../../src/domain/evidence/finding.ts';
import type { Named } from './methods.ts';

// Raised when a line of the set changes its shape.
export const SET_VERSION = 1;

export function writeSet(folder: string, { lines, table }: { lines: readonly string[]; table: string }): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'pairs.ndjson'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'README.md'), readme(lines.length, table));
}

function readme(pairs: number, table: string): string {
  return `# What breaks between two published versions of npm packages

Version ${SET_VERSION} of the set, made with version ${RULES_VERSION} of the rules: ${pairs} pairs.

\`pairs.ndjson\` has one pair a line:

| key | meaning |
| --- | --- |
| \`set\` | the version of this set |
| \`package\`, \`from\`, \`to\` | what was compared, as the npm registry has it |
| \`step\` | major, minor or patch |
| \`types\` | whose declarations were compared: \`own\`, \`definitely_typed\` or \`none\` |
| \`findings\` | \`{kind, name, subpath, certainty, was, is, text, witness?}\` |
| \`witness\` | \`{code, language, error}\`: a file that compiles with \`from\` and not with \`to\`, and what the compiler says then |
| \`more\` | how many findings were left out of the list |
| \`notes\` | what the notes inside of the package say of the step, or null |
| \`rules\` | the version of the rules |

A witness is checked with TypeScript 5.9: \`strict\`, \`skipLibCheck\`, \`esModuleInterop\`, \`moduleResolution: bundler\`, the package in
\`node_modules\` with the dependencies whose types it builds on.

## Running another tool on it

Write one line a pair, \`{"package": …, "from": …, "to": …, "breaks": true, "findings": [{"name": "Logger.child", "subpath": "."}]}\`;
\`breaks\` may be null for "no answer". Then, in a checkout of the registry that made this set,

    npm run eval:api -- <truth set> --answers answers.ndjson

puts it into the same table. Breaks are matched by name and entry point, a break that is marked as arguable counts neither way.

## What methods reach

${table}

"version number": every major version breaks and nothing else does. "notes": what the notes in the package say; most packages
bring none. "names in the text": names that declarations export anywhere in the package, by pattern. "this registry": the
findings of this set.
`;
}

interface Answer {
  breaks: boolean | null;
  names: readonly Named[];
}

// Answers of another tool, by \`package from to\`.
export function readAnswers(path: string): Map<string, Answer> {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return new Map(
    lines.map((line) => {
      const {
        package: name,
        from,
        to,
        breaks,
        findings,
      } = JSON.parse(line) as {
        package: string;
        from: string;
        to: string;
        breaks?: boolean | null;
        findings?: readonly Partial<Named>[];
      };
      const names = (findings ?? []).map((one) => ({ name: one.name ?? '', subpath: one.subpath ?? '' }));
      return [
        pairKey({ package: name, from, to }),
        { breaks: breaks === undefined ? names.length > 0 : breaks, names },
      ];
    }),
  );
}

export function pairKey(pair: { package: string; from: string; to: string }): string {
  return `${pair.package} ${pair.from} ${pair.to}`;
}

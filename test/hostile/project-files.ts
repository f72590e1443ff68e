// Names and numbers of files, and packages that are hostile themselves.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEEP_DECLARATIONS, deepPackage } from '../../src/domain/evidence/deep.fixture.ts';
import type { Versions } from '../support/npm-registry.ts';
import type { Kinds } from './projects.ts';
import { git, writeProject } from './repositories.ts';

const ODD = [
  '-rf.ts',
  '--output=x.ts',
  ':(glob)x.ts',
  '*.ts',
  'a\nb.ts',
  'a\tb.ts',
  '\u001b]0;x\u0007.ts',
  '\u202egpj.ts',
  ' .ts',
  '$(id).ts',
  '`id`.ts',
  '%00.ts',
  '"quoted".ts',
  "it's.ts",
  '\\back.ts',
  'CON.ts',
  `${'n'.repeat(250)}.ts`,
  '...ts',
  'é\u0301.ts',
  '🙂.ts',
];
const SOURCE = "import { off } from 'lamp';\noff();\n";

const DEEP = Object.fromEntries(
  Object.entries(DEEP_DECLARATIONS).map(([name, files]) => [name.replaceAll(' ', '-'), files]),
);

export const FILE_KINDS: Kinds = {
  'odd names': ({ folder }) => writeProject(folder, Object.fromEntries(ODD.map((name) => [name, SOURCE]))),
  'odd names in the index': ({ folder }) => {
    writeProject(folder, Object.fromEntries(ODD.map((name) => [`odd/${name}`, SOURCE])));
    git(folder, 'init', '--quiet');
    git(folder, 'add', '--all');
  },
  'names that are no text': ({ folder }) => {
    for (const bytes of [
      [0xff, 0xfe],
      [0xc3, 0x28],
      [0xed, 0xa0, 0x80],
    ]) {
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(bytes), Buffer.from('.ts')]), SOURCE);
    }
  },
  'deep folders': ({ folder, random }) => {
    const deep = join(folder, 'src', ...Array.from({ length: random.pick([50, 1_000]) }, () => 'd'));
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, 'a.ts'), SOURCE);
  },
  'many files': ({ folder, random }) => {
    const files = Array.from(
      { length: random.pick([200, 2_000]) },
      (_, index) => [`many/${index}.ts`, SOURCE] as const,
    );
    writeProject(folder, Object.fromEntries(files));
  },
  'large files': ({ folder, random }) => {
    const text = random.pick([
      SOURCE.repeat(60_000),
      `${SOURCE}x = "${'a'.repeat(1_900_000)}"`,
      `${SOURCE}//${'\n'.repeat(1_900_000)}`,
    ]);
    for (const name of ['a', 'b', 'c']) writeProject(folder, { [`large/${name}.ts`]: text });
  },
  'packages that overflow a compiler': ({ folder }) => {
    const names = Object.keys(DEEP);
    const dependencies = Object.fromEntries(names.map((name) => [name, '^1.0.0']));
    const locked = names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }]);
    writeProject(folder, {
      'package.json': { name: 'house', dependencies },
      'package-lock.json': { lockfileVersion: 3, packages: { '': { dependencies }, ...Object.fromEntries(locked) } },
      'src/a.ts': names.map((name, index) => `import * as a${index} from '${name}';\na${index}.a;\n`).join(''),
    });
  },
  'installed packages that overflow a compiler': ({ folder, random }) => {
    const files = random.pick(Object.values(DEEP));
    const below = Object.entries(files).map(([path, text]) => [`node_modules/lamp/${path}`, text]);
    writeProject(folder, {
      'node_modules/lamp/package.json': { name: 'lamp', version: '1.0.0', types: 'index.d.ts' },
      ...Object.fromEntries(below),
    });
  },
  'a package named like something else': ({ folder, random }) => {
    const name = random.pick([
      '../../etc',
      '__proto__',
      'constructor',
      '@/x',
      'lamp/../..',
      '%2e%2e',
      'http://127.0.0.1:1/x',
      '',
      ' ',
      '\u0000',
      'a'.repeat(5_000),
      '![x](http://x.example)',
      '<img src=x>',
    ]);
    writeProject(folder, {
      'package-lock.json': {
        lockfileVersion: 3,
        packages: {
          '': { dependencies: { [name]: '*' } },
          [`node_modules/${name}`]: { version: random.pick(['1.0.0', '', '../..', '9'.repeat(400)]) },
        },
      },
    });
  },
};

const declared = (text: string) => ({
  manifest: { types: 'index.d.ts', main: 'index.js' },
  files: { 'index.js': '', 'index.d.ts': text },
});

// What the made-up registry of the projects holds.
export const HOSTILE_PACKAGES: Record<string, Versions> = {
  lamp: {
    '1.0.0': declared('export declare function on(): void; export declare function off(): void;'),
    '2.0.0': declared('export declare function on(): void;'),
  },
  ...Object.fromEntries(
    Object.entries(DEEP).map(([name, files]): [string, Versions] => {
      const versionOf = (version: string) => {
        const { 'package.json': _own, ...others } = deepPackage(files, version);
        return { manifest: { types: 'index.d.ts' }, files: others };
      };
      return [name, { '1.0.0': versionOf('1.0.0'), '2.0.0': versionOf('2.0.0') }];
    }),
  ),
};

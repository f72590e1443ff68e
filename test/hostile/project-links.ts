// Links, pipes, devices and repositories where files are expected.
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KindInput, Kinds } from './projects.ts';
import { embedBare, git, makePipe, roomFor, trapRepository, writeProject } from './repositories.ts';

const READ = [
  'package-lock.json',
  'package.json',
  'pnpm-workspace.yaml',
  'pyproject.toml',
  '.npmrc',
  '.yarnrc.yml',
  '.registry-check.json',
  'tsconfig.json',
  'src/a.ts',
  'src/c.ts',
  '.gitignore',
  '.gitattributes',
  'node_modules/lamp/package.json',
  'node_modules/lamp/index.d.ts',
  'node_modules/@types/x/index.d.ts',
];
const OF_GIT = [
  'HEAD',
  'config',
  'index',
  'packed-refs',
  'commondir',
  'info/exclude',
  'refs/remotes/origin/main',
  'objects/info/alternates',
  'shallow',
];

function placeOdd({ folder, outside, random }: KindInput, name: string): void {
  const path = roomFor(folder, name);
  random.pick([
    () => makePipe(path),
    () => symlinkSync(random.pick(['/dev/zero', '/dev/stdin', '/dev/tty', '/proc/self/mem', '/proc/kmsg', '/']), path),
    // What a later kind writes through a link stays in the folder of the test.
    () => symlinkSync(random.pick(['.', '..', path, join(outside, 'file')]), path),
    () => {
      writeFileSync(join(outside, 'file'), '{"lockfileVersion":3,"packages":{}}');
      symlinkSync(join(outside, 'file'), path);
    },
    () => {
      writeFileSync(path, '');
      truncateSync(path, random.pick([5_000_000, 2 ** 33]));
    },
    () => mkdirSync(path),
    () => writeFileSync(path, Buffer.from(Array.from({ length: 5_000 }, () => random.below(256)))),
  ])();
}

export const LINK_KINDS: Kinds = {
  'something else in place of a file': (input) => placeOdd(input, input.random.pick(READ)),
  'something else in place of two files': (input) => {
    for (const name of [input.random.pick(READ), input.random.pick(READ)]) placeOdd(input, name);
  },
  'something else in place of a file of git': (input) => {
    git(input.folder, 'init', '--quiet');
    placeOdd(input, join('.git', input.random.pick(OF_GIT)));
  },
  'folders that lead to themselves': ({ folder }) => {
    for (const [path, target] of [
      ['src/up', '..'],
      ['src/self', '.'],
      ['loop', 'loop'],
      ['one', 'two'],
      ['two', 'one'],
      ['root', '/'],
      ['node_modules/lamp', '../..'],
      ['node_modules/up', '..'],
    ] as const) {
      symlinkSync(target, roomFor(folder, path));
    }
  },
  'a bare repository in the folder': ({ folder, trap }) => embedBare(folder, trap),
  'a repository of traps': ({ folder, random, trap }) => {
    git(folder, 'init', '--quiet');
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--message', 'one');
    trapRepository(folder, trap, { isEmpty: random.below(2) === 0 });
  },
  'a file .git': ({ folder, outside, random }) => {
    const target = random.pick(['.git', '.', '/dev/zero', '/proc/self', outside, `${'../'.repeat(2_000)}x`, '\0', '']);
    writeFileSync(roomFor(folder, '.git'), `gitdir: ${target}\n`);
  },
  'names that lead around': ({ folder, random }) => {
    git(folder, 'init', '--quiet');
    writeProject(folder, {
      '.git/HEAD': random.pick([
        'ref: refs/heads/a\n',
        'ref: ../../../etc/passwd\n',
        'ref: refs/heads/../../config\n',
        'x'.repeat(3_000),
      ]),
      '.git/refs/heads/a': 'ref: refs/heads/b\n',
      '.git/refs/heads/b': 'ref: refs/heads/a\n',
      '.git/refs/remotes/origin/main': 'ref: HEAD\n',
      '.git/packed-refs': `${'1'.repeat(40)} refs/heads/${'a/'.repeat(1_000)}x\n`.repeat(random.pick([1, 2_000])),
    });
  },
  'patterns of ignored files': ({ folder, random }) => {
    git(folder, 'init', '--quiet');
    const pattern = random.pick([
      '*a'.repeat(200),
      '**/'.repeat(300),
      '['.repeat(5_000),
      '!'.repeat(5_000),
      'a\n'.repeat(100_000),
    ]);
    writeProject(folder, {
      '.gitignore': `${pattern}b\n`,
      '.git/info/exclude': pattern,
      [`${'a'.repeat(240)}.ts`]: '',
    });
  },
  'repositories in the repository': ({ folder, random, trap }) => {
    git(folder, 'init', '--quiet');
    for (const name of ['inner', 'src/inner']) {
      writeProject(join(folder, name), { 'a.ts': "import 'lamp';\n" });
      git(join(folder, name), 'init', '--quiet');
      trapRepository(join(folder, name), trap);
    }
    // Git waits for it until its time is over.
    if (random.below(8) === 0) makePipe(roomFor(folder, 'third/.git'));
  },
  'a program of the project': ({ folder, trap }) => {
    for (const path of ['git', 'node', 'less', 'sh', 'node_modules/.bin/git', 'node_modules/.bin/node']) {
      symlinkSync(trap.file, roomFor(folder, path));
    }
    writeProject(folder, {
      '.npmrc': `registry=http://127.0.0.1:1/\ngit=${trap.file}\nscript-shell=${trap.file}\nnode-options=--require ${trap.file}\n`,
      '.yarnrc.yml': `yarnPath: ${trap.file}\nplugins: [${trap.file}]\n`,
    });
  },
};

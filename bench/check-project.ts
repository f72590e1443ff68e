// A project of a size that is rare: 1,500 locked packages, of which 120 are its own, and 2,000 source files that use them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Versions } from '../test/support/npm-registry.ts';

const LOCKED = 1_500;
const DIRECT = 120;
const FILES = 2_000;
const NAMES = 60;
const FUNCTIONS = 12;
// Text that is no export of this file.
const SHOWN = 'export';

// Two versions of each package: the newer one has lost a function, a member and an optional parameter.
export function madePackages(): Record<string, Versions> {
  return Object.fromEntries(
    Array.from({ length: DIRECT }, (_, at) => [
      nameOf(at),
      { '1.0.0': version(at, true), '2.0.0': version(at, false) },
    ]),
  );
}

function nameOf(at: number): string {
  return at % 10 === 0 ? `@made/part-${at}` : `made-${at}`;
}

function version(at: number, isOld: boolean): Versions[string] {
  return {
    manifest: { types: './index.d.ts', main: './index.js', engines: { node: isOld ? '>=16' : '>=20' } },
    files: { 'index.js': '', 'index.d.ts': declarations(at, isOld) },
  };
}

function declarations(at: number, isOld: boolean): string {
  const lines = Array.from({ length: NAMES }, (_, name) => {
    const member = isOld || name % 20 !== 3 ? `  close${at}(force?: boolean): void;\n` : '';
    const made = isOld || name % 20 !== 7 ? `export declare function make${name}(size?: number): Part${name};\n` : '';
    return `export interface Part${name} {\n  readonly size: number;\n  open(): Part${(name + 1) % NAMES};\n${member}}\n${made}`;
  });
  return lines.join('');
}

export function writeProject(folder: string): void {
  const write = (path: string, content: string | object) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const dependencies = Object.fromEntries(Array.from({ length: DIRECT }, (_, at) => [nameOf(at), '^1.0.0']));
  const locked = Array.from({ length: LOCKED }, (_, at) => {
    return [`node_modules/${at < DIRECT ? nameOf(at) : `deep-${at}`}`, { version: '1.0.0' }] as const;
  });
  write('package.json', { name: 'made', type: 'module', dependencies });
  write('package-lock.json', {
    lockfileVersion: 3,
    packages: { '': { name: 'made', dependencies }, ...Object.fromEntries(locked) },
  });
  write('tsconfig.json', { compilerOptions: { module: 'nodenext', target: 'esnext', strict: true } });
  for (let at = 0; at < DIRECT; at += 1) {
    const manifest = { name: nameOf(at), version: '1.0.0', types: './index.d.ts', main: './index.js' };
    write(`node_modules/${nameOf(at)}/package.json`, manifest);
    write(`node_modules/${nameOf(at)}/index.d.ts`, declarations(at, true));
  }
  for (let at = 0; at < FILES; at += 1) write(fileName(at), source(at));
}

function fileName(at: number): string {
  return `src/room-${at % 40}/file-${at}.ts`;
}

// Every file uses two packages and two other files; each tenth hands names of a package on.
function source(at: number): string {
  const [one, other] = [(at * 7) % DIRECT, (at * 13 + 5) % DIRECT];
  const [first, second] = [(at * 3 + 1) % NAMES, (at * 11 + 2) % NAMES];
  const near = [at + 1, at + 40].map((next) => next % FILES);
  const imports = [
    `import { make${first} } from '${nameOf(one)}';`,
    `import * as other from '${nameOf(other)}';`,
    ...near.map((next) => `import { work0 as near${next} } from '../room-${next % 40}/file-${next}.js';`),
    ...(at % 10 === 0 ? [`export { make${second} as handed } from '${nameOf(one)}';`] : []),
  ];
  const functions = Array.from({ length: FUNCTIONS }, (_, index) => {
    return `// Opens what it is given, and closes it again.
${SHOWN} function work${index}(size: number): number {
  const part = make${first}(size + ${index});
  const next = other.make${second}(part.size).open();
  const list = [part.size, next.size].map((value) => value * ${index + 1}).filter((value) => value > 0);
  if (list.length === 0) return near${near[0]}(size);
  next.close${other}(true);
  return list.reduce((sum, value) => sum + value, size) + near${near[1]}(list.length);
}`;
  });
  return `${imports.join('\n')}\n\n${functions.join('\n\n')}\n`;
}

// Packages that stay outside of the bundle hold far more than a program loads: the compiler in five forms, an engine for six
// platforms. A package of ours brings copies of them with what is loaded, so that nothing else is installed.
import { cpSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build-package.ts';

const ALWAYS = /^(?:licen[cs]e|notice|thirdpartynotice)/i;
const PLATFORMS = 'bin/napi-v3';

// Where the program runs: `linux-x64`; `any` for what npm installs for all platforms, `none` to do without the native engine.
export type Platform = string;

export const ENGINE = 'onnxruntime-node';
export const COMPILER = 'typescript-api';

export function platformsOfEngine(): string[] {
  return globSync(`${PLATFORMS}/*/*`, { cwd: join(ROOT, 'node_modules', ENGINE) })
    .map((path) =>
      path
        .replaceAll('\\', '/')
        .slice(PLATFORMS.length + 1)
        .replace('/', '-'),
    )
    .sort();
}

export function copyCompiler(modules: string): void {
  copyPart(modules, COMPILER, /^lib\/(?:typescript\.js|lib(?:\.[\w-]+)*\.d\.ts)$/);
}

export function copyEngine(modules: string, platform: Platform): void {
  const place = `${PLATFORMS}/${platform.replace('-', '/')}/`;
  copyPart(modules, ENGINE, { test: (path) => /^dist\/.+\.js$/.test(path) || path.startsWith(place) });
  copyPart(modules, 'onnxruntime-common', /^dist\/cjs\/.+\.js(?:on)?$/);
}

function copyPart(modules: string, name: string, needed: { test(path: string): boolean }): void {
  const from = join(ROOT, 'node_modules', name);
  for (const path of globSync('**', { cwd: from }).map((one) => one.replaceAll('\\', '/'))) {
    const isWanted = (needed.test(path) || ALWAYS.test(path)) && statSync(join(from, path)).isFile();
    if (isWanted) cpSync(join(from, path), join(modules, name, path));
  }
  const {
    bin: _,
    scripts: __,
    devDependencies: ___,
    files: ____,
    ...manifest
  } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const told = { ...manifest, '//': 'A part of the package: files and fields that are not used here were left out.' };
  writeFileSync(join(modules, name, 'package.json'), `${JSON.stringify(told, null, 2)}\n`);
}

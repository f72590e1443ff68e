// The folders that npm packs: the program with its server, and the client alone. Their manifests name what stays outside of the
// bundle, and nothing else.
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildClientProgram, buildProgram, ROOT } from './build-package.ts';
import { COMPILER, copyCompiler, copyEngine, ENGINE, type Platform, platformsOfEngine } from './packed-modules.ts';

interface RootManifest {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  [field: string]: unknown;
}

const ROOT_MANIFEST: RootManifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
// Packages that are installed as they are published.
const INSTALLED = ['usearch', '@resvg/resvg-js'];

// This machine's, when the engine is made for it.
export function defaultPlatform(): Platform {
  const own = `${process.platform}-${process.arch}`;
  return platformsOfEngine().includes(own) ? own : 'none';
}

export async function makeProgramFolder(folder: string, platform: Platform = defaultPlatform()): Promise<void> {
  const known = [...platformsOfEngine(), 'any', 'none'];
  if (!known.includes(platform)) throw new Error(`no such platform: ${platform}; one of ${known.join(', ')}`);
  rmSync(folder, { recursive: true, force: true });
  const { external } = await buildProgram(join(folder, 'dist'));
  copyRootFile(folder, 'bin');
  // A container is built without the documents.
  for (const path of globSync(['deploy', 'README.md', 'CHANGELOG.md', 'LICENSE', 'docs/*.md'], { cwd: ROOT }))
    copyRootFile(folder, path);
  writeSamplePackages(join(folder, 'dist', 'sample', 'packages'));
  const modules = join(folder, 'node_modules');
  copyCompiler(modules);
  const isBrought = platform !== 'any' && platform !== 'none';
  if (isBrought) copyEngine(modules, platform);
  const { name, description, dependencies, optionalDependencies } = ROOT_MANIFEST;
  const optional = platform === 'none' ? external.filter((one) => one !== ENGINE) : external;
  writeManifest(folder, {
    name,
    description,
    files: ['bin', 'dist', 'deploy', 'docs', 'CHANGELOG.md'],
    dependencies: pick(dependencies, external),
    optionalDependencies: pick(optionalDependencies, optional),
    bundleDependencies: [COMPILER, ...(isBrought ? [ENGINE] : [])],
  });
  expectBrought(external, [COMPILER, ENGINE, ...INSTALLED]);
}

export async function makeClientFolder(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const { external } = await buildClientProgram(join(folder, 'dist'));
  for (const path of ['bin', 'LICENSE']) copyRootFile(folder, path);
  copyCompiler(join(folder, 'node_modules'));
  writeManifest(folder, {
    name: `${ROOT_MANIFEST.name}-client`,
    description: 'The registry command without the server: checks a project and asks a registry of changelogs',
    files: ['bin', 'dist'],
    dependencies: pick(ROOT_MANIFEST.dependencies, external),
    bundleDependencies: [COMPILER],
  });
  expectBrought(external, [COMPILER]);
}

// Copies what npm would install beside a package.
export function copyInstalled(folder: string): void {
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { dependencies, optionalDependencies }: Partial<RootManifest> = JSON.parse(
      readFileSync(join(next, 'package.json'), 'utf8'),
    );
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const from = join(ROOT, 'node_modules', name);
      const to = join(folder, 'node_modules', name);
      if (existsSync(to) || !existsSync(from)) continue;
      cpSync(from, to, { recursive: true });
      waiting.push(to);
    }
  }
}

// Each package that the bundle leaves outside is there by a decision.
function expectBrought(external: readonly string[], known: readonly string[]): void {
  const unknown = external.filter((one) => !known.includes(one) && existsSync(join(ROOT, 'node_modules', one)));
  if (unknown.length > 0) throw new Error(`not decided how it comes with the package: ${unknown.join(', ')}`);
}

function pick(versions: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(versions).filter(([name]) => names.includes(name)));
}

function writeManifest(folder: string, own: object): void {
  const { version, license, type, bin, engines } = ROOT_MANIFEST;
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ ...own, version, license, type, bin, engines }, null, 2)}\n`,
  );
}

function copyRootFile(folder: string, path: string): void {
  cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}

const CHANGELOG = /^(?:change-?logs?|changes|history|release[-_ ]?notes?|releases|news)(?:\.\w+)?$/i;

// The packages that the program is built from, as far as the sample reads them: they are not installed with it.
function writeSamplePackages(target: string): void {
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
  );
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    if (path === '' || dev || !existsSync(join(ROOT, path))) continue;
    const folder = join(target, path.replace('node_modules/', '').replaceAll('/', '+'));
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(join(ROOT, path))) {
      if (name === 'package.json' || CHANGELOG.test(name)) cpSync(join(ROOT, path, name), join(folder, name));
    }
  }
}

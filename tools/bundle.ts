// Bundles the program and its packages into few files: loading modules is most of the start time, and there are more
// than two thousand of them. Modules that are always loaded together become one chunk, so that lazy imports stay
// separate, and threads share their code with the main one.
import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

const MAIN = 'main';
const CHUNKS = 'chunks';
// The bundle replaces these modules, as their comments say.
const MODULE_LOADER = 'threads/load-module';
const PACKAGE_FILE = 'package-file';

// The thread that does tasks.
const TASK_THREAD = 'threads/thread';

// Packages with native code, or with files that they look for beside themselves; and an optional package of the
// PostgreSQL driver that is not installed.
const EXTERNAL = ['usearch', 'onnxruntime-node', '@resvg/resvg-js', 'typescript-api', 'pg-native'];

// The folder, below the target, of files that are read as data from packages that are not installed with the program.
const PACKAGE_FILES = 'package-files';

// CommonJS packages load Node's modules with `require`. Only the few chunks that use it make one: each costs the start a tenth of
// a millisecond.
const USES_REQUIRE = /\brequire\b/;
const REQUIRE =
  "import { createRequire as requireFor } from 'node:module';\nconst require = requireFor(import.meta.url);";

export interface BundleOptions {
  // The folder of the sources.
  source: string;
  // The folder that the files are written to.
  target: string;
  // Further entry points beside the main program: modules, as paths below the folder that contains the sources.
  programs?: readonly string[];
  // Texts that stand in the place of modules, by path below the sources without extension.
  replaced?: Readonly<Record<string, string>>;
  // Only threads and tasks that the program reaches are built.
  isPart?: boolean;
}

interface Bundle {
  // The written files, as paths below the target.
  files: string[];
  // The folders of the bundled packages.
  packages: string[];
  // The packages that stay outside and are imported.
  external: string[];
  // What is read as data.
  data: PackageFile[];
}

interface PackageFile {
  // The folder of the package.
  from: string;
  // A file or a folder below it.
  path: string;
  // Where it is looked for, below the target.
  place: string;
}

export async function bundleProgram(options: BundleOptions): Promise<Bundle> {
  const addressed = addressedModules(options.source);
  if (!options.isPart) return bundle(options, addressed);
  const { reached } = await bundle(options, { threads: [], tasks: [] }, false);
  const isReached = (module: string) => reached.has(`${basename(options.source)}/${module}.ts`);
  const threads = addressed.threads.filter((module) => module === TASK_THREAD);
  return bundle(options, { threads, tasks: addressed.tasks.filter(isReached) });
}

async function bundle(
  { source, target, programs = [], replaced = {} }: BundleOptions,
  { threads, tasks }: AddressedModules,
  isWritten = true,
): Promise<Bundle & { reached: ReadonlySet<string> }> {
  const root = dirname(source);
  const entries = [
    ...[MAIN, ...threads].map((module) => ({ module, path: join(source, `${module}.ts`) })),
    ...programs.map((path) => ({ module: path.replace(/\.ts$/, ''), path: join(root, path) })),
  ];
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: entries.map(({ module, path }) => ({ in: path, out: chunkName(module) })),
    outdir: join(target, CHUNKS),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // A single character outside Latin-1 would make V8 store the whole file with two bytes per character.
    charset: 'ascii',
    external: EXTERNAL,
    plugins: [replacements(source, replaced), ownAddresses(source, tasks), leanImports()],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  if (isWritten) {
    await mkdir(join(target, CHUNKS), { recursive: true });
    for (const { path, text } of outputFiles)
      await writeFile(path, USES_REQUIRE.test(text) ? `${REQUIRE}\n${text}` : text);
    for (const { module } of entries) await writeEntry(target, module);
  }
  return {
    files: [
      ...entries.map(({ module }) => `${module}.js`),
      ...Object.keys(metafile.outputs).map((path) => `${CHUNKS}/${basename(path)}`),
    ],
    packages: packagesOf(metafile, root),
    external: externalsOf(metafile),
    data: packageFilesOf(metafile, root),
    reached: new Set(Object.keys(metafile.inputs)),
  };
}

function externalsOf({ outputs }: Metafile): string[] {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  return [
    ...new Set(imports.flatMap(({ path, external }) => (external && EXTERNAL.includes(path) ? [path] : []))),
  ].sort();
}

// The files that modules of the bundle name, once each.
function packageFilesOf({ outputs }: Metafile, root: string): PackageFile[] {
  const found = new Map<string, PackageFile>();
  for (const input of new Set(Object.values(outputs).flatMap((output) => Object.keys(output.inputs)))) {
    if (!input.endsWith('.ts') || input.endsWith(`/${PACKAGE_FILE}.ts`)) continue;
    for (const [call, name, path] of readFileSync(join(root, input), 'utf8').matchAll(PACKAGE_FILE_CALL)) {
      if (name === undefined || path === undefined)
        throw new Error(
          `${input}: the build cannot follow "${call.trim()}"; write it as the comment of packageFile says`,
        );
      const place = `${PACKAGE_FILES}/${name}/${path}`;
      found.set(place, { from: join(root, 'node_modules', name), path, place });
    }
  }
  return [...found.values()];
}

const PACKAGE_FILE_CALL = /\bpackageFile\((?:'([^']+)', '([^']+)'\))?/g;

function replacements(source: string, replaced: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'replacements',
    setup({ onLoad }) {
      for (const [module, contents] of Object.entries(replaced)) {
        const path = join(source, `${module}.ts`);
        const filter = new RegExp(`${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
        onLoad({ filter }, () => ({ contents, loader: 'ts', resolveDir: dirname(path) }));
      }
    },
  };
}

function chunkName(module: string): string {
  return module.replaceAll('/', '-');
}

// A line that calls one of the functions that name a module by its URL.
const ADDRESSING = /^(?!\s*\/\/).*(?<!function )\b(threadTask|jsonReader|besideCaller)(?:<.*>)?\(.*/gm;

interface AddressedModules {
  // The entry modules of threads.
  threads: string[];
  // The modules with tasks for the threads of a pool.
  tasks: string[];
}

// The modules that are reached by a URL instead of an import, as paths below the source without extension.
function addressedModules(source: string): AddressedModules {
  const found = { threads: new Set<string>(), tasks: new Set<string>() };
  for (const path of globSync('**/*.ts', { cwd: source })) {
    if (/\.(?:test|fixture|d)\.ts$/.test(path)) continue;
    const module = path.replaceAll('\\', '/').slice(0, -'.ts'.length);
    for (const [call, caller] of readFileSync(join(source, path), 'utf8').matchAll(ADDRESSING)) {
      const thread = caller === 'besideCaller' && /\(import\.meta\.url, '([^']+)'\)/.exec(call)?.[1];
      if (thread) found.threads.add(join(dirname(module), thread));
      else if (caller !== 'besideCaller' && /\(import\.meta\.url, \w+\)/.test(call)) found.tasks.add(module);
      else
        throw new Error(`${path}: the build cannot follow "${call.trim()}"; write it as the comment of ${caller} says`);
    }
  }
  return { threads: [...found.threads].sort(), tasks: [...found.tasks].sort() };
}

// Code in a bundle sees the URL of its chunk. It needs the URL that its module would have below the target: its assets
// are copied there, and threads start there.
function ownAddresses(source: string, tasks: readonly string[]): Plugin {
  return {
    name: 'own addresses',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const module = relative(source, path).replaceAll('\\', '/').slice(0, -'.ts'.length);
        if (module === MODULE_LOADER) return { contents: loaderOf(tasks), loader: 'js', resolveDir: dirname(path) };
        if (module === PACKAGE_FILE) return { contents: PACKAGE_FILE_TEXT, loader: 'js', resolveDir: dirname(path) };
        const text = await readFile(path, 'utf8');
        if (module.startsWith('..') || !text.includes('import.meta.url')) return undefined;
        return { contents: withAddress(text, `../${module}.js`), loader: 'ts' };
      });
    },
  };
}

// Chunks are in a folder of the target.
const PACKAGE_FILE_TEXT = `
  import { fileURLToPath } from 'node:url';
  export function packageFile(name, path) {
    return fileURLToPath(new URL('../${PACKAGE_FILES}/' + name + '/' + path, import.meta.url));
  }`;

// Leaves out of the start what the program imports and never uses. An import of `node:http` reads all of its exports, and
// some of them load the built-in fetch and WebSocket; a property that is read when it is used does not. An import of the
// compiler searches nine megabytes for the names of its exports, which takes as long as loading them; `require` does not.
// The messages of zod exist in fifty languages, of which the program uses one. Of the HTML parser it uses the tokenizer;
// the rest brings tables of characters that are made when they are loaded.
function leanImports(): Plugin {
  const namespace = 'built in';
  return {
    name: 'lean imports',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^(?:(?:node:)?http|typescript-api)$/ }, (args) => {
        const path = args.path === 'http' ? 'node:http' : args.path;
        return args.namespace === namespace ? { path, external: true } : { path, namespace };
      });
      onLoad({ filter: /^/, namespace }, ({ path }) => ({ contents: `module.exports = require('${path}');` }));
      onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
        contents: "export { default as en } from './en.js';",
      }));
      onLoad({ filter: /[\\/]htmlparser2[\\/]dist[\\/]esm[\\/]index\.js$/ }, () => ({
        contents: "export { default as Tokenizer } from './Tokenizer.js';",
      }));
    },
  };
}

// A bundle may rename functions, so the names of tasks are written as strings.
function withAddress(text: string, address: string): string {
  return text
    .replace(/\b(threadTask|jsonReader)\(import\.meta\.url, (\w+)\)/g, "$1(import.meta.url, $2, '$2')")
    .replace(/\bimport\.meta\.url\b/g, () => `new URL('${address}', import.meta.url).href`);
}

// The URL of a task ends with the path of its module.
function loaderOf(tasks: readonly string[]): string {
  return `
    const MODULES = { ${tasks.map((module) => `'${module}': () => import('../${module}.ts')`).join(', ')} };
    const root = new URL('../', import.meta.url).href;
    export function loadModule(url) {
      const load = MODULES[url.slice(root.length, -'.js'.length)];
      if (!load) throw new Error('no module with tasks: ' + url);
      return load();
    }`;
}

// The entry file at the path of the module: it prepares the loading and imports the chunk. The compile cache is enabled
// first, because a thread does not inherit it. Chunks import each other with full paths, more than a thousand times for
// `web`, so the resolution of other meanings is skipped, which is a tenth of the start time.
async function writeEntry(target: string, module: string): Promise<void> {
  const path = join(target, `${module}.js`);
  const up = relative(dirname(module), CHUNKS).replaceAll('\\', '/');
  const names = module === MAIN ? 'export const { main, runCommand } = ' : '';
  await mkdir(dirname(path), { recursive: true });
  await writeFile(
    path,
    `import { enableCompileCache, registerHooks } from 'node:module';
const chunks = new URL('${up}/', import.meta.url).href;
enableCompileCache();
registerHooks({
  resolve(name, context, next) {
    const isChunk = name.startsWith('./') && name.endsWith('.js') && context.parentURL?.startsWith(chunks);
    return isChunk ? { url: chunks + name.slice(2), format: 'module', shortCircuit: true } : next(name, context);
  },
});
${names}await import(chunks + '${chunkName(module)}.js');
`,
  );
}

function packagesOf({ outputs }: Metafile, root: string): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort().map((folder) => join(root, folder));
}

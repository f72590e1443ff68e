// Few files of the packages that consist of hundreds: every test process loads them, and so do the threads of vector indexes.
// Only our own modules import these files; packages that are not among them find their dependencies as ever.
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Holds the folder with the files; unset in a run by hand.
export const PACKAGES_VARIABLE = 'REGISTRY_TEST_PACKAGES';

// Everything that our modules import from a package, else it would be loaded twice.
const PACKAGES = [
  '@better-auth/oauth-provider',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/client/stdio',
  '@modelcontextprotocol/client/validators/ajv',
  '@modelcontextprotocol/sdk/client/index.js',
  '@modelcontextprotocol/sdk/client/stdio.js',
  '@modelcontextprotocol/sdk/client/streamableHttp.js',
  '@modelcontextprotocol/sdk/validation/ajv',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/server/stdio',
  'better-auth',
  'better-auth/adapters',
  'better-auth/crypto',
  'better-auth/plugins/bearer',
  'better-auth/plugins/device-authorization',
  'better-auth/plugins/jwt',
  'better-call',
  'domhandler',
  'htmlparser2',
  'kysely',
  'zod',
  'zod/v4/core',
] as const;

const INDEX = 'packages.json';

export async function bundlePackages(folder: string): Promise<void> {
  // Loaded here, because every test process reads this file.
  const { build } = await import('esbuild');
  await rm(folder, { recursive: true, force: true });
  await build({
    entryPoints: PACKAGES.map((specifier) => ({ in: specifier, out: nameOf(specifier) })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    charset: 'ascii',
    // Packages in the older form of modules ask for those of Node with `require`.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module';\nconst require = requireFor(import.meta.url);",
    },
    logLevel: 'warning',
  });
  const urls = PACKAGES.map((specifier) => [specifier, pathToFileURL(join(folder, `${nameOf(specifier)}.mjs`)).href]);
  await writeFile(join(folder, INDEX), JSON.stringify(Object.fromEntries(urls)));
}

// The address of the file that holds what a module of ours imports; null when it is not among the bundled packages.
export function bundledPackages(folder = process.env[PACKAGES_VARIABLE]): (specifier: string) => string | null {
  if (!folder) return () => null;
  const urls: Record<string, string> = JSON.parse(readFileSync(join(folder, INDEX), 'utf8'));
  const names = new Set(Object.keys(urls).map(packageOf));
  return (specifier) => {
    const url = urls[specifier];
    if (url === undefined && names.has(packageOf(specifier))) {
      throw new Error(`${specifier} has to be listed in tools/test-packages.ts, beside the rest of its package`);
    }
    return url ?? null;
  };
}

function packageOf(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

function nameOf(specifier: string): string {
  return specifier.replace(/^@/, '').replace(/\.js$/, '').replaceAll('/', '-');
}

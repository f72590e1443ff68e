// Few files of the packages that consist of hundreds: every test process loads them, and so do the threads of vector indexes.
// Only our own modules import these files; packages that are not among them find their dependencies as ever.
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Holds the folder with the files; unset in a run by hand.
export const PACKAGES_VARIABLE = 'REGISTRY_TEST_PACKAGES';

// All imports of a package by our modules stand here, else it would be there twice.
const PACKAGES = [
  '@better-auth/oauth-provider',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/client/stdio',
  '@modelcontextprotocol/sdk/client/index.js',
  '@modelcontextprotocol/sdk/client/stdio.js',
  '@modelcontextprotocol/sdk/client/streamableHttp.js',
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

// The addresses of the files by what is imported.
export function bundledPackages(): Record<string, string> {
  const folder = process.env[PACKAGES_VARIABLE];
  return folder ? JSON.parse(readFileSync(join(folder, INDEX), 'utf8')) : {};
}

function nameOf(specifier: string): string {
  return specifier.replace(/^@/, '').replace(/\.js$/, '').replaceAll('/', '-');
}

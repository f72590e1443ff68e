// Finds modules for a test process and the threads that it starts, which is half of the time of loading them.
import { createRequire, registerHooks, syncBuiltinESMExports } from 'node:module';
import type { WorkerOptions } from 'node:worker_threads';
import { bundledPackages } from './test-packages.ts';

const bundledFile = bundledPackages();

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    // An import of ours names its file in full, so nothing else has to be looked for.
    if (parentURL !== undefined && /^\.{1,2}\/.*\.ts$/.test(specifier)) {
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
    }
    if (specifier.startsWith('node:')) return { url: specifier, format: 'builtin', shortCircuit: true };
    const bundled = parentURL?.endsWith('.ts') ? bundledFile(specifier) : null;
    if (bundled !== null) return { url: bundled, format: 'module', shortCircuit: true };
    return next(specifier, context);
  },
});

// A thread that is given flags of its own gets this module with them; others have the flags of their process.
const threads = createRequire(import.meta.url)('node:worker_threads') as typeof import('node:worker_threads');

threads.Worker = class extends threads.Worker {
  constructor(script: string | URL, options: WorkerOptions = {}) {
    const { execArgv } = options;
    super(script, execArgv ? { ...options, execArgv: [...execArgv, '--import', import.meta.url] } : options);
  }
};
syncBuiltinESMExports();

// Finds modules for a test process and the threads that it starts, which is half of the time of loading them.
import { registerHooks } from 'node:module';
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

// Runs one batch of test files in this process. `node --test` would do, but its harness follows every promise through
// `async_hooks`, so that it can assign an unhandled rejection to its test; that costs the tests of a service a sixth of
// their time. Here the harness follows only its own tests, which is what nests them in their suites. An unhandled
// rejection fails the batch and is shown with the running tests.
import type { AsyncResource, AsyncResourceOptions, HookCallbacks } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import './test-modules.ts';

const asyncHooks = createRequire(import.meta.url)('node:async_hooks') as {
  createHook: unknown;
  AsyncResource: typeof AsyncResource;
};
const real = { ...asyncHooks };

const heard: HookCallbacks[] = [];
const unused = { enable: () => unused, disable: () => unused };

class HeardResource extends real.AsyncResource {
  constructor(type: string, options?: number | AsyncResourceOptions) {
    super(type, options);
    for (const { init } of heard) init?.(this.asyncId(), type, this.triggerAsyncId(), this);
  }
}

// The harness takes both when it is loaded; all other code gets the real ones.
asyncHooks.AsyncResource = HeardResource;
asyncHooks.createHook = (callbacks: HookCallbacks) => {
  heard.push(callbacks);
  return unused;
};
const { run } = await import('node:test');
asyncHooks.AsyncResource = real.AsyncResource;
const { report } = await import('./test-reporter.ts');

const running = new Set<string>();
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    const named = [...running].join(', ') || 'no test';
    process.stderr.write(`  FAILED  an error that nobody awaits, while ${named} ran\n${inspect(error)}\n`);
  });
}

const files = process.argv.slice(2).map((file) => resolve(file));
const events = run({ files, isolation: 'none' });
asyncHooks.createHook = real.createHook;
events.on('test:dequeue', ({ name }) => running.add(name));
events.on('test:complete', ({ name }) => running.delete(name));
events.on('test:summary', ({ success }) => {
  if (!success) process.exitCode = 1;
});
report(events).pipe(process.stdout);

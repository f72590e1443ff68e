#!/usr/bin/env node
// Starts the registry on a Node that can run it. Kept in plain JavaScript, because it must also run on an older one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LEAST_MAJOR = 24;
const { enableCompileCache } = nodeModule;
const self = fileURLToPath(import.meta.url);
const args = process.argv.slice(2);

// The one that `npm install` brings, here or in a project that depends on this package.
function findPinnedNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  for (let folder = dirname(dirname(self)); ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    const found = [join(modules, 'node', 'bin', name), join(modules, '.bin', name)].find(existsSync);
    if (found) return found;
    if (folder === dirname(folder)) return null;
  }
}

function runWith(node) {
  const child = spawn(node, [self, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`registry: ${node} did not start: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

if (Number(process.versions.node.split('.')[0]) >= LEAST_MAJOR) {
  // Stripped types and compiled code are kept between starts.
  enableCompileCache?.();
  const { main } = await import('../src/main.ts');
  await main({ args, env: process.env });
} else {
  const node = findPinnedNode();
  if (node) {
    runWith(node);
  } else {
    console.error(`registry: Node ${LEAST_MAJOR} or newer is needed, this is ${process.versions.node}.`);
    console.error('Run `npm install` in this folder, which brings one, or install it from https://nodejs.org.');
    process.exitCode = 1;
  }
}

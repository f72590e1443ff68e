#!/usr/bin/env node
// Starts the registry on a Node that can run it. Older ones must be able to read this file, if only to say what is missing:
// plain JavaScript without optional chaining, `??` or `await` at the top.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LEAST_MAJOR = 24;
const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));
const args = process.argv.slice(2);

// The sources in a checkout; plain JavaScript in an installed package, where Node strips no types.
function entry() {
  const isInstalled = !existsSync(join(root, 'src', 'main.ts')) || root.split(/[\\/]/).includes('node_modules');
  return isInstalled ? '../dist/main.js' : '../src/main.ts';
}

// The one that `npm install` brings, here or in a project that depends on this package.
function findPinnedNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  for (let folder = root; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    const found = [join(modules, 'node', 'bin', name), join(modules, '.bin', name)].find((path) => existsSync(path));
    if (found) return found;
    if (folder === dirname(folder)) return null;
  }
}

function runWith(node) {
  const child = spawn(node, [self].concat(args), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`registry: ${node} did not start: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code === null ? 1 : code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function refuse() {
  console.error(`registry: Node ${LEAST_MAJOR} or newer is needed, this is ${process.versions.node}.`);
  const orBrought = existsSync(join(root, 'src'))
    ? ', or run `npm ci` in this folder without `--omit=dev`, which brings one'
    : '';
  console.error(`Install it from https://nodejs.org${orBrought}.`);
  process.exitCode = 1;
}

if (Number(process.versions.node.split('.')[0]) >= LEAST_MAJOR) {
  // Stripped types and compiled code are kept between starts.
  if (nodeModule.enableCompileCache) nodeModule.enableCompileCache();
  import(entry()).then(({ main }) => main({ args, env: process.env }));
} else {
  const node = findPinnedNode();
  if (node) runWith(node);
  else refuse();
}

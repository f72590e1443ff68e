// The real service as a process of its own, so that the load generator has the other core.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface Running {
  url: string;
  // From spawn to the first answer.
  startMs: number;
  pid: number;
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../bin/registry.mjs', import.meta.url));
// A demo is loaded before the first answer.
const MAX_ATTEMPTS = 24_000;
const BARE = fileURLToPath(new URL('./bare-server.ts', import.meta.url));

export async function startService(dataDir: string, env: Record<string, string> = {}): Promise<Running> {
  const port = await freePort();
  return start([MAIN, 'web', '--port', String(port)], port, '/v1/releases/latest', {
    REGISTRY_DATA_DIR: dataDir,
    REGISTRY_LOG_LEVEL: 'warn',
    ...env,
  });
}

// The whole service on a new data directory, which it fills with the demo; web process and worker.
export async function startDemo(dataDir: string, env: Record<string, string>): Promise<Running> {
  const port = await freePort();
  return start([MAIN, 'serve', '--demo', '--port', String(port)], port, '/v1/releases/latest', {
    REGISTRY_DATA_DIR: dataDir,
    REGISTRY_LOG_LEVEL: 'warn',
    ...env,
  });
}

// Web process and worker on a data directory as it is.
export async function startServing(dataDir: string, env: Record<string, string>): Promise<Running> {
  const port = await freePort();
  return start([MAIN, 'serve', '--port', String(port)], port, '/ready', {
    REGISTRY_DATA_DIR: dataDir,
    REGISTRY_LOG_LEVEL: 'error',
    ...env,
  });
}

// The whole service on a new data directory, which it fills with its own packages, until it takes traffic.
export async function startSample(dataDir: string): Promise<Running> {
  const port = await freePort();
  return start([MAIN, 'serve', '--sample', '--port', String(port)], port, '/ready', {
    REGISTRY_DATA_DIR: dataDir,
    REGISTRY_LOG_LEVEL: 'warn',
  });
}

// A server that does nothing but send these bytes.
export async function startBare(...files: string[]): Promise<Running> {
  const port = await freePort();
  return start([BARE, String(port), ...files], port, '/', {});
}

async function start(args: string[], port: number, probe: string, env: Record<string, string>): Promise<Running> {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await answers(child, `${url}${probe}`);
  return {
    url,
    startMs: performance.now() - started,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function answers(child: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const status = await fetch(url).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    if (status === 200) return;
    await sleep(5);
  }
  throw new Error(`${url} does not answer`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

export async function readJson(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

// The first steps of a person who has only the package and an empty folder, with real processes: the commands they
// type, the requests of the browser in which they approve, and the receiver of their webhook.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { changelogOf } from '../../src/ingest/local-import/disk.fixture.ts';
import { type Client, createClient } from '../support/client.ts';
import type { InstalledPackage } from '../support/installed-package.ts';
import { freePort } from '../support/registry-process.ts';

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

interface NewUser {
  url: string;
  run(...args: string[]): Promise<Ran>;
  // The command runs until the work with its output so far is done; then its exit is awaited.
  runWhile(args: string[], work: (said: string) => Promise<boolean>): Promise<Ran>;
  client(headers?: Record<string, string>): Client;
  write(path: string, text: string | Uint8Array): string;
  rootKey(): string;
  stop(): Promise<number | null>;
}

// A project with one dependency, at version 2.0.0.
export function writeProject(user: Pick<NewUser, 'write'>): void {
  const metadata = { name: 'engine', version: '2.0.0', repository: 'github:acme/engine' };
  user.write('node_modules/engine/package.json', JSON.stringify(metadata));
  const [first, ...older] = changelogOf('2.0.0', '1.1.0', '1.0.0').split('\n## ');
  const major = `${older[0]?.replace(/### Added\n\n.*/, '### Removed\n\n- **BREAKING**: the function `start()`; use `run()` instead.')}`;
  user.write('node_modules/engine/CHANGELOG.md', [first, major, ...older.slice(1)].join('\n## '));
  for (const [file, version] of [
    ['old/package-lock.json', '1.0.0'],
    ['package-lock.json', '2.0.0'],
  ] as const) {
    const lock = { lockfileVersion: 3, packages: { '': {}, 'node_modules/engine': { version } } };
    user.write(file, JSON.stringify(lock));
  }
}

export async function startAsNewUser({ work, path }: InstalledPackage): Promise<NewUser> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const cwd = join(work, 'new-user');
  mkdirSync(cwd);
  const env = {
    PATH: path,
    HOME: cwd,
    TMPDIR: work,
    REGISTRY_API_URL: url,
    REGISTRY_PORT: String(port),
    REGISTRY_EMBEDDER: 'off',
    REGISTRY_LOG_LEVEL: 'error',
    REGISTRY_DRAIN_MS: '0',
    // The receiver of the webhook is on this machine.
    REGISTRY_EGRESS_ALLOW: '127.0.0.1',
  };
  const server = spawn('registry', ['serve'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  await printed(server, /root key .*\n/);
  const collect = (child: ChildProcess, ran: Ran) => {
    child.stdout?.on('data', (text) => {
      ran.stdout += text;
    });
    child.stderr?.on('data', (text) => {
      ran.stderr += text;
    });
  };
  return {
    url,
    run: (...args) =>
      new Promise((resolve) => {
        execFile('registry', args, { cwd, env }, (error, stdout, stderr) => {
          resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
        });
      }),
    async runWhile(args, work) {
      const child = spawn('registry', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const ran: Ran = { code: 0, stdout: '', stderr: '' };
      collect(child, ran);
      const ended = once(child, 'close');
      while (!(await work(ran.stderr))) await once(child.stderr, 'data');
      const [code] = await ended;
      return { ...ran, code };
    },
    client: (headers) => createClient(url, headers),
    write(name, text) {
      const file = join(cwd, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    rootKey: () => readFileSync(join(cwd, 'data', 'root.key'), 'utf8').trim(),
    async stop() {
      if (server.exitCode !== null) return server.exitCode;
      server.kill('SIGTERM');
      const [code] = await once(server, 'close');
      return code;
    },
  };
}

async function printed(child: ChildProcess, pattern: RegExp): Promise<void> {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  const ended = once(child, 'close').then(() => assert.fail(`ended before it printed ${pattern}: ${text}`));
  while (!pattern.test(text))
    await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), ended]);
  ended.catch(() => {});
}

// Creates an account like a person in a browser; its session approves the login of the terminal.
export async function signUpAsPerson(
  user: NewUser,
  email: string,
): Promise<{ approve(userCode: string): Promise<void> }> {
  const body = { name: 'New User', email, password: 'correct horse battery' };
  const answer = await user.client().post('/api/auth/sign-up/email', body);
  assert.equal(answer.status, 200, answer.text);
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const browser = user.client({ Cookie: cookies.join('; '), Origin: user.url });
  return {
    async approve(userCode) {
      await browser.get(`/api/auth/device?user_code=${userCode}`);
      const approved = await browser.post('/api/auth/device/approve', { userCode });
      assert.equal(approved.status, 200, approved.text);
    },
  };
}

interface Received {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export async function startReceiver(): Promise<{ url: string; received: Promise<Received>; close(): void }> {
  const { promise: received, resolve } = Promise.withResolvers<Received>();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    response.writeHead(204).end();
    resolve({ headers: request.headers, body: Buffer.concat(parts) });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/in`, received, close: () => server.close() };
}

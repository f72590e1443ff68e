// pgbouncer in transaction mode in front of the bench's server, where it is installed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/registry-process.ts';

interface Pooler {
  // The address of the same database through the pooler.
  url: string;
  stop(): Promise<void>;
}

const SERVER_CONNECTIONS = 20;
const START_MS = 10_000;

// Debian installs it where only the administrator's path leads.
export function findPgbouncer(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, 'pgbouncer')).find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export async function startPgbouncer(program: string, serverUrl: string): Promise<Pooler> {
  const { hostname, port: serverPort, username, password, pathname } = new URL(serverUrl);
  const folder = mkdtempSync(join(tmpdir(), 'registry-pgbouncer-'));
  // It runs as another user when this one is root, whom it refuses.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${serverPort} user=${username} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'max_client_conn = 500',
    `default_pool_size = ${SERVER_CONNECTIONS}`,
  ];
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, `${settings.join('\n')}\n`, { mode: 0o644 });
  const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(program, ['-q', file], { stdio: ['ignore', 'ignore', 'inherit'], ...asNobody });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true });
  };
  if (!(await accepts(port))) {
    await stop();
    throw new Error('pgbouncer does not accept connections');
  }
  return { url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`, stop };
}

async function accepts(port: number): Promise<boolean> {
  for (const until = Date.now() + START_MS; Date.now() < until; await sleep(50)) {
    const socket = createConnection(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return true;
  }
  return false;
}

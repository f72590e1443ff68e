// The `registry` program as a person runs it: the launcher in its own process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { LAUNCHER, NODE_FLAGS, testProgram } from './program.ts';

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RegistryProcess {
  child: ChildProcess;
  ended: Promise<Ended>;
  // Resolves with the output so far, once it matches.
  printed(pattern: RegExp, stream?: 'stdout' | 'stderr'): Promise<string>;
  // Resolves to false when the process has ended and prints nothing more.
  printsMore(): Promise<boolean>;
  // The lines of its log so far.
  logged(): Record<string, unknown>[];
}

// The environment of the test run is not passed on.
export function startRegistry(
  args: string[],
  env: Record<string, string> = {},
  node: string = process.execPath,
): RegistryProcess {
  return startProgram([node, ...NODE_FLAGS, LAUNCHER, ...args], env);
}

function startProgram(
  [path, ...args]: [path: string, ...args: string[]],
  env: Record<string, string>,
): RegistryProcess {
  const surrounding = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name]]);
  const child = spawn(path, args, {
    env: {
      ...Object.fromEntries(surrounding.filter(([, value]) => value !== undefined)),
      REGISTRY_EMBEDDER: 'off',
      REGISTRY_DRAIN_MS: '0',
      REGISTRY_NPM_URL: 'http://127.0.0.1:9',
      REGISTRY_ASK: 'off',
      REGISTRY_STARTER: 'off',
      REGISTRY_PYPI_URL: 'http://127.0.0.1:9',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...output }));
  const printsMore = () => {
    const more = new AbortController();
    const { signal } = more;
    const [out, err] = [child.stdout, child.stderr].map((stream) => once(stream, 'data', { signal }));
    return Promise.race([out, err, ended.then(() => false)])
      .then((first) => first !== false)
      .finally(() => {
        out?.catch(() => {});
        err?.catch(() => {});
        more.abort();
      });
  };
  return {
    child,
    ended,
    printsMore,
    logged: () =>
      output.stderr
        .split('\n')
        .filter((line) => line.startsWith('{') && line.endsWith('}'))
        .map((line) => JSON.parse(line)),
    async printed(pattern, stream = 'stdout') {
      while (!pattern.test(output[stream])) {
        if (await printsMore()) continue;
        const { code, stdout, stderr } = await ended;
        throw new Error(`ended with ${code} before it printed ${pattern}:\n${stdout}${stderr}`);
      }
      return output[stream];
    },
  };
}

export function runRegistry(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return startRegistry(args, env).ended;
}

interface CommandEnd {
  code: number;
  stdout: string;
  stderr: string;
}

interface CommandCall {
  args: string[];
  // Added to the environment of the process, for this command alone.
  env?: Record<string, string>;
}

// Runs the commands one after another in one process, because loading the program costs more than most commands.
export async function runCommands(
  commands: (string[] | CommandCall)[],
  env: Record<string, string> = {},
): Promise<CommandEnd[]> {
  const calls = commands.map((one): CommandCall => (Array.isArray(one) ? { args: one } : one));
  const { code, stdout, stderr } = await startProgram(
    [process.execPath, ...NODE_FLAGS, testProgram('test/support/command-runner.ts'), JSON.stringify(calls)],
    env,
  ).ended;
  if (code !== 0) throw new Error(`the commands were not run: ${stderr}`);
  const ends = stdout.trimEnd().split('\n');
  return ends.map((line) => JSON.parse(line));
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}

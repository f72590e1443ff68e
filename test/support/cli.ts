// Runs client commands against a running service, in this process, and returns their output and exit code.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Terminal } from '../../src/cli/command.ts';
import { runCommand } from '../../src/main.ts';
import { scratchFolder } from './scratch.ts';

interface CliRun {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  env?: Record<string, string>;
  // Simulates a terminal of this width.
  columns?: number;
  // The answers to prompts, in order; without them there is no terminal to ask.
  answers?: string[];
  input?: string;
  // Replaces waiting.
  wait?(ms: number): Promise<void>;
  // Called with all output so far, whenever a line is printed.
  onLine?(printed: string, interrupt: () => void): void;
  onError?(line: string): void;
}

export interface Cli {
  run(args: string[], options?: CliOptions): Promise<CliRun>;
  // The folder in which the commands store keys.
  configHome: string;
}

// Ids and the URL of the service differ between runs, so golden outputs replace them.
export async function createCli(url: string): Promise<Cli> {
  const configHome = await scratchFolder('registry-cli-');
  after(() => rm(configHome, { recursive: true, force: true }));
  return {
    configHome: join(configHome, 'registry'),
    async run(args, { env = {}, columns, answers, input, wait, onLine, onError } = {}) {
      const printed: Record<'out' | 'err', string[]> = { out: [], err: [] };
      let interrupt = () => {};
      const print = (stream: 'out' | 'err') => (line: string) => {
        printed[stream].push(line);
        if (stream === 'out') onLine?.(printed.out.join('\n'), () => interrupt());
        else onError?.(line);
      };
      const terminal: Terminal = {
        out: print('out'),
        err: print('err'),
        ...(columns === undefined ? {} : { isTTY: true, columns }),
        ...(answers === undefined ? {} : { ask: async () => answers.shift() ?? '' }),
        ...(wait === undefined ? {} : { wait }),
        ...(input === undefined ? {} : { readInput: async () => input }),
        onInterrupt(callback) {
          interrupt = callback;
          return () => {};
        },
      };
      const code = await runCommand(
        {
          args,
          env: {
            PATH: process.env.PATH ?? '',
            REGISTRY_API_URL: url,
            XDG_CONFIG_HOME: configHome,
            HOME: configHome,
            ...env,
          },
        },
        terminal,
      );
      const text = (lines: string[]) => lines.map((line) => `${line}\n`).join('');
      return { code, stdout: text(printed.out), stderr: text(printed.err) };
    },
  };
}

export function golden(text: string): string {
  return text
    .replace(/\b(org|prod|src|rel|col|whk|dlv|evt|tok)_[0-9A-Za-z]{21}/g, '$1_…')
    .replace(/http:\/\/(?:localhost|127\.0\.0\.1):\d+/g, 'http://registry')
    .replaceAll('\u001b[1m', '<b>')
    .replaceAll('\u001b[2m', '<dim>')
    .replaceAll('\u001b[31m', '<red>')
    .replaceAll('\u001b[33m', '<yellow>')
    .replaceAll('\u001b[32m', '<green>')
    .replaceAll(/\u001b\[(?:22|39)m/g, '</>');
}

// Client commands against a running service, in this process: what they print and how they end.
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
  // As on a terminal of this width.
  columns?: number;
  // Answers to questions, in their order; without them nobody is there to be asked.
  answers?: string[];
  input?: string;
  // Instead of waiting.
  wait?(ms: number): Promise<void>;
  // Called with all that was printed so far, whenever a line is printed.
  onLine?(printed: string, interrupt: () => void): void;
  onError?(line: string): void;
}

export interface Cli {
  run(args: string[], options?: CliOptions): Promise<CliRun>;
  // Where the commands store keys.
  configHome: string;
}

// Ids and the address of the service differ from run to run; golden outputs show neither.
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
        { args, env: { REGISTRY_API_URL: url, XDG_CONFIG_HOME: configHome, ...env } },
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

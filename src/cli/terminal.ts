// The terminal, pipe or file that the process was started with.
import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { boundaryOf } from '../check/git/repository.ts';
import { trustedPath } from '../check/trusted-program.ts';
import type { Environment, Terminal } from './command.ts';

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  return {
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    isTTY: stdout.isTTY === true,
    ...(stdout.isTTY ? { columns: stdout.columns, rows: stdout.rows } : {}),
    ...(stdin.isTTY && stdout.isTTY ? { page } : {}),
    ...(stdin.isTTY && stderr.isTTY ? { ask, openBrowser } : {}),
    readInput: () => text(stdin),
    onInterrupt(callback) {
      process.once('SIGINT', callback);
      return () => process.off('SIGINT', callback);
    },
  };
}

// `less` ends by itself when everything fits, keeps colours and leaves the text on the screen.
const LESS = 'FRX';

// PAGER is a command line of the person, hence the shell; an empty one or `cat` means no pager.
async function page(text: string, given: Environment): Promise<boolean> {
  const command = given.PAGER ?? 'less';
  if (/^\s*(?:cat\s*)?$/.test(command)) return false;
  // A pager that comes with the project of this folder is not started.
  const path = trustedPath(given.PATH ?? '', boundaryOf('.')).join(delimiter);
  const env = { ...given, PATH: path, LESS: given.LESS ?? LESS };
  const child = spawn(command, { shell: true, env, stdio: ['pipe', 'inherit', 'inherit'] });
  // A person who leaves the pager early closes its input.
  child.stdin.on('error', () => {});
  child.stdin.end(`${text}\n`);
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code !== NOT_FOUND));
  });
}

// The exit code of a shell that does not find a command.
const NOT_FOUND = 127;

async function ask(question: string, signal?: AbortSignal): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C at a prompt interrupts the process.
  prompt.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await prompt.question(question, signal ? { signal } : {});
  } finally {
    prompt.close();
  }
}

const BROWSERS: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

// The URL comes from a server, so it is opened without a shell and only if it is http or https.
function openBrowser(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return;
  const [command, ...args] = BROWSERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, new URL(url).href], { stdio: 'ignore', detached: true });
  // There may be no browser on this machine; the URL is printed anyway.
  child.on('error', () => {});
  child.unref();
}

// Collects what a command prints, so that an answer longer than the screen is shown in the pager.
import type { FlagValues, Invocation, Terminal } from '../command.ts';
import { displayWidth } from './table.ts';

// Endless and machine-readable answers are printed as they come.
function isCollected({ isTTY, page, rows }: Terminal, flags: FlagValues): boolean {
  return isTTY === true && page !== undefined && rows !== undefined && !flags.json && !flags.follow && !flags.all;
}

export async function withPager<T>(
  { terminal, flags, env }: Pick<Invocation, 'terminal' | 'flags' | 'env'>,
  work: (terminal: Terminal) => Promise<T>,
): Promise<T> {
  if (!isCollected(terminal, flags)) return work(terminal);
  const printed: string[] = [];
  // What is for the reader follows behind the answer.
  const notes: string[] = [];
  const collecting = {
    ...terminal,
    out: (line: string) => void printed.push(line),
    err: (line: string) => void notes.push(line),
  };
  try {
    return await work(collecting);
  } finally {
    const text = printed.join('\n');
    const isLong = screenLines(text, terminal.columns ?? 80) >= (terminal.rows ?? 0);
    const isShown = printed.length > 0 && isLong && (await terminal.page?.(text, env));
    if (!isShown) for (const line of printed) terminal.out(line);
    for (const line of notes) terminal.err(line);
  }
}

function screenLines(text: string, columns: number): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
}

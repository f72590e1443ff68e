import type { Context } from '../context.ts';
import type { Terminal } from './command.ts';

// Loaded on demand: a server that needs no demo data does not read it either.
export async function fillWithDemo(ctx: Context, terminal: Terminal): Promise<void> {
  const { loadDemo } = await import('../demo/load.ts');
  if (await loadDemo(ctx)) terminal.err('The registry was empty; it now holds the demo data.');
}

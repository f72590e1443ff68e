import type { Context } from '../context.ts';
import type { Terminal } from './command.ts';
import { createProgress, type Progress } from './progress.ts';

// Loaded on demand: a server that needs no demo data does not read it either.
export async function fillWithDemo(ctx: Context, terminal: Terminal): Promise<void> {
  const { loadDemo } = await import('../demo/load.ts');
  let progress: Progress | null = null;
  const loaded = await loadDemo(ctx, {
    onProgress(done, total) {
      if (progress === null) terminal.err('The registry is empty; loading the demo data.');
      progress ??= createProgress({ label: 'demo releases', total });
      progress.update(done);
    },
  });
  (progress as Progress | null)?.finish();
  if (loaded) terminal.err('The registry now holds the demo data.');
}

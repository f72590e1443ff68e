// Fills an empty registry with the demo data before the server starts.
import type { Context } from '../context.ts';
import type { Terminal } from './command.ts';
import { createProgress, type Progress } from './progress.ts';

// The demo data is loaded on demand, so that other servers do not read it.
export async function fillWithDemo(ctx: Context, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const { loadDemo } = await import('../demo/load.ts');
  let progress: Progress | null = null;
  const loading = loadDemo(ctx, {
    signal,
    onProgress(done, total) {
      if (progress === null) terminal.err('The registry is empty; loading the demo data.');
      progress ??= createProgress({ label: 'demo releases', total });
      progress.update(done);
    },
  });
  const loaded = await loading.catch((error) => {
    if (!signal.aborted) throw error;
    terminal.err('Loading the demo data was stopped; the registry stays empty.');
    return false;
  });
  (progress as Progress | null)?.finish();
  if (loaded) terminal.err('The registry now holds the demo data.');
}

// Fills an empty registry before the server starts: with the packages of this program, or with the invented demo.

import type { Context } from '../context.ts';
import { beginStarter } from '../packages/starter/starter.ts';
import { CommandFailure, type FlagValues, type Terminal, UsageError } from './command.ts';
import { createProgress, type Progress } from './progress.ts';

interface Fill {
  label: string;
  begins: string;
  ended: string;
  stopped: string;
  load: (ctx: Context, options: LoadOptions) => Promise<boolean>;
}

interface LoadOptions {
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

const DEMO: Fill = {
  label: 'demo releases',
  begins: 'The registry is empty; loading the demo data.',
  ended: 'The registry now holds the demo data.',
  stopped: 'Loading the demo data was stopped; the registry stays empty.',
  load: async (ctx, options) => (await import('../demo/load.ts')).loadDemo(ctx, options),
};

const SAMPLE: Fill = {
  label: 'packages',
  begins: 'The registry is empty; reading the packages that this program is built from.',
  ended: 'The registry now holds the packages that this program is built from.',
  stopped: 'Reading the packages was stopped; the registry stays empty.',
  async load(ctx, options) {
    const { loadSample, NothingInstalled } = await import('../sample/load.ts');
    const isNew = await loadSample(ctx, options).catch((error) => {
      if (error instanceof NothingInstalled) throw new CommandFailure(`${error.message}; start without --sample`);
      throw error;
    });
    // Questions that order nothing would be strange beside readings that nobody asked for.
    if (ctx.config.starter && ctx.config.ask.access !== 'off') {
      const { STARTER } = await import('../sample/starter.ts');
      await beginStarter(ctx, STARTER, isNew);
    }
    return isNew;
  },
};

type Filling = (ctx: Context, terminal: Terminal, signal: AbortSignal) => Promise<void>;

// Null when no flag asks for data. Each kind of data is loaded on demand, so that other servers do not read it.
export function fillingOf(flags: FlagValues): Filling | null {
  if (flags.demo && flags.sample) throw new UsageError('give --sample or --demo, not both');
  const fill = flags.sample ? SAMPLE : flags.demo ? DEMO : null;
  return fill && ((ctx, terminal, signal) => run(fill, ctx, { terminal, signal }));
}

async function run(
  { label, begins, ended, stopped, load }: Fill,
  ctx: Context,
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
): Promise<void> {
  let progress: Progress | null = null;
  const loading = load(ctx, {
    signal,
    onProgress(done, total) {
      if (progress === null) terminal.err(begins);
      progress ??= createProgress({ label, total });
      progress.update(done);
    },
  });
  const loaded = await loading.catch((error) => {
    if (!signal.aborted) throw error;
    terminal.err(stopped);
    return false;
  });
  (progress as Progress | null)?.finish();
  if (loaded) terminal.err(ended);
}

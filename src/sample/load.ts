// Fills an empty registry with the packages that this program is built from, read from the disk: real versions and real
// notes, without network. Their sources stay paused.
import { type FillOptions, fillEmpty } from '../catalog/registry/fill-empty.ts';
import { writeSample } from '../catalog/registry/sample.ts';
import { readTotals } from '../catalog/registry/stats.ts';
import type { Context } from '../context.ts';
import { collectFolders } from '../ingest/local-import/collect.ts';
import { importPackages } from '../ingest/local-import/import-all.ts';
import { curate } from './curate.ts';
import { ownPackages } from './own-packages.ts';

interface SampleOptions extends FillOptions {
  // The folder of the program whose packages are read.
  program?: string;
}

// Whether data was loaded; a registry that holds anything is left alone. Fails when no package is installed.
export function loadSample(ctx: Context, { program, ...options }: SampleOptions = {}): Promise<boolean> {
  const { signal } = options;
  return fillEmpty(ctx, options, {
    prepare: async () => collectFolders(await ownPackages(program)),
    load: async (ctx, packages, step) => {
      if (packages.length === 0) throw new NothingInstalled('no package is installed beside the program');
      const onProgress = (done: number) => step(done, packages.length);
      await importPackages(ctx, packages, { onProgress, signal });
      await curate(ctx);
      const { sources } = await readTotals(ctx, { days: 1 });
      await writeSample(ctx, { packages: packages.length, sources });
    },
  });
}

export class NothingInstalled extends Error {}

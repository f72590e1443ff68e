import { countFlag, EXIT, type Invocation, UsageError } from './command.ts';
import { createProgress } from './progress.ts';
import { openService } from './service.ts';

const MAX_RELEASES = 10_000_000;

export async function generate({ env, flags }: Invocation): Promise<number> {
  const releases = countFlag(flags, 'releases', { most: MAX_RELEASES });
  if (releases === undefined) throw new UsageError('--releases is required');
  const { generateRegistry } = await import('./generate-registry.ts');
  const app = await openService({ env, flags });
  const progress = createProgress({ label: 'releases', total: releases });
  try {
    await generateRegistry(app.ctx, { releases, onProgress: progress.update });
  } finally {
    await app.close();
  }
  progress.finish();
  return EXIT.ok;
}

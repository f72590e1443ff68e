// A temporary registry in memory, filled with the changelogs of installed packages.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectLockfile } from '../ingest/local-import/collect.ts';
import { importPackages } from '../ingest/local-import/import-all.ts';
import { whatsChanged, whatsChangedBatch } from '../packages/whats-changed/index.ts';
import type { OfflineRegistry } from './client/upgrade/judge-changes.ts';
import { openService } from './service.ts';

export const openOfflineRegistry: OfflineRegistry = async (input, work) => {
  const { lockfile, names, signal, onProgress } = input;
  // Python packages ship no changelog that could be read, so that nothing is known about them.
  const collected = names.size === 0 ? null : await collectLockfile(lockfile);
  const found = collected?.kind === 'packages' ? collected.packages : [];
  const packages = found.filter(({ label }) => names.has(label));
  const folder = await mkdtemp(join(tmpdir(), 'registry-offline-'));
  try {
    const env = {
      REGISTRY_DATA_DIR: folder,
      REGISTRY_LOG_LEVEL: 'silent',
      REGISTRY_EMBEDDER: 'off',
      REGISTRY_EVIDENCE: 'off',
    };
    const { ctx, close } = await openService({ env, flags: {} });
    try {
      const options = { given: {}, track: false, onlyFiles: false, signal };
      await importPackages(ctx, packages, { ...options, onProgress });
      signal.throwIfAborted();
      return await work({
        batch: (items) => whatsChangedBatch(ctx, { items }),
        one: (item) => whatsChanged(ctx, item),
      });
    } finally {
      await close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

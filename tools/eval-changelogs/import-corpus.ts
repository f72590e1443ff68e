// Imports a folder of real changelogs into a temporary registry as a user would: as packages on disk.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { collectInstalled } from '../../src/ingest/local-import/collect.ts';
import { importPackages } from '../../src/ingest/local-import/import-all.ts';

export interface StoredRelease {
  version: string | null;
  publishedAt: string | null;
  content: string;
}

interface CorpusPackage {
  // The name in the folder, and its package.
  file: string;
  name: string;
}

// The file `_acme_core` is the package `@acme/core`.
export function packageOf(file: string): CorpusPackage {
  const [scope, ...rest] = file.startsWith('_') ? file.slice(1).split('_') : [];
  return { file, name: rest.length > 0 ? `@${scope}/${rest.join('_')}` : file };
}

// The releases of each package in the registry, by its name.
export async function importCorpus(
  folder: string,
  packages: readonly CorpusPackage[],
): Promise<Map<string, StoredRelease[]>> {
  const root = await mkdtemp(join(tmpdir(), 'changelogs-'));
  try {
    for (const { file, name } of packages) {
      const home = join(root, 'node_modules', name);
      await mkdir(home, { recursive: true });
      await writeFile(
        join(home, 'package.json'),
        JSON.stringify({ name, version: '0.0.0', repository: `corpus/${file}` }),
      );
      await writeFile(join(home, 'CHANGELOG.md'), await readFile(join(folder, `${file}.md`)));
    }
    const config = readConfig({
      REGISTRY_DATA_DIR: join(root, 'data'),
      REGISTRY_SECRET: '5e'.repeat(32),
      REGISTRY_LOG_LEVEL: 'silent',
      REGISTRY_EMBEDDER: 'off',
    });
    const app = await createApp(config);
    await app.ctx.store.migrate();
    try {
      const gathered = await collectInstalled(root);
      if (gathered.kind !== 'packages') throw new Error('nothing to import');
      await importPackages(app.ctx, gathered.packages);
      const rows = await app.ctx.store.read
        .selectFrom('releases as r')
        .innerJoin('sources as s', 's.id', 'r.source_id')
        .select(['s.github_coordinate as coordinate', 'r.version', 'r.published_at as publishedAt', 'r.content'])
        .orderBy('r.doc_key', 'desc')
        .execute();
      const byFile = Map.groupBy(rows, ({ coordinate }) => coordinate?.split('/')[1] ?? '');
      return new Map(packages.map(({ file }) => [file, byFile.get(file.toLowerCase()) ?? []]));
    } finally {
      await app.close();
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

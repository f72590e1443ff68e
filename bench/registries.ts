// Generated registries are kept between runs: making a large one takes minutes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../bin/registry.mjs', import.meta.url));

export async function generatedRegistry(releases: number, name = `sqlite-${releases}`): Promise<string> {
  const folder = fileURLToPath(new URL(`./data/${name}`, import.meta.url));
  const mark = join(folder, 'complete');
  if (existsSync(mark)) return folder;
  rmSync(folder, { recursive: true, force: true });
  const child = spawn(process.execPath, [MAIN, 'generate', '--releases', String(releases)], {
    env: { ...process.env, REGISTRY_DATA_DIR: folder, REGISTRY_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`generating ${releases} releases failed`);
  writeFileSync(mark, '');
  return folder;
}

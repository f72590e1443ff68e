// Packages on a disk that is gone after the test.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Disk {
  root: string;
  write(path: string, content: string | Uint8Array): Promise<void>;
  // A package with its metadata and, when given, a changelog.
  package(folder: string, json: object, changelog?: string, filename?: string): Promise<void>;
  remove(): Promise<void>;
}

export async function openDisk(): Promise<Disk> {
  const root = await mkdtemp(join(tmpdir(), 'registry-import-'));
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  };
  return {
    root,
    write,
    async package(folder, json, changelog, filename = 'CHANGELOG.md') {
      await write(join(folder, 'package.json'), JSON.stringify(json));
      if (changelog !== undefined) await write(join(folder, filename), changelog);
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

export function changelogOf(...versions: string[]): string {
  const entries = versions.map((version, index) => {
    return `## [${version}] - 2024-0${Math.max(1, 9 - index)}-01\n\n### Added\n\n- Thing of ${version}\n`;
  });
  return `# Changelog\n\n${entries.join('\n')}`;
}

// A piece of a uv.lock, poetry.lock or pdm.lock.
import type { PackageList } from './types.ts';

interface ShownPackage {
  name: string;
  version: string | null;
  ref: string | null;
}

// In uv.lock, the source of a package that is a folder of the project itself.
const OWN_SOURCE = /^source = \{\s*(?:virtual|editable|directory|path)\b/;
const KEY = /^(name|version|git|revision|resolved_reference) = "([^"]{1,300})"\s*$/;
const GIT_SOURCE = /^source = \{\s*git = "([^"]{1,1000})"/;

export function readTomlLines(lines: readonly string[], list: PackageList): void {
  let entry: ShownPackage | null = null;
  const finish = () => {
    if (entry?.version) {
      list.add(entry.name, entry.version, entry.ref === null ? {} : { source: 'git', ref: entry.ref });
    }
    entry = null;
  };
  for (const line of lines) {
    const [, key, value = ''] = KEY.exec(line) ?? [];
    const git = GIT_SOURCE.exec(line)?.[1];
    if (line.startsWith('[[package]]')) finish();
    else if (key === 'name') {
      finish();
      entry = { name: value, version: null, ref: null };
    } else if (entry === null) continue;
    else if (OWN_SOURCE.test(line)) entry = null;
    else entry = shownWith(entry, { key, value, git });
  }
  finish();
}

function shownWith(
  entry: ShownPackage,
  { key, value, git }: { key: string | undefined; value: string; git: string | undefined },
): ShownPackage {
  if (git !== undefined) return { ...entry, ref: git };
  if (key === 'version') return { ...entry, version: value };
  return key === undefined ? entry : { ...entry, ref: `${entry.ref ?? ''}#${value}` };
}

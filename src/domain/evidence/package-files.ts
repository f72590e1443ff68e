// A published package in memory: its package.json, the texts that tell its API, and the names of all its files.

export interface PackageFiles {
  name: string;
  version: string;
  manifest: Manifest;
  // The texts that were read, by path without a leading "./".
  texts: ReadonlyMap<string, string>;
  // Every file of the package.
  paths: ReadonlySet<string>;
  // What it says of itself.
  readme?: string;
}

// A package.json is a stranger's text, so no field has a type that can be relied on.
export type Manifest = Readonly<Record<string, unknown>>;

// Makes a package of its files; null when it has no readable package.json.
export function packageOf(
  texts: ReadonlyMap<string, string>,
  paths: Iterable<string> = texts.keys(),
): PackageFiles | null {
  const manifest = readManifest(texts.get('package.json'));
  const { name, version } = manifest ?? {};
  if (manifest === null || typeof name !== 'string' || typeof version !== 'string') return null;
  return { name, version, manifest, texts, paths: new Set(paths) };
}

function readManifest(text: string | undefined): Manifest | null {
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// The entries of a field that maps names to texts.
export function textEntries(value: unknown): Map<string, string> {
  if (!isRecord(value)) return new Map();
  return new Map(
    Object.entries(value).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text] as const] : [])),
  );
}

// What the manifest of the latest version says of a package besides its versions.
import { isRecord } from '../records.ts';

export const MODULE_FORMS = ['import', 'require', 'import and require'] as const;

export interface PackageFacts {
  description: string | null;
  // The versions of Node, or of Python, that it needs, as it writes them.
  needs: string | null;
  module: (typeof MODULE_FORMS)[number] | null;
  // Null where the manifest does not tell.
  hasTypes: boolean | null;
  unpackedBytes: number | null;
  fileCount: number | null;
  dependencies: number | null;
  peers: string[];
  license: string | null;
}

const MAX_TEXT = 300;
const MAX_PEERS = 20;

function shortText(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.replaceAll(/\s+/g, ' ').trim();
  return text === '' ? null : text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1).trimEnd()}…` : text;
}

function wholeNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

export function npmFacts(manifest: unknown, described: unknown): PackageFacts {
  const { description, engines, dist, dependencies, peerDependencies, license, ...rest } = recordOf(manifest);
  const { unpackedSize, fileCount } = recordOf(dist);
  return {
    description: shortText(description) ?? shortText(described),
    needs: shortText(recordOf(engines).node),
    module: moduleForm(rest),
    hasTypes: typesOf(rest),
    unpackedBytes: wholeNumber(unpackedSize),
    fileCount: wholeNumber(fileCount),
    dependencies: Object.keys(recordOf(dependencies)).length,
    peers: Object.keys(recordOf(peerDependencies))
      .filter((name) => name.length <= 214)
      .slice(0, MAX_PEERS),
    license: shortText(license) ?? shortText(recordOf(license).type),
  };
}

// By what the manifest offers to `import` and to `require`; a program without either offers nothing.
function moduleForm({ type, main, module, exports }: Record<string, unknown>): PackageFacts['module'] {
  const conditions = new Set<string>();
  collectConditions(exports, conditions, 0);
  if (conditions.has('require') && conditions.has('import')) return 'import and require';
  if (type === 'module') return conditions.has('require') ? 'import and require' : 'import';
  if (conditions.has('import') || typeof module === 'string') return 'import and require';
  return exports === undefined && main === undefined && type === undefined ? null : 'require';
}

const MAX_DEPTH = 6;

function collectConditions(value: unknown, found: Set<string>, depth: number): void {
  if (!isRecord(value) || depth > MAX_DEPTH) return;
  for (const [key, inner] of Object.entries(value).slice(0, 200)) {
    if (!key.startsWith('.')) found.add(key);
    collectConditions(inner, found, depth + 1);
  }
}

function typesOf({ types, typings, exports, main }: Record<string, unknown>): boolean | null {
  if (typeof types === 'string' || typeof typings === 'string') return true;
  const conditions = new Set<string>();
  collectConditions(exports, conditions, 0);
  if (conditions.has('types')) return true;
  // Declarations may stand beside the entry file without being named.
  return main === undefined && exports === undefined ? null : false;
}

export function pypiFacts(info: Record<string, unknown>): PackageFacts {
  return {
    description: shortText(info.summary),
    needs: shortText(info.requires_python),
    module: null,
    hasTypes: null,
    unpackedBytes: null,
    fileCount: null,
    dependencies: Array.isArray(info.requires_dist)
      ? info.requires_dist.filter((one) => typeof one === 'string' && !/;.*\bextra\b/.test(one)).length
      : null,
    peers: [],
    license: shortText(info.license_expression) ?? shortText(info.license),
  };
}

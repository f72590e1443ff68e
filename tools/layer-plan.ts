// The layer of each folder of `src`. A folder imports from the layers below it, never from one above.

const LAYERS: Record<string, number> = {
  main: 5,
  cli: 5,
  http: 4,
  web: 4,
  mcp: 4,
  worker: 4,
  demo: 4,
  sample: 4,
  check: 4,
  entities: 3,
  releases: 3,
  search: 3,
  packages: 3,
  insight: 3,
  accounts: 3,
  webhooks: 3,
  ingest: 3,
  store: 2,
  threads: 2,
  net: 2,
  runtime: 2,
  domain: 1,
  'package-file': 1,
  contract: 1,
};

// On layer 3 a folder may import from those to its left.
const CAPABILITIES = ['entities', 'releases', 'search', 'packages', 'insight', 'accounts', 'webhooks', 'ingest'];

// Inside these folders a part may import from those to its left, too.
const PARTS: Record<string, readonly string[]> = {
  ingest: [
    'outside-transaction',
    'adapters',
    'queue',
    'state',
    'schedule',
    'changelog-files',
    'coverage',
    'reapply',
    'media',
    'package-map',
    'registries',
    'evidence',
    'package-notes',
    'pipeline',
    'lookups',
    'readings',
    'starter',
    'manifests',
    'evaluate',
    'local-import',
    'jobs',
    'on-request',
    'transfer',
  ],
};

// Why one part of a folder may not import another; null when it may, and for folders without such a plan.
export function partRefusal(folder: string, from: string, to: string): string | null {
  const order = PARTS[folder];
  if (!order || from === to) return null;
  const strange = [from, to].find((part) => !order.includes(part));
  if (strange !== undefined) return `src/${folder}/${strange} is not in the plan of src/${folder}`;
  return order.indexOf(to) < order.indexOf(from) ? null : `${folder}/${to} is to the right of ${folder}/${from}`;
}

// Files beside the folders: configuration, context, ports and the version serve layers 3 to 5, and the composition root (`app`)
// serves only the entry points.
const FRAME = ['app', 'config', 'context', 'ports', 'version'];

export function isKnown(folder: string): boolean {
  return folder in LAYERS || FRAME.includes(folder);
}

export function isFrame(folder: string): boolean {
  return FRAME.includes(folder);
}

// The small command is installed without a server.
export function runsWithoutService(path: string): boolean {
  return path.startsWith('src/check/') || path.startsWith('src/cli/client/');
}

const OUTSIDE_SERVICE = ['check', 'cli', 'contract', 'domain', 'net', 'runtime', 'threads', 'version'];

export function isOfService(folder: string): boolean {
  return !OUTSIDE_SERVICE.includes(folder);
}

// The parts of `src/http` that pages and protocols are built on; they know no route.
const KERNEL = ['http/kernel', 'http/caching'];
const OPEN_TO_INTERFACES = [...KERNEL, 'http/openapi'];

// Why a file in the folder `from` may not import one in `to`, both with their first subfolder (`http/kernel`); null when
// it may. `src/web` and `src/mcp` are built on the kernel of `src/http`, never the other way, and the kernel knows none
// of the routes that are built on it.
export function kernelRefusal(from: string, to: string): string | null {
  const [owner = '', target = ''] = [from, to].map((folder) => folder.split('/')[0]);
  if (owner === 'http' && (target === 'web' || target === 'mcp')) return `http is below ${target}`;
  if ((owner === 'web' || owner === 'mcp') && target === 'http' && !OPEN_TO_INTERFACES.includes(to)) {
    return `${owner} may import ${OPEN_TO_INTERFACES.join(', ')}, not ${to}`;
  }
  if (KERNEL.includes(from) && target === 'http' && !KERNEL.includes(to)) return `${from} knows nothing of ${to}`;
  return null;
}

// Why `from` may not import `to`; null when it may.
export function refusal(from: string, to: string): string | null {
  if (from === to) return null;
  if (isFrame(to)) return frameRefusal(from, to);
  const layer = LAYERS[to] ?? 0;
  if (isFrame(from)) {
    const highest = from === 'app' ? 3 : from === 'config' ? 1 : 2;
    return layer <= highest ? null : `src/${from}.ts may import up to layer ${highest}, ${to} is on layer ${layer}`;
  }
  const own = LAYERS[from] ?? 0;
  if (layer > own) return `${from} is on layer ${own}, ${to} above it on layer ${layer}`;
  if (layer < own || own !== 3) return null;
  const left = CAPABILITIES.indexOf(to) < CAPABILITIES.indexOf(from);
  return left ? null : `${to} is to the right of ${from}`;
}

function frameRefusal(from: string, to: string): string | null {
  if (to === 'app') return LAYERS[from] === 5 ? null : 'the composition root is for layer 5 alone';
  if (isFrame(from)) return from === 'config' ? 'the configuration imports no other part of the frame' : null;
  return (LAYERS[from] ?? 0) >= 3 ? null : `src/${to}.ts is for layers 3 to 5`;
}

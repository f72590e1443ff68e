// Where each folder of `src` stands. A folder imports from the floors below it, never upwards.

export const FLOORS: Record<string, number> = {
  main: 5,
  cli: 5,
  http: 4,
  web: 4,
  mcp: 4,
  worker: 4,
  demo: 4,
  catalog: 3,
  search: 3,
  insight: 3,
  accounts: 3,
  webhooks: 3,
  ingest: 3,
  store: 2,
  threads: 2,
  net: 2,
  domain: 1,
  contract: 1,
};

// On floor 3 a folder may use those to its left.
const CAPABILITIES = ['catalog', 'search', 'insight', 'accounts', 'webhooks', 'ingest'];

// The frame holds the building together: configuration, context and ports serve the upper floors, the composition root
// is for those who start the service.
const FRAME = ['app', 'config', 'context', 'ports'];

export function isKnown(folder: string): boolean {
  return folder in FLOORS || FRAME.includes(folder);
}

export function isFrame(folder: string): boolean {
  return FRAME.includes(folder);
}

// Why `from` may not import `to`; null when it may.
export function refusal(from: string, to: string): string | null {
  if (from === to) return null;
  if (isFrame(to)) return frameRefusal(from, to);
  const floor = FLOORS[to] ?? 0;
  if (isFrame(from)) {
    const ceiling = from === 'app' ? 3 : from === 'config' ? 1 : 2;
    return floor <= ceiling ? null : `src/${from}.ts may import up to floor ${ceiling}, ${to} is on floor ${floor}`;
  }
  const own = FLOORS[from] ?? 0;
  if (floor > own) return `${from} is on floor ${own}, ${to} above it on floor ${floor}`;
  if (floor < own || own !== 3) return null;
  const left = CAPABILITIES.indexOf(to) < CAPABILITIES.indexOf(from);
  return left ? null : `${to} is to the right of ${from}`;
}

function frameRefusal(from: string, to: string): string | null {
  if (to === 'app') return FLOORS[from] === 5 ? null : 'the composition root is for floor 5 alone';
  if (isFrame(from)) return from === 'config' ? 'the configuration imports no other part of the frame' : null;
  return (FLOORS[from] ?? 0) >= 3 ? null : `src/${to}.ts is for floors 3 to 5`;
}

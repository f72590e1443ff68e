// The order of Python versions (PEP 440): epoch, release without trailing zeros, then `.dev` before `a`, `b`, `rc` before the
// release itself before `.post`, and a local part last.

const VERSION =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(a|alpha|b|beta|c|rc|pre|preview)[-_.]?(\d*))?(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d*))?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/;
const MAX_LENGTH = 256;
const PHASES: Readonly<Record<string, number>> = { a: 0, alpha: 0, b: 1, beta: 1, c: 2, rc: 2, pre: 2, preview: 2 };

interface PythonVersion {
  epoch: bigint;
  release: readonly bigint[];
  // Before every pre-release, one of them, or none: the places of the rest of the version.
  pre: readonly [phase: number, number: bigint];
  post: bigint;
  dev: bigint | null;
  local: readonly string[];
  isPrerelease: boolean;
}

const NO_POST = -1n;
const BEFORE_PRE = -1;
const NO_PRE = 3;

export function readPythonVersion(text: string): PythonVersion | null {
  const found = text.length > MAX_LENGTH ? null : VERSION.exec(text.trim().toLowerCase());
  if (!found) return null;
  const [, epoch = '0', release = '', phase, preNumber, implicitPost, post, postNumber, dev, devNumber, local] = found;
  const numbers = release.split('.').map(BigInt);
  while (numbers.length > 1 && numbers.at(-1) === 0n) numbers.pop();
  const hasPost = post !== undefined || implicitPost !== undefined;
  const isDevOnly = dev !== undefined && phase === undefined && !hasPost;
  return {
    epoch: BigInt(epoch),
    release: numbers,
    pre: phase === undefined ? [isDevOnly ? BEFORE_PRE : NO_PRE, 0n] : [PHASES[phase] ?? 0, BigInt(preNumber || 0)],
    post: hasPost ? BigInt(implicitPost ?? (postNumber || 0)) : NO_POST,
    dev: dev === undefined ? null : BigInt(devNumber || 0),
    local: local === undefined ? [] : local.split(/[-_.]/),
    isPrerelease: phase !== undefined || dev !== undefined,
  };
}

export function comparePythonVersions(one: string, other: string): number | null {
  const [a, b] = [readPythonVersion(one), readPythonVersion(other)];
  if (!a || !b) return null;
  return (
    orderOf(a.epoch, b.epoch) ||
    compareReleases(a.release, b.release) ||
    orderOf(a.pre[0], b.pre[0]) ||
    orderOf(a.pre[1], b.pre[1]) ||
    orderOf(a.post, b.post) ||
    compareDev(a.dev, b.dev) ||
    compareLocal(a.local, b.local)
  );
}

function orderOf<T extends bigint | number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareReleases(a: readonly bigint[], b: readonly bigint[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const order = orderOf(a[at] ?? 0n, b[at] ?? 0n);
    if (order !== 0) return order;
  }
  return 0;
}

function compareDev(a: bigint | null, b: bigint | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return orderOf(a, b);
}

// Numbers stand after words, and the longer part after the shorter one.
function compareLocal(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [x, y] = [a[at], b[at]];
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    const [isNumber, isOther] = [/^\d+$/.test(x), /^\d+$/.test(y)];
    const order =
      isNumber && isOther ? orderOf(BigInt(x), BigInt(y)) : isNumber !== isOther ? (isNumber ? 1 : -1) : orderOf(x, y);
    if (order !== 0) return order;
  }
  return 0;
}

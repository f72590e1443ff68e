// The comparators of one alternative of a range, each as a pair of edges.

export interface ComparatorVersion {
  // Digits without leading zeros; at least three numbers.
  numbers: string[];
  // A pre-release as written, with its separator; '' for none.
  suffix: string;
}

export interface Edge {
  version: ComparatorVersion;
  inclusive: boolean;
}

export interface Comparator {
  // Null when the range is open on that side.
  from: Edge | null;
  to: Edge | null;
  isExclusion: boolean;
}

const MAX_COMPARATORS = 20;
export const OPERATOR = /^(?:\^|~>|~=|~|>=|<=|>|<|===|==|!=|=)/;
export const HYPHEN = /^(\S+)\s+-\s+(\S+)$/;

// The comparators of an alternative; null when a part of it is no comparator.
export function comparatorsOf(alternative: string): Comparator[] | null {
  const text = alternative.trim();
  const hyphen = HYPHEN.exec(text);
  if (hyphen) return hyphenRange(hyphen[1] ?? '', hyphen[2] ?? '');
  const tokens = text
    .replace(/([\^~<>=!])\s+/g, '$1')
    .split(/[\s,]+/)
    .filter((token) => token !== '');
  if (tokens.length === 0) return [{ from: null, to: null, isExclusion: false }];
  if (tokens.length > MAX_COMPARATORS) return null;
  const comparators = tokens.map(comparatorOf);
  return comparators.includes(null) ? null : (comparators as Comparator[]);
}

function hyphenRange(low: string, high: string): Comparator[] | null {
  const [from, to] = [readPartial(low), readPartial(high)];
  if (from === null || to === null) return null;
  return [{ from: lowerEdge(from), to: endOf(to), isExclusion: false }];
}

function comparatorOf(token: string): Comparator | null {
  const operator = OPERATOR.exec(token)?.[0] ?? '';
  const partial = readPartial(token.slice(operator.length));
  if (partial === null) return null;
  const edges = edgesOf(operator, partial);
  return edges === null ? null : { ...edges, isExclusion: operator === '!=' };
}

type Edges = Pick<Comparator, 'from' | 'to'>;

function edgesOf(operator: string, partial: Partial): Edges | null {
  const { given, suffix } = partial;
  const from = lowerEdge(partial);
  switch (operator) {
    case '':
    case '=':
      return { from, to: endOf(partial) };
    case '==':
    case '===':
    case '!=':
      return { from, to: partial.hasWildcard ? endOf(partial) : { version: padded(given, suffix), inclusive: true } };
    case '^':
      return { from, to: given.length === 0 ? null : before(bumped(given, caretIndex(given))) };
    case '~':
    case '~>':
      return { from, to: given.length === 0 ? null : before(bumped(given, Math.min(1, given.length - 1))) };
    case '~=':
      return given.length < 2 ? null : { from, to: before(bumped(given, given.length - 2)) };
    case '>=':
      return { from, to: null };
    case '>':
      return { from: isWhole(partial) ? { version: padded(given, suffix), inclusive: false } : next(given), to: null };
    case '<':
      return { from: null, to: before(padded(given, suffix)) };
    default:
      return { from: null, to: endOf(partial) };
  }
}

// A version with its last numbers left out or written as wildcards.
interface Partial {
  given: string[];
  suffix: string;
  hasWildcard: boolean;
}

const PARTIAL =
  /^v?((?:\d{1,26}|[x*])(?:\.(?:\d{1,26}|[x*])){0,3})([-.]?[a-z][0-9a-z.-]{0,40}|-[0-9a-z.-]{1,40})?(?:\+.*)?$/i;

export function readPartial(text: string): Partial | null {
  const found = PARTIAL.exec(text);
  if (found === null) return null;
  const parts = (found[1] ?? '').split('.');
  const wildcard = parts.findIndex((part) => /[x*]/i.test(part));
  const digits = wildcard === -1 ? parts : parts.slice(0, wildcard);
  const given = digits.map((part) => part.replace(/^0+(?=\d)/, ''));
  return { given, suffix: wildcard === -1 ? (found[2] ?? '') : '', hasWildcard: wildcard !== -1 };
}

function isWhole({ given, suffix }: Partial): boolean {
  return given.length >= 3 || suffix !== '';
}

function lowerEdge({ given, suffix }: Partial): Edge | null {
  return given.length === 0 ? null : { version: padded(given, suffix), inclusive: true };
}

// The upper edge of the versions that a partial version stands for: itself when it is complete, else every version that
// begins with its numbers.
function endOf(partial: Partial): Edge | null {
  const { given, suffix } = partial;
  if (given.length === 0) return null;
  if (isWhole(partial) && !partial.hasWildcard) return { version: padded(given, suffix), inclusive: true };
  return before(bumped(given, given.length - 1));
}

function next(given: readonly string[]): Edge | null {
  return given.length === 0 ? null : { version: bumped(given, given.length - 1), inclusive: true };
}

// The position of the first number that is not zero, which a caret range must not change.
function caretIndex(given: readonly string[]): number {
  const position = given.findIndex((number) => number !== '0');
  return position === -1 ? given.length - 1 : position;
}

function bumped(given: readonly string[], position: number): ComparatorVersion {
  const numbers = given.slice(0, position + 1).map((number, index) => (index === position ? plusOne(number) : number));
  return padded(numbers, '');
}

function plusOne(number: string): string {
  return String(BigInt(number) + 1n);
}

function padded(numbers: readonly string[], suffix: string): ComparatorVersion {
  return { numbers: [...numbers, '0', '0', '0'].slice(0, Math.max(3, numbers.length)), suffix };
}

function before(version: ComparatorVersion): Edge {
  return { version, inclusive: false };
}

// What was read of one file, as short data: texts that repeat stand once.
import type { FileUses, Origin, Touch } from '../../domain/uses/touch.ts';

const KINDS: readonly Touch['kind'][] = ['import', 'value', 'type'];
const HOWS: readonly Touch['how'][] = ['import', 'require', 'dynamic'];

// Texts by their number; then everything else as numbers.
interface EncodedUses {
  texts: string[];
  // Specifier, kind, how, flags, arguments (-1 for none), carried, line, and a name and a line for each step.
  touches: number[][];
  // Name, and for each origin: specifier, how, path.
  exports: [name: number, origins: number[][]][];
  stars: number[];
  dynamic: readonly number[];
  isBroken: boolean;
}

export function encodeUses({ touches, exports, dynamic, isBroken }: FileUses): EncodedUses {
  const numbers = new Map<string, number>();
  const numberOf = (text: string) => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  };
  const origin = ({ specifier, how, path }: Origin) => [numberOf(specifier), HOWS.indexOf(how), ...path.map(numberOf)];
  const encoded = {
    touches: touches.map((one) => [
      numberOf(one.specifier),
      KINDS.indexOf(one.kind),
      HOWS.indexOf(one.how),
      (one.isOpen ? 1 : 0) + (one.isComputed ? 2 : 0),
      one.given ?? -1,
      one.carried,
      one.line,
      ...one.path.flatMap((name, index) => [numberOf(name), one.lines[index] ?? one.line]),
    ]),
    exports: [...exports.names].map(([name, origins]): [number, number[][]] => [numberOf(name), origins.map(origin)]),
    stars: exports.stars.map(numberOf),
    dynamic,
    isBroken,
  };
  return { texts: [...numbers.keys()], ...encoded };
}

// The opposite; undefined when the data are not what was written.
export function decodeUses(value: unknown): FileUses | undefined {
  const { texts, touches, exports, stars, dynamic, isBroken } = value as EncodedUses;
  try {
    const textAt = (number: number | undefined) => known(texts[number ?? -1]);
    const origin = ([specifier, how, ...path]: number[]): Origin => {
      return { specifier: textAt(specifier), how: known(HOWS[how ?? -1]), path: path.map(textAt) };
    };
    return {
      touches: touches.map(([specifier, kind, how, flags = 0, given = -1, carried = 0, line = 1, ...steps]) => ({
        specifier: textAt(specifier),
        path: steps.filter((_, index) => index % 2 === 0).map(textAt),
        lines: steps.filter((_, index) => index % 2 === 1),
        carried,
        line,
        kind: known(KINDS[kind ?? -1]),
        how: known(HOWS[how ?? -1]),
        isOpen: (flags & 1) !== 0,
        isComputed: (flags & 2) !== 0,
        given: given < 0 ? null : given,
      })),
      exports: {
        names: new Map(exports.map(([name, origins]) => [textAt(name), origins.map(origin)])),
        stars: stars.map(textAt),
      },
      dynamic: dynamic.map(Number),
      isBroken: known(isBroken),
    };
  } catch {
    return undefined;
  }
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('not what was written');
  return value;
}

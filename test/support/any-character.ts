// Any character for generated texts, lone surrogates included: `fc.string({ unit: anyCharacter })`. The unit `binary`
// of fast-check has the same characters, but it first builds a table of all million of them, which takes longer than
// most tests.
import fc from 'fast-check';

const PRINTABLE = { first: 0x20, count: 95 };
const LAST = 0x10ffff;

// Plain letters come first, because texts shrink towards them.
function characterAt(index: number): string {
  if (index < PRINTABLE.count) return String.fromCodePoint(index + PRINTABLE.first);
  return String.fromCodePoint(index < PRINTABLE.count + PRINTABLE.first ? index - PRINTABLE.count : index);
}

function indexOf(character: unknown): number {
  if (typeof character !== 'string' || [...character].length !== 1) throw new TypeError('not one character');
  const code = character.codePointAt(0) ?? 0;
  if (code < PRINTABLE.first) return code + PRINTABLE.count;
  return code < PRINTABLE.first + PRINTABLE.count ? code - PRINTABLE.first : code;
}

export const anyCharacter = fc.integer({ min: 0, max: LAST }).map(characterAt, indexOf);

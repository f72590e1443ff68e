// Whether two wordings of an entry say the same. In doubt they do: only what can be named is another sense.
import { type EntryWords, stemOf } from './words.ts';

const NEGATIONS =
  /^(?:not|no|never|none|without|cannot|isn't|aren't|doesn't|don't|didn't|won't|can't|shouldn't|wasn't)$/;

const ACTS: readonly (readonly [string, RegExp])[] = [
  ['add', /^(?:add|added|adds|adding|introduce[sd]?|introducing|new)$/],
  ['remove', /^(?:remove[sd]?|removing|removal|drop|drops|dropped|dropping|delete[sd]?|gone)$/],
  ['deprecate', /^(?:deprecate[sd]?|deprecating|deprecation)$/],
  ['enable', /^(?:enable[sd]?|enabling)$/],
  ['disable', /^(?:disable[sd]?|disabling)$/],
  ['require', /^(?:require[sd]?|requiring|mandatory)$/],
  ['option', /^(?:optional|optionally)$/],
  ['revert', /^(?:revert|reverts|reverted|reverting)$/],
  ['allow', /^(?:allow|allows|allowed)$/],
  ['forbid', /^(?:forbid|forbids|forbidden|disallow|disallows|disallowed|reject|rejects|rejected)$/],
];

// The share of the stems of one that the other has too.
export function sharedStems(one: EntryWords, other: EntryWords): number {
  let shared = 0;
  for (const stem of one.stems) if (other.stems.has(stem)) shared += 1;
  return shared;
}

// What is different in the sense of an entry; null when it only reads otherwise.
export function differentSense(was: EntryWords, is: EntryWords): string | null {
  const acts = [actsOf(was), actsOf(is)] as const;
  const rest = (entry: EntryWords) =>
    new Set(
      entry.words
        .filter((word) => !NEGATIONS.test(word) && !/^\d/.test(word) && !ACTS.some(([, words]) => words.test(word)))
        .map(stemOf)
        .filter((stem) => entry.stems.has(stem)),
    );
  const [before, after] = [rest(was), rest(is)];
  const all = new Set([...before, ...after]);
  const same = [...before].filter((stem) => after.has(stem)).length;
  if (all.size === 0 || same / all.size < 0.75) return null;
  if (negationsIn(was) % 2 !== negationsIn(is) % 2) return 'one of them says not';
  const [lost, won] = [
    acts[0].filter((act) => !acts[1].includes(act)),
    acts[1].filter((act) => !acts[0].includes(act)),
  ];
  if (lost.length > 0 && won.length > 0) return `it said ${lost[0]}, it says ${won[0]}`;
  if (same / all.size < 1) return null;
  const [old, now] = [numbersIn(was), numbersIn(is)];
  const [gone, come] = [old.filter((number) => !now.includes(number)), now.filter((number) => !old.includes(number))];
  return gone.length > 0 && come.length > 0 ? `it said ${gone[0]}, it says ${come[0]}` : null;
}

function actsOf({ words }: EntryWords): string[] {
  return ACTS.flatMap(([act, pattern]) => (words.some((word) => pattern.test(word)) ? [act] : []));
}

function negationsIn({ words }: EntryWords): number {
  return words.filter((word) => NEGATIONS.test(word)).length;
}

function numbersIn({ words }: EntryWords): string[] {
  return words.filter((word) => /^\d[\d.]*[a-z%]{0,3}$/.test(word));
}

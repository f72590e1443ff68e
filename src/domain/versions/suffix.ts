import { withoutLeadingZeros } from './numbers.ts';
import { prereleaseWordOf } from './prerelease.ts';
import { classOfWord } from './word-classes.ts';

// `dev` is the development release of PEP 440, below every other release of its version; in SemVer texts it is a plain word.
export type PrePart = { kind: 'dev' | 'number' | 'word'; text: string };
export type Certainty = 'certain' | 'ambiguous' | 'none';
export type Suffix = { pre: PrePart[]; post: string | null; prerelease: Certainty };

type Token = { text: string; isNumber: boolean; afterDash: boolean };

// Reads what follows the numbers; `preWord` is a pre-release word that stood before them.
export function readSuffix(rest: string, preWord: string | null): Suffix {
  const tokens = tokensOf(rest.toLowerCase());
  if (preWord !== null)
    return readPre([prePart({ text: preWord, isNumber: false, afterDash: false })], tokens, 'certain');

  const letter = gluedLetter(rest, tokens);
  if (letter !== null) return { pre: [], post: String(letter), prerelease: 'none' };

  for (const [at, token] of tokens.entries()) {
    const later = tokens.slice(at + 1);
    const next = later[0];
    if (token.isNumber) return token.afterDash ? readPre([prePart(token)], later, 'ambiguous') : readPost(token, later);
    const long = next?.isNumber ? prereleaseWordOf(token.text) : null;
    if (long !== null) return readPre([{ kind: 'word', text: long }], later, 'certain');
    const wordClass = classOfWord(token.text);
    if (wordClass === 'flavour') break;
    if (wordClass === 'post') return readPost(next, later);
    if (wordClass === 'pre') return readPre([prePart(token)], later, 'certain');
    if (wordClass === 'unknown') return readPre([prePart(token)], later, 'ambiguous');
  }
  return { pre: [], post: null, prerelease: 'none' };
}

// Once a pre-release has begun, everything up to a flavour belongs to it.
function readPre(pre: PrePart[], later: Token[], first: Certainty): Suffix {
  const own = untilFlavour(later);
  pre.push(...own.map(prePart));
  return { pre, post: null, prerelease: own.some(isPreWord) ? 'certain' : first };
}

// The key cannot express a pre-release of a post-release (`1.0.post1.dev2`), but the pre-release flag must still be set.
function readPost(number: Token | undefined, later: Token[]): Suffix {
  const post = number?.isNumber ? number.text : '0';
  return { pre: [], post, prerelease: untilFlavour(later).some(isPreWord) ? 'certain' : 'none' };
}

// The patch number of `1.1.1w`, where a single letter directly behind the last number counts patches.
function gluedLetter(rest: string, tokens: Token[]): number | null {
  const [first, second] = tokens;
  if (first === undefined || !/^[a-z]$/.test(first.text) || !/^[a-z]/i.test(rest)) return null;
  if (second !== undefined && classOfWord(second.text) !== 'flavour') return null;
  return first.text.charCodeAt(0) - 'a'.charCodeAt(0) + 1;
}

function tokensOf(rest: string): Token[] {
  const tokens: Token[] = [];
  let afterDash = false;
  let end = 0;
  for (const match of rest.matchAll(/[\p{L}\p{M}\d]+/gu)) {
    afterDash ||= rest.slice(end, match.index).includes('-');
    end = match.index + match[0].length;
    for (const run of runsOf(match[0])) {
      const isNumber = /^\d+$/.test(run);
      tokens.push({ text: isNumber ? withoutLeadingZeros(run) : run, isNumber, afterDash });
    }
  }
  return tokens;
}

// Splits a part into words and numbers. `win32` and `2f8b` stay whole, because pieces of a platform name or of a commit hash
// mean nothing.
function runsOf(part: string): string[] {
  if (classOfWord(part) === 'flavour' || /\d[^\d]/.test(part)) return [part];
  return part.match(/\d+|[^\d]+/g) ?? [];
}

function prePart(token: Token): PrePart {
  if (token.isNumber) return { kind: 'number', text: token.text };
  return { kind: token.text === 'dev' && !token.afterDash ? 'dev' : 'word', text: token.text };
}

function untilFlavour(tokens: Token[]): Token[] {
  const stop = tokens.findIndex((token) => classOfWord(token.text) === 'flavour');
  return stop === -1 ? tokens : tokens.slice(0, stop);
}

function isPreWord(token: Token): boolean {
  return classOfWord(token.text) === 'pre';
}

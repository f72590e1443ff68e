// The words beside the version of a heading: whose version it is, and whether the heading has more to say.
import { PLAIN_PRERELEASE_WORDS } from '../versions/prerelease.ts';

const COMPARISON =
  /(?:[<>=^~\u2264\u2265]|\b(?:requires?|requiring|needs?|at least|minimum|from|since|below|above|until))\s*\(?v?$/i;
const RANGE_AFTER =
  /^\s*(?:\+(?=\s|$)|(?:or|and) (?:newer|later|higher|above|greater|up|older|below|lower)\b|compli|compat|support)/i;
// Other programs that headings of changelogs mention with versions.
const PROGRAMS = new Set(
  `android angular babel browserify bun chrome chromium deno docker ecmascript edge electron eslint firefox gcc git go
  golang gradle html http https ie internet-explorer ios java jdk jest jquery json kotlin kubernetes linux llvm macos
  mongodb mysql nginx node node.js nodejs npm openapi opera php pnpm postgres postgresql python react react-native
  redis ruby rust safari sqlite svelte swagger swift tls typescript ubuntu unicode v8 vite vue webpack windows xcode
  yarn`.split(/\s+/),
);
// Words beside a version that carry no information about the release.
const USUAL = new Set([
  ...PLAIN_PRERELEASE_WORDS,
  ...`a and blog build bugfix candidate changelog changes commit commits compare current details diff docs
  documentation download edition final full ga github hotfix is latest log logs lts maintenance major minor more notes
  now npm of official on out package patch post pre-release published release released releases security see source
  stable tag the update v ver version view`.split(/\s+/),
]);

// Whether the version belongs to a requirement, a range or another program, and not to the heading itself.
export function isForeignVersion(title: string, version: string, names: readonly string[]): boolean {
  const at = title.indexOf(version);
  const before = title.slice(0, at).replace(/v$/i, '');
  if (COMPARISON.test(before) || RANGE_AFTER.test(title.slice(at + version.length))) return true;
  const own = new Set(names.map((name) => name.toLowerCase()));
  const last = wordsOf(before).at(-1) ?? '';
  return PROGRAMS.has(last) && !own.has(last);
}

// The informative words before and behind the version, which is `written` so in the heading.
export function wordsBeside(
  words: string,
  written: string | null,
  names: readonly string[],
): { before: string; after: string } {
  const at = written === null ? -1 : words.indexOf(written);
  if (written === null || at < 0) return { before: '', after: '' };
  const isOwn = ownWords(names);
  const unusual = (text: string) =>
    wordsOf(text).filter((word) => /\p{L}/u.test(word) && !USUAL.has(word) && !isOwn(word));
  const before = unusual(words.slice(0, at)).join(' ');
  const behind = words.slice(at + written.length).replace(/^\.?x\b/i, '');
  return { before, after: isCodeName(behind) ? '' : unusual(behind).join(' ') };
}

// Tells which words are parts of the names.
export function ownWords(names: readonly string[]): (word: string) => boolean {
  const own = new Set(
    names.flatMap((name) => wordsOf(name).flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)])),
  );
  return (word) => own.has(word) || word.split(/[^\p{L}\p{N}]+/u).every((part) => part === '' || own.has(part));
}

// Whether a text is the code name of a release: in quotes or brackets, capitalized (`Iron Man`), or one word
// (`cosmic-thing`).
function isCodeName(text: string): boolean {
  const name = text.replace(/^[\s:\u2010-\u2015/|,.-]+/, '').trim();
  if (/^(["'\u2018\u201c(]).*["'\u2019\u201d)]$/.test(name)) return true;
  const words = name.split(/\s+/);
  if (words.length === 1) return /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(name);
  return words.length <= 3 && words.every((word) => /^\p{Lu}[\p{Ll}\p{N}]+$/u.test(word));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}@]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '');
}

const KINDS = new Set(
  `added additions and api better breaking bug bugfix bugfixes bugs build change changed changes chore chores ci
  cleanup code continuous contributions contributors core credits dependencies dependency deprecated deprecation
  deprecations docs documentation enhancement enhancements feat feature features fix fixed fixes general highlights
  housekeeping improved improvement improvements integration internal internals issues known languages locales
  maintenance major minor misc miscellaneous new notable note notes other patch perf performance polish refactor
  refactoring refactors removal removals removed reverted reverts security style styles system tasks test testing
  tests thanks tooling translations types update updated updates`.split(/\s+/),
);

// Whether a heading is a kind of change (Features, Bug Fixes), which makes it a part of the entry above it.
export function isChangeKind(text: string): boolean {
  const words = text
    .toLowerCase()
    .replaceAll('\u2019', "'")
    .match(/[\p{L}'\p{N}]+/gu);
  return words?.every((word) => KINDS.has(word)) ?? false;
}

// Beside a version only these words mean that it is not released: `4.0.0 (next)` is published in another channel.
const NOT_OUT = 'unreleased|not yet released|upcoming|tbd|wip';
const BRANCH = 'next|head|main|master';
const NOUN = '(?: (?:release|version|changes))?';
const BESIDE_VERSION = new RegExp(`^(?:version )?(?:${NOT_OUT}|next(?= [rv]))${NOUN}$`);
const ALONE = new RegExp(`^(?:${NOT_OUT}|${BRANCH})${NOUN}$`);

// Whether a heading is for unreleased work, so that it begins no entry.
export function isUnreleased(words: string, version: string | null): boolean {
  const rest = words.replace(/(?<!\S)v?\.?\d[^\s()]*/gi, ' ');
  const pattern = version === null ? ALONE : BESIDE_VERSION;
  return rest
    .toLowerCase()
    .split(/[()|,;:/]|\s[-\u2010-\u2015]+\s/)
    .some((part) => pattern.test(part.replace(/[\s\-\u2010-\u2015.!]+/g, ' ').trim()));
}

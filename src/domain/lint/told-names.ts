// Names in the notes of a release that its package does not have, and names that it still has although the notes say otherwise.
import { readBody } from '../notes/read-body.ts';
import { namedParts } from '../uses/names-in-notes.ts';
import { type LintFinding, lintFinding } from './finding.ts';
import type { PackageNames } from './package-names.ts';
import { type LintedFile, type LintSection, lineOfText } from './sections.ts';

interface Names {
  from: string;
  to: string;
  old: PackageNames;
  next: PackageNames;
}

const ADDS =
  /^\W*(?:add(?:s|ed)?|new|introduc\w+|export(?:s|ed)?|expos\w+|provid\w+|now exports?|deprecat\w+|remov\w+|renam\w+)\b/i;
const MAX_SPANS = 2000;
const MAX_UNKNOWN = 20;

export function unknownNames(file: LintedFile, section: LintSection, { old, next, to }: Names): LintFinding[] {
  if (!next.hasDeclarations || !old.hasDeclarations) return [];
  const told = new Set<string>();
  return spansOf(section).flatMap(({ text, span, before }) => {
    const isCall = /^(?:new\s+)?(?:[\w$]+\.){0,3}[\w$]+\([^()]{0,80}\)$/.test(span.trim());
    const isCamel = /^[a-z][a-z\d]*[A-Z]\w*$|^[A-Z][a-z\d]+[A-Z]\w*$/.test(span.trim());
    const name = isCall || isCamel ? namedParts(span, '')?.at(-1) : undefined;
    if (name === undefined || told.has(name) || isElsewhere(name, span) || told.size >= MAX_UNKNOWN) return [];
    if (old.words.has(name) || next.words.has(name) || isOfOthers(span, before, next)) return [];
    const near = nearName(name, next.exported);
    // A bare name may be an option of something else, unless it is said to be new or is nearly one that is there.
    const isMeant = isCall || ADDS.test(text) || near !== null || /^\W*$/.test(before);
    if (!isMeant) return [];
    told.add(name);
    return [
      lintFinding(
        'names-unknown',
        { line: lineOfText(file, section, text), version: section.version },
        {
          sentence: `\`${name}\` is nowhere in the package, before or now.`,
          evidence: [`${to} was searched: declarations, code and package.json`],
          advice:
            near === null
              ? 'Write the name as it is exported.'
              : `Is \`${near}\` meant? Write the name as it is exported.`,
        },
      ),
    ];
  });
}

const MAX_NEAR = 5000;

function nearName(name: string, exported: ReadonlySet<string>): string | null {
  const lower = name.toLowerCase();
  const isNear = (one: string) => {
    const other = one.toLowerCase();
    const [short, long] = other.length < lower.length ? [other, lower] : [lower, other];
    return short.length >= 4 && long.length - short.length <= 3 && (long.startsWith(short) || long.endsWith(short));
  };
  return [...exported].slice(0, MAX_NEAR).find(isNear) ?? null;
}

// `pg.connect()` where pg is a dependency, or what the text calls somebody else's: "React's `useId()`".
function isOfOthers(span: string, before: string, { others }: PackageNames): boolean {
  const [root = ''] = span.trim().split(/[.(]/);
  return others.has(root.toLowerCase()) || /['\u2019]s\s{0,3}$|\b(?:from|of) `[@\w][\w./@-]*`[^`]{0,20}$/.test(before);
}

// Names of the language and its hosts, and of test runners, which notes mention beside their own.
function isElsewhere(name: string, span: string): boolean {
  const [root = ''] = span
    .trim()
    .replace(/^new\s+/, '')
    .split(/[.(]/);
  if (name in globalThis || root in globalThis || HOSTS.has(root) || HOSTS.has(name)) return true;
  return BUILT_IN.some((one) => name in one) || !/[a-z]/.test(name) || name.length < 3;
}

const BUILT_IN: readonly object[] = [
  Object.prototype,
  Function.prototype,
  Array.prototype,
  String.prototype,
  Number.prototype,
  Promise.prototype,
  Map.prototype,
  Set.prototype,
  RegExp.prototype,
  Date.prototype,
  Object,
  Array,
  String,
  Number,
  Promise,
  Symbol,
  Reflect,
  JSON,
  Math,
  Date,
];

const HOSTS = new Set(
  'require process document window console fs path os http https crypto util stream module exports import describe it test expect jest vi beforeEach afterEach querySelector addEventListener removeEventListener setState useState useEffect useMemo useCallback useRef render super constructor main'.split(
    ' ',
  ),
);

const GONE = /^\W*(?:\*\*breaking[^*]{0,20}\*\*\W*)?(?:remov(?:e[sd]?|al|ing)|dropp?(?:ed|s)?|renamed?)\b/i;
const BEHIND = /^[^`\n]{0,80}`([^`\n]{1,80})`/;

// "Removed `x`", and `x` is exported as before. A note, because it may mean another x.
export function doubtfulClaims(file: LintedFile, section: LintSection, { old, next }: Names): LintFinding[] {
  if (!next.hasDeclarations) return [];
  return readBody(section.body).items.flatMap(({ start, end }) => {
    const text = section.body.slice(start, end);
    const span = GONE.test(text) ? (BEHIND.exec(text)?.[1] ?? null) : null;
    const [name, ...rest] = span === null ? [] : (namedParts(span, '') ?? []);
    if (name === undefined || rest.length > 0 || !old.exported.has(name) || !next.exported.has(name)) return [];
    return [
      lintFinding(
        'unproven-claim',
        { line: lineOfText(file, section, text), version: section.version },
        {
          sentence: `The entry says that \`${name}\` is gone, and the package still exports it.`,
          advice: 'Say what of it is gone, such as an option, a parameter or a type.',
        },
      ),
    ];
  });
}

// The code spans of entries, each with the text of its entry.
function spansOf({ body }: LintSection): { text: string; span: string; before: string }[] {
  const { items, asides } = readBody(body);
  return [...items, ...asides]
    .flatMap(({ start, end }) => {
      const text = body.slice(start, end);
      return [...text.matchAll(/`([^`\n]{1,120})`/g)].map(({ 1: span = '', index }) => ({
        text,
        span,
        before: text.slice(Math.max(0, index - 100), index),
      }));
    })
    .slice(0, MAX_SPANS);
}

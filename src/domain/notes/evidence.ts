// Evidence of breaking changes in the sentences of one entry.

import { CODE_CLOSE, CODE_OPEN, unmark } from '../clean-text.ts';
import { type LeadingWord, leadingWord, verbClass } from './classify.ts';
import { type EntryTone, INTERFACE, phraseLevel, phrasesWorthTrying } from './phrase-evidence.ts';
import type { NoteClass } from './types.ts';
import {
  isInternalLabel,
  isInternalWork,
  isMostlyInternalLabel,
  isRefactoringLabel,
  isWorkOnProjectFile,
  readRemoval,
} from './user-impact.ts';

export type EvidenceLevel = 'major' | 'minor' | null;
// A sentence that matched a rule. `doubt` only prevents a release from being called safe.
export type Quote = { level: 'major' | 'minor' | 'doubt'; rule: string; text: string };
export type EvidenceReading = { level: EvidenceLevel; explicitNone: boolean; quotes: Quote[] };

type EntryContext = {
  class: NoteClass | null;
  // The label or type of the entry, by which it may be about internal work.
  label?: string | null;
  // The entry is in a section for additions.
  addition?: boolean;
  // Most other entries of the list are fixes.
  amongFixes?: boolean;
  // The first number of the release's version: what "will be removed in 4.0" is not removed in 3.1.
  major?: string | null;
};

const EXPLICIT_NONE =
  /\b(?:does not|doesn't) (?:introduce|contain|include|have) any (?:user[ -]facing|breaking|api) changes?\b|\bno (?:user[ -]facing changes?|compatibility issues?)\b|\bbreaking changes?: (?:none|nothing|no|n\/a)\b|\bno (?:[^\s;,.]{1,20} ){0,2}breaking changes?\b|(?<!\b(?:not|n't) )\bfully backwards?[ -]compatible\b|(?<!\b(?:not|n't|no longer) (?:an? )?)\bdrop-in (?:replacement|upgrade|update|release|version|successor|compatib)|(?<!\bnot )\b(?:is|are) (?:an? )?drop-in\b|\bno changes? (?:in|to) (?:the )?(?:functionality|public api|apis?)\b/;
const MAX_NOTHING_LENGTH = 40;
const NOTHING = /^(?:none|nothing|n\/a|nil|not applicable|no(?: known| api)? breaking changes?|no changes?)\b/;

// Work on the project's own code, whatever its label says.
const REFACTORED = /^(?:also )?refactor/;
const OWN_VERB = /remov|delet|drop|renam|deprecat/;
// What a removal among fixes has to name, so that it is none itself.
const NAMED = /\uE000|\bsupport\b|\bdeprecated\b|(?<!\S)--[a-z]|\w\(\)/;
// What goes by a fix all the same: "Drop deprecated `with` syntax".
const OUTDATED = /^(?:remove[sd]?|drop(?:s|ped)?) (?:the |all |some )?deprecated (?!warn|notice|messag|call|us)/;
const RENAMING = /^renam(?:e[sd]?|ing)$/;

// Searches for plain words are several times faster than a pattern, and this is asked of every entry.
function mayDeny(lower: string): boolean {
  if (lower.includes('breaking') || lower.includes('compatib') || lower.includes('drop-in')) return true;
  return lower.includes('no change') || lower.includes('facing change');
}

// What the sentences of a text say about compatibility.
export function readEvidence(marked: string, entry: EntryContext): EvidenceReading {
  const lower = marked.toLowerCase();
  const explicitNone = mayDeny(lower) && EXPLICIT_NONE.test(proseOf(lower));
  const reading: EvidenceReading = { level: null, explicitNone, quotes: [] };
  if (isInternalLabel(entry.label ?? null) || isWorkOnProjectFile(lower)) return reading;
  const tone: EntryTone = {
    bug: entry.class === 'bugs',
    chore: entry.class === 'other' || REFACTORED.test(lower),
    refactoring: isRefactoringLabel(entry.label ?? null),
    inner: isMostlyInternalLabel(entry.label ?? null),
    addition: entry.addition === true,
    amongFixes: entry.amongFixes === true,
    // A function, because it is needed only where a phrase was found.
    feature: (sentence) =>
      entry.addition === true || verbClass(sentence) === 'features' || verbClass(marked) === 'features',
    keepsOld: () => KEEPS_OLD.test(marked),
    major: entry.major ?? null,
  };
  const kept = withoutStruck(marked);
  if (kept !== marked) reading.quotes.push({ level: 'doubt', rule: 'struck', text: unmark(marked) });
  for (const [index, sentence] of sentencesOf(kept).entries()) {
    const written = sentence === marked ? lower : sentence.toLowerCase();
    const named = WORTH_MARKING.test(written) ? markNames(sentence) : null;
    const prose = proseOf(named === null || named === sentence ? written : named.toLowerCase());
    const quote = readSentence(prose, named, index, tone);
    if (!quote) continue;
    reading.quotes.push({ ...quote, text: unmark(sentence) });
    if (quote.level === 'major') return { ...reading, level: 'major' };
    if (quote.level === 'minor') reading.level = 'minor';
  }
  return reading;
}

// Names that only the project itself knows.
const INNER_NAME = /\b(?:internal(?:s|ly)?|private|variables?|lifecycles?|folder|director(?:y|ies))\b/;

const OUTER_NOUN = /\b(?:options?|props?|events?|methods?|flags?|commands?|apis?)\b/;

function isInternalRename(sentence: string, { inner }: EntryTone): boolean {
  return (inner && !OUTER_NOUN.test(sentence)) || INNER_NAME.test(sentence) || isInternalWork(sentence);
}

// A flag of a command line under another name: "`--config` has been changed to `--config.file`".
const FLAG = '\uE000--?[a-z][^\uE000\uE001]{0,60}\uE001';
const FLAG_RENAMED = new RegExp(
  `\\b(?:renam(?:e[sd]?|ing)|chang(?:e[sd]?|ing)) [^.;\uE000]{0,60}${FLAG}[^.;\uE000]{0,30} (?:to|as|into|->) ${FLAG}|${FLAG}[^.;\uE000]{0,30} (?:renamed|changed) (?:to|as|into) ${FLAG}|${FLAG} is now ${FLAG}`,
  'i',
);
const KEEPS_OLD = /\balias|compatib|\bstill\b|deprecat|will be removed|\bkeep|\bboth\b/i;

function isFlagRenamed(named: string): boolean {
  return named.includes('\uE000-') && FLAG_RENAMED.test(named);
}

type FoundPhrase = Omit<Quote, 'text'>;

// Names of packages, which are part of the interface of no other project.
const PACKAGE =
  /^(?:[a-z]{2,20}(?:-[a-z0-9]{2,20}){1,5}|lodash(?:[.-][a-z.]{1,30})?|underscore|jquery|moment|bluebird|async|request|axios|rimraf|mkdirp|glob|chalk|debug|through2|inherits|semver|minimist|yargs|commander|object-assign|xtend|uuid|invariant|warning|classnames|react|vue|angular|ember|immutable|ramda|rxjs|tslib|mime|ms|colors|superagent|optimist|nan|q|(?:url|fs|path|process|console|d3|this|self|test)\.[a-z.()]{1,40}|purecomponent|\.(?:bind|call|apply|map|foreach)\(\))$/;
const OWN_NAME = /^(?:no|on|is|has|use|allow|enable|disable|prefer|require|data|aria|max|min|jsx|react|vue|ember)-/;

// Whether the first name behind the verb is that of a package and nothing says that it is an option, a rule or the like.
function namesPackage(named: string, { start }: LeadingWord): boolean {
  const first = /\uE000([^\uE000\uE001]{1,60})\uE001/.exec(named.slice(start, start + 120))?.[1]?.toLowerCase();
  return first !== undefined && PACKAGE.test(first) && !OWN_NAME.test(first);
}

// `named` is the sentence with its names marked; null when it holds no word that a name could be gone or changed by.
function readSentence(sentence: string, named: string | null, index: number, tone: EntryTone): FoundPhrase | null {
  let found: FoundPhrase | null = null;
  const verb = named !== null && OWN_VERB.test(sentence) ? leadingWord(sentence) : null;
  const removal = verb ? readRemoval(sentence, verb, tone.inner || namesPackage(named ?? '', verb)) : 'nothing';
  const repairs = tone.bug || tone.chore;
  const isTold = !repairs && !(tone.amongFixes && !NAMED.test(sentence));
  if (removal === 'interface' && (isTold || (tone.bug && OUTDATED.test(sentence))))
    return { level: 'major', rule: 'removed' };
  if (named !== null && !tone.bug && isFlagRenamed(named) && !tone.keepsOld()) return { level: 'major', rule: 'flag' };
  if (removal === 'interface' || (removal === 'perhaps' && !tone.bug && !(tone.chore && tone.inner)))
    found = { level: 'doubt', rule: 'removed' };
  if (
    verb &&
    RENAMING.test(verb.word) &&
    INTERFACE.test(sentence) &&
    !isInternalRename(sentence.slice(verb.start), tone)
  )
    found = { level: repairs ? 'doubt' : 'minor', rule: 'renamed' };
  for (const rule of phrasesWorthTrying(sentence)) {
    if ((rule.firstSentenceOnly && index > 0) || (found && rule.level !== 'major' && found.level !== 'doubt')) continue;
    if (found && rule.level === 'doubt') continue;
    const level = phraseLevel(sentence, rule, tone);
    if (level === 'major') return { level, rule: rule.keys[0] ?? '' };
    if (level === 'minor' && found?.level !== 'minor') found = { level, rule: rule.keys[0] ?? '' };
    if (level === 'doubt') found ??= { level, rule: rule.keys[0] ?? '' };
  }
  return found;
}

// Text that its author crossed out: "~Node 4 is no longer supported~ Reverted in 2.1". It may have been true of this release. A
// tilde before a number is a range.
const STRUCK = /(?<!\S)(~~?)(?=[^\s~\d])[^~]{1,400}(?<=\S)\1(?![\w~])/g;

function withoutStruck(marked: string): string {
  return marked.includes('~') ? marked.replace(STRUCK, '') : marked;
}

function sentencesOf(text: string): string[] {
  const isOne = !text.includes('. ') && !text.includes('! ') && !text.includes('? ');
  return isOne ? [text] : text.split(/(?<=[.!?]) /);
}

// Code that is no name of an interface: conditions, files of the project, scoped packages.
const NO_INTERFACE =
  / [!=&|<>]{1,3} |^\.[a-z](?![^()]{0,60}\()|^(?:src|test|tests|docs)$|^(?:changelog|readme|package|bower|contributing)\b.{0,5}|\.(?:md|ya?ml|json|lock)$|^@[\w-]+\/[\w.-]+$|^import |^[\w.-]+\/[\w./-]+$|^#?\d+$|^(?:optional|dev|bundled?)dependencies$|^(?:const|let|var|eval|with|nan)$|^aria-|^role\b|^console\.\w|^(?:contributors|maintainers|keywords)$/;

// Files, fields and values that rules know by name.
const PROJECT_FILE =
  /^\.?((?:git|npm)ignore|(?:changelog|readme|contributing)(?:\.md)?|(?:package|bower)\.json|(?:optional|dev|bundled?)dependencies|nan)$/;

// Empties code spans, because code is a name and no statement.
export function proseOf(lower: string): string {
  const text = lower.includes('’') ? lower.replaceAll('’', "'") : lower;
  return text.includes(CODE_OPEN)
    ? text.replace(/\uE000([^\uE000\uE001]*)\uE001/g, (_, code: string) =>
        NO_INTERFACE.test(code) ? (PROJECT_FILE.exec(code)?.[1] ?? '') : '\uE000\uE001',
      )
    : text;
}

// Whether an entry of a breaking section denies that there are any: "None", "No breaking changes".
export function deniesChanges(marked: string): boolean {
  return marked.length < 80 && NOTHING.test(marked.slice(0, MAX_NOTHING_LENGTH).toLowerCase());
}

// Names of an interface (options, methods, classes) that are written without a code span.

// Only sentences with one of these words can be about a name that is gone, changed or new.
const WORTH_MARKING = /remov|rid of|delet|drop|renam|export|no longer|deprecat|replac|\bmov|chang|\bnow\b|default/;
const MAX_NAMES = 40;

// `--flag`, UPPER_CASE, camelCase, PascalCase of two humps, dotted.names, Class#member and scope::name, each with the
// arguments of a call behind it.
const NAME =
  /(?<![\w.@/#$-])(?:--[a-z][\w-]{1,40}|[A-Za-z][\w-]{1,30}--[\w-]{1,30}|[A-Z][A-Z0-9]{0,30}_[A-Z0-9_]{1,40}|[a-z_$][a-z0-9]{0,30}[A-Z]\w{0,60}|[A-Z][a-z0-9]{1,30}[A-Z]\w{0,60}|[A-Z]{2,10}[a-z]{1,30}[A-Z]\w{0,60}|[A-Za-z_$][\w$]{0,40}(?:(?:\.|#|::)[A-Za-z_$][\w$]{0,40}){1,6})(?:\((?!e?s\))[^()]{0,60}\)(?!:))?(?![\w/@-])/g;

// What each of those spellings has somewhere. It is looked for first, because most sentences have no such name.
const NAME_SIGN = /--|_|[a-z0-9$][A-Z]|(?:[.#]|::)[A-Za-z_$]/;

// Products and tools whose names are written like those of an interface.
const PRODUCTS = new Set(
  `github gitlab gitter javascript typescript coffeescript livescript nodejs reactjs vuejs angularjs emberjs phantomjs
  requirejs commonjs systemjs slimerjs mongodb mysql postgresql mariadb couchdb pouchdb indexeddb websql sqlite openssl
  webpack eslint tslint jshint jslint jscs jsdoc tsdoc jsdelivr appveyor travisci circleci saucelabs browserstack
  codecov codeql dependabot greenkeeper lgtm macos ipados ios tvos watchos freebsd openbsd netbsd webkit chromeos
  codeclimate jquery devops graphql opentelemetry javadoc opengl webgl webgpu websocket websockets oauth youtube linkedin
  stackoverflow stackblitz codesandbox codepen jsfiddle jsbin jsperf npmjs cdnjs unpkg vscode webstorm intellij
  phpstorm readme changelog esnext opencollective sourcemaps devdependencies devdependency peerdependencies optionaldependencies`
    .split(/\s+/)
    .filter(Boolean),
);
// Objects of the platform, which are part of no project's interface.
const PLATFORM =
  /^(?:process|console|window|document|navigator|global|globalThis|Object|Math|JSON|Array|String|Number|Promise|Symbol|Date|Function|Error|Buffer|module|exports|require|Reflect|React|ReactDOM|findDOMNode|addEventListener|removeEventListener|setTimeout|setImmediate|requestAnimationFrame|hasOwnProperty|innerHTML|querySelector|createElement|isArray|forEach)(?:\.|\(|$)/;
// File names, hosts and abbreviations are written with dots too.
const NO_NAME =
  /\.(?:js|jsx|mjs|cjs|ts|tsx|json|ya?ml|md|css|scss|less|html?|xml|txt|gz|zip|exe|dll|lock|toml|com|org|net|io|dev|app|ai|h|c|cc|cpp|py|rb|sh|svg|png|bat|cmd|gypi?|mk|ini|cfg|conf|snap|map|vue|hbs|jade|pug|rs|go|php|java|kt|swift|erb|rst|adoc|sql|proto|cs)$|^(?:e\.g|i\.e|a\.k\.a|vs\.\w+|etc\.\w*|[A-Za-z]\.[A-Za-z])$/i;

// Puts such names between the delimiters of code spans, so that all other rules have to know one spelling only.
function markNames(marked: string): string {
  if (!marked.includes(CODE_OPEN)) return markPlain(marked);
  return marked
    .split(/(\uE000[^\uE000\uE001]*\uE001)/)
    .map((part) => (part.startsWith(CODE_OPEN) ? part : markPlain(part)))
    .join('');
}

function markPlain(text: string): string {
  if (!NAME_SIGN.test(text)) return text;
  let left = MAX_NAMES;
  return text.replace(NAME, (name) => {
    left -= 1;
    return left < 0 || isExcluded(name) ? name : CODE_OPEN + name + CODE_CLOSE;
  });
}

function isExcluded(name: string): boolean {
  return PRODUCTS.has(name.toLowerCase()) || PLATFORM.test(name) || NO_NAME.test(name);
}

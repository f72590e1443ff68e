// Whether users notice a change: work on the project itself (tests, linters, documentation) breaks nobody, and a removal only
// where it takes a part of the interface away.
import { type LeadingWord, leadingWord } from './classify.ts';

// Work on the project itself.

const LABELS = new Set(
  `test tests testing spec specs ci travis appveyor circleci actions workflow workflows docs doc documentation readme
  example examples demo demos website site storybook playground dev lint eslint
  prettier jshint jshintrc meta internal infra infrastructure tooling repo changelog bench benchmark benchmarks
  typo typos coverage gulp grunt cmake makefile docker tsconfig gitignore npmignore suggestion wiki`.split(/\s+/),
);
// Labels of work that is mostly internal; an option or a method may still be removed with it.
const MOSTLY_INTERNAL_LABELS = new Set(
  'refactor refactoring perf performance style robustness dist release releases nit misc cleanup chore deps dep'.split(
    ' ',
  ),
);
const LABEL_WORDS =
  /^(?:dev(?:elopment)?[ -]?(?:deps?|dependenc(?:y|ies)|change)|devdependencies|(?:repo|tests?|docs?|ci)(?: ?[&/,] ?\w+| and \w+)|test coverage.*|ci \w+|\w+ (?:ci|tests?|docs?|documentation|website|playground|examples?)|internal change|unit tests?)$/;

// Whether the label of an entry means internal work: `[Tests]`, `docs:`, `**Repo & CI:**`.
export function isInternalLabel(label: string | null): boolean {
  if (!label) return false;
  const name = label.toLowerCase().trim();
  return LABELS.has(name) || LABEL_WORDS.test(name);
}

export function isMostlyInternalLabel(label: string | null): boolean {
  return label !== null && MOSTLY_INTERNAL_LABELS.has(label.toLowerCase().trim());
}

const REFACTORING_LABELS = /^(?:refactor(?:ing|ed)?|cleanup|nit|style)$/;

// Labels of work on the code alone, which tells how it is built and not what it does.
export function isRefactoringLabel(label: string | null): boolean {
  return label !== null && REFACTORING_LABELS.test(label.toLowerCase().trim());
}

const TOOLS =
  'rollup|webpack|browserify|babel|gulp|grunt|eslint|jshint|jscs|tslint|vscode|travis|appveyor|husky|prettier|karma|jest|mocha|nyc|yarn|greenkeeper|storybook|code ?climate|coveralls|codecov|renovate|dependabot|snyk|lerna|commitlint|lint-staged|phantomjs|sauce ?labs|testling|airtap|editorconfig|babelrc|tsconfig';
const PROJECT_PARTS =
  'ci|travis(?:[- ]?ci)?|appveyor|circle ?ci|jenkins|github actions?|workflows?|tests?|test suites?|test utils|unit tests|specs?|(?:test |build |ci )?matrix|examples?|samples?|demos?|docs?|documentation|doc comments?|readme(?:\\.md)?|changelog(?:\\.md)?|websites?|home ?page|download page|playground|storybook|package\\.json|bower\\.json|benchmarks?|lint(?:er|ing)?|eslint|prettier|dev ?dependencies|dev(?:elopment)? deps?|(?:git|npm)ignore|contributing(?:\\.md)?|codeowners|npm (?:package|releases?|tarball)|translations?|snapshots?|repo(?:sitory)?|gyp files?|makefile|dockerfile|gruntfile|gulpfile|the build|builds? script|typings? repo';
const IN_PROJECT_PART = new RegExp(
  `\\b(?:from|in|on|to|for|of|across|within) (?:the |our |all |some |its )?(?:[a-z0-9.\\uE000\\uE001@*-]{1,30} ){0,2}(?:${PROJECT_PARTS}|(?<!peer[ -]?)(?:optional|dev)?dependencies|code(?:base)?)\\b`,
);
const OBJECT_OF_WORK = new RegExp(
  `^(?:the |our |all |some |an? |old |unused |flaky |failing |redundant |stale |outdated )*(?:[a-z0-9.\\uE000\\uE001@"'/-]{1,30}(?:\\(\\))? ){0,3}(?:${PROJECT_PARTS}|test(?:s|ing)?|dev(?:elopment)? ?dep\\w*|linting|badges?|credits|acknowledge?ments|copyright (?:headers?|notices?|years?)|comments?|typos?|whitespace|semicolons?|console\\.logs?|debug\\w*|polyfills? from)\\b`,
);

const TOOLING = new RegExp(`^ *(?:the |our |old |built-in )?(?:${TOOLS})\\b(?! (?:support|integration))`);

// Whether the rest of a sentence, behind its verb, is about tests, CI, documentation and the like only.
export function isInternalWork(rest: string): boolean {
  return (
    OBJECT_OF_WORK.test(rest.trimStart().slice(0, 160)) || TOOLING.test(rest.slice(0, 60)) || isInInternalPart(rest)
  );
}

const ON_PROJECT_FILE =
  /^\W{0,3}(?:updat|chang|fix|refactor|convert|rewrit|migrat|mov|adjust|adapt)\w{0,3} (?:the )?\uE000?(?:tests?|specs?|__tests__|examples?|docs?|bench(?:marks?)?)\/\S(?!.*(?:;|, (?:and|but)\b))/;

// Whether an entry is about a file of the tests, the documentation or the like: "update test/array.js to …".
export function isWorkOnProjectFile(lower: string): boolean {
  return ON_PROJECT_FILE.test(lower);
}

// Behind these words an explanation follows: "Remove `x` (see the example in the docs)" is not about the docs.
const CLAUSE_END = /[;(]|, (?!and |or |\uE000)| [-–—] | (?:see|use|because|since|instead|which|as described)\b/;

// Whether something happens inside a part of the project: "from the tests", "in the documentation".
export function isInInternalPart(rest: string): boolean {
  const clause = rest.slice(0, 160);
  const end = clause.search(CLAUSE_END);
  return IN_PROJECT_PART.test(end === -1 ? clause : clause.slice(0, end));
}

// Sentences that begin with remove, delete or drop.

const REMOVAL = /^(?:remov(?:e[sd]?|ing|al)|delet(?:e[sd]?|ing)|drop(?:s|ped|ping)?)$/;
// Where the object of a verb ends.
const OBJECT_END =
  /[,;:.] | \(| [-–—] |\b(?:from|in|for|when|that|which|on|to|with|because|as|so|by|during|via|inside|within|after|if|where|since|now|between|due|until|before|upon|while|around|using|against|behind|wrapping)\b| and (?:add|fix|use|chang|updat|replac|improv|mak|refactor|minor|handl|simplif|clean|set|move|rename|instead|rewrit)\w*\b/;
const NOUNS =
  'options?|flags?|apis?|endpoints?|methods?|functions?|class(?:es)?|fields?|param(?:eter)?s?|arguments?|commands?|config(?:uration)?s?|settings?|support|plugins?|exports?|prop(?:s|erty|erties)?|hooks?|attributes?|themes?|modules?|components?|modes?|dialects?|integrations?|rules?|directives?|adapters?|drivers?|events?|alias(?:es)?|bindings?|presets?|blueprints?|elements?|features?|interfaces?|entry ?points?|callbacks?|getters?|setters?|middlewares?|engines?|loaders?|builtins?|shorthands?|signatures?|filters?|macros?|operators?|transports?|providers?';
// A noun of the interface counts only as the head of its phrase: "option", not "option parsing".
// A type counts behind its name: "the `Options` type".
const HEAD = new RegExp(`(?<![\\w-])(?:${NOUNS}|(?<=\uE001 )types?)(?![\\w-])(?= ?$| ?[,("'\uE000]| (?:and|or|&)\\b)`);
// Parts of what is delivered: "the browser bundle", "TypeScript definitions".
const DELIVERY =
  /^(?:the |all |our )?(?:(?:browser|umd|amd|esm|cjs|commonjs|standalone|minified|prebuilt|global) (?:bundle|build|version)|(?:typescript|flow|type) (?:definition|typing|type)| ?(?:go|npm|python|pypi|nuget|maven) package)s?$/;
const NAMED = /\uE000|\w\(\)|\w::\w|(?<!\S)--[a-z]/;
// What was deprecated before it was removed was part of the interface.
const DEPRECATED = /^(?:the |all |some |our )?(?:now |long |previously |already )?(?:deprecated|legacy) \S/;
// Parts of other projects, which this one no longer uses.
const FOREIGN =
  /^(?:the |all |some |our )?(?:deprecated |legacy |old )?(?:jquery|node(?:\.?js)?|react|vue|angular|ember|babel|webpack|grunt|gulp|lodash|browser|dom|eslint|typescript|npm|python|java|ruby|php|android|ios|v8)\b/;
// Published packages and builds: users may miss what is gone from there.
const DELIVERED =
  /\b(?:from|in) (?:the |our |its )?(?:published )?(?:npm (?:package|releases?|tarball)|package\.json|bower\.json|builds?|bundles?|dist)\b|^ *(?:the )?bower\b/;
// Removed things that no user depends on.
const UNMISSED =
  /\b(?:unused|null|undefined|non-existent|non-existing|nonexistent|orphan|inconsistent|empty|arrow functions?|additional|instances? of|most of|special case|unneeded|unneed|un-needed|unnecess?ary|not needed|needless|no-longer-needed|redundant|duplicate[ds]?|dead|internals?|internally|stray|leftovers?|superfluous|useless|moot|erroneous(?:ly)?|accidentally|mistakenly|inadvertently|repeat(?:ed|ing)|non-required|un-?safe|lifecycles?|accidental|unreachable|unmatchable|invalid|broken|wrong|incorrect|obsolete|temporary|random|orphaned|stale|non-standard|uses? of|usages? of|references? to|mentions? of|calls? to|need (?:for|to)|aria-[a-z]{1,20} attributes?|running of|hard ?coding of)\b|^(?:the |a )?(?:required|mandatory|feature[ -](?:flag|gate|toggle)s?)\b/;
// Heads of an object that never was a part of the interface.
const INNER_HEAD =
  /(?<![\w-])(?:usages?|uses?|imports?|requires?|references?|mentions?|calls?|checks?|guards?|workarounds?|hacks?|polyfills?|examples?|prefix(?:es)?|fallbacks?|shims?|stubs?|debug(?:ging)?|logs?|logging|comments?|dependenc(?:y|ies)|deps?|libs?|librar(?:y|ies)|samples?|limitations?|commas?|cruft|mistakes?|files?|folders?|director(?:y|ies)|scripts?|warnings?|errors?|messages?|spaces?|padding|margins?|lines?|tokens?|listeners?|typings|declarations?|annotations?|hard ?coding|limits?|delays?|fix(?:es)?|requirements?|restrictions?|leaks?|vulnerabilit(?:y|ies)|headers?|icons?|styles?|css|artifacts|links?|reassignments?|recursion|handlers?|overrides|internals?|code|headings?|status|marks?|labels?|notices?|configurations|generics|variables?|chapters?|sections?|paragraphs?|statements?|operations?|bits|bugs?|inconsist\w{3,6}|blocks?|deprecations?|meta tags?|duplication|logic)(?: ?$| \uE000| and\b| of\b)/;

// What was not documented, or never part of what users were given: they may miss it or not.
export const UNOFFICIAL =
  /\b(?:undocumented|(?:recently|newly) added|unofficial|private|non-public|extra|extraneous|vestigial|experimental)\b|(?<![\w-])(?:helpers?|wrappers?|mixins?)(?: ?$| \uE000)/;
// Nobody used it: "as it isn't used", "no longer needed".
const UNUSED =
  /\b(?:no longer|not|n't|never|isn't|aren't|wasn't)(?: being| actually| really)? (?:needed|used|necessary|required|in use|working)\b/;
// One thing among many is a piece of code ("an arrow function"), and a part of a page may lose another.
const PIECE = /^an? (?!\uE000)/;
const FROM_PART = /^ ?from (?:the |its |all |an? )?[a-z]/;
const PART_OF_PAGE = /(?:components?|elements?|attributes?|class(?:es)?|nodes?|tags?)$/;
// Files that are no longer published: "Remove `src` from package".
const FROM_PACKAGE = /\bfrom (?:the |our )?(?:published )?package(?![\w.-])/;
// What was added by mistake shortly before.
const MISTAKEN = /\b(?:erroneous|accidental|mistaken|inadvertent|unintentional)ly\b|\bby (?:mistake|accident)\b/;
// A dependency that the project no longer has: "Remove `lodash` as a dependency".
const AS_DEPENDENCY =
  /\bas an? (?:\w{1,12} )?(?:dependency|dep|requirement)\b|\bfields? (?:from|in) (?:the )?package(?:\.json)?(?: |$|\.)|^ (?:the )?bindings? to\b/;
// What was done for the sake of the program itself.
const FOR_ITSELF =
  /\b(?:to|for) (?:better |faster |improved |further )?(?:boost|speed|improve|performance|perf|simplify|simplicity|readability|clarity|consistency|cleaner|reduce|shrink|save|smaller|fix|ensure|avoid|prevent|comply|work around)\b|\bin (?:favou?r|place) of (?:the |an? )?(?:[a-z]{2,20}-[a-z-]{2,40}|native|built-?in|direct|own|[a-z]{2,20} (?:package|module|library|polyfill))\b|\band (?:now )?us(?:e|es|ing) (?:the )?(?:native|built-?in)\b/;

// "Remove the listener when …" describes what the software does at run time.
const AT_RUN_TIME =
  /\b(?:when|if|once|whenever|upon|before|after|on (?:blur|close|redirect|exit|error|destroy|unmount|click|(?:mobile|touch|small|older) \w{1,12}))(?= |$|[.,])/;
// A preset without a rule allows more than before.
const RELAXED = /\bfrom (?:the |all )?(?:[\w-]{1,20}[ /]){0,2}(?:recommended|presets?|configs?)\b/;

// The object of the verb: the words up to the next preposition.
function removedObject(sentence: string, verb: LeadingWord): string {
  const rest = sentence.slice(verb.start + verb.word.length, verb.start + 300);
  const end = rest.search(OBJECT_END);
  return (end === -1 ? rest : rest.slice(0, end)).trim().replace(/[.!:]+$/, '');
}

type RemovalReading = 'interface' | 'perhaps' | 'nothing';

// Whether the sentence takes a part of the interface away; `inner` is true for entries about the project's own code.
export function readRemoval(sentence: string, verb: LeadingWord, inner = false): RemovalReading {
  if (!REMOVAL.test(verb.word) || /\bonly\b|^\W{0,3}(?:revert|undo)/.test(sentence.slice(0, verb.start)))
    return 'nothing';
  const object = removedObject(sentence, verb);
  const rest = sentence.slice(verb.start + verb.word.length, verb.start + 300);
  if (DELIVERY.test(object)) return /\bnon-?exist/.test(rest) ? 'nothing' : 'interface';
  if (object === '' || isLeftover(object) || AS_DEPENDENCY.test(rest)) return 'nothing';
  if ((UNUSED.test(rest) || MISTAKEN.test(rest)) && !HEAD.test(object) && !/\bpublic\b/.test(rest))
    return NAMED.test(object) ? 'perhaps' : 'nothing';
  if (isInternalWork(rest)) return isDelivered(object, rest) ? 'perhaps' : 'nothing';
  if (AT_RUN_TIME.test(rest) && !/\bsupport\b/.test(object)) return 'perhaps';
  if (FROM_PACKAGE.test(rest) && !HEAD.test(object)) return 'perhaps';
  if (RELAXED.test(rest) || MISTAKEN.test(rest) || UNOFFICIAL.test(object)) return 'perhaps';
  const behind = rest.slice(rest.indexOf(object) + object.length);
  if (PIECE.test(object) || (PART_OF_PAGE.test(object) && FROM_PART.test(behind))) return 'perhaps';
  // "drop classes which only have side effects" describes what the software does.
  if (!NAMED.test(object) && /^ ?(?:which|that) (?:only|are|is|have|has|do|does)\b/.test(behind)) return 'perhaps';
  if (FOREIGN.test(object) && !/\bsupport\b/.test(object)) return 'perhaps';
  if (HEAD.test(object) || DEPRECATED.test(object)) return 'interface';
  // In a refactoring, a bare name may be one of the project's own code.
  if (NAMED.test(object)) return inner || FOR_ITSELF.test(rest) ? 'perhaps' : 'interface';
  return 'perhaps';
}

// Internal work that users may notice all the same: "the debug option" is an option, and files may leave the package.
function isDelivered(object: string, rest: string): boolean {
  return DELIVERED.test(rest) || (HEAD.test(object) && !isInInternalPart(rest));
}

export function isLeftover(object: string): boolean {
  return UNMISSED.test(object) || INNER_HEAD.test(object);
}

// Whether an entry in a section of removals takes nothing away from users: "Removed unused icons", "Remove test for …".
export function isUnmissedRemoval(sentence: string): boolean {
  const verb = leadingWord(sentence);
  if (verb === null || !REMOVAL.test(verb.word)) return false;
  const reading = readRemoval(sentence, verb);
  return reading === 'nothing' || (reading === 'perhaps' && FOR_ITSELF.test(sentence.slice(verb.start)));
}

// Tells work on the project itself (tests, linters, documentation) from changes that users see, because it breaks nobody.
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

// The meaning of section headings: which class of change the entries below them belong to.
import { withoutEmojiCodes } from '../clean-text.ts';
import type { NoteClass } from './types.ts';

const NAMES: Readonly<Record<NoteClass, string>> = {
  breaking: `breaking, breaking change, breaking changes, incompatible changes, incompatibilities, major changes,
    action required, no longer supported`,
  removed: 'removed, removals, removal, dropped, removed features, removed apis',
  deprecated: 'deprecated, deprecations, deprecation',
  security: 'security, vulnerabilities, vulnerability',
  features: `added, new, features, feature, what's new, whats new, highlights, minor changes, new features, new feature,
    added features, features added, additions, new additions, api additions, feat, feats, new functionality, introduced`,
  enhancements: `changed, changes, improved, improvements, improvement, enhancements, enhancement, performance,
    updates, updated, performance improvements, code refactoring, refactoring, refactor, refactors, styles,
    optimizations, optimisations`,
  bugs: `fixed, fixes, fix, bug fixes, bug fix, patches, bugfixes, bugfix, bugs, patch changes, resolved, fixed bugs, bugs fixed,
    fixed issues, issues fixed, resolved issues, reverts, reverted, hotfixes, bug, defects, fixed defects, resolved bugs, closed bugs, bugs resolved, bugs closed`,
  migration: `migration, migrations, migrating, migration guide, migration notes, migration steps, upgrading,
    upgrade guide, upgrade notes, upgrade instructions, upgrade steps, how to upgrade, how to migrate`,
  other: `dependencies, dependency updates, updated dependencies, chores, chore, miscellaneous chores, internal,
    internals, documentation, docs, ci, continuous integration, build, build system, tests, test, testing,
    maintenance, housekeeping, development, dev, infrastructure, infrastructure changes, tooling, dev dependencies,
    internal changes, test internal changes, examples, test coverage`,
};

const CLASS_OF_NAME = new Map(
  Object.entries(NAMES).flatMap(([name, list]) => list.split(/,\s+/).map((text) => [text, name as NoteClass] as const)),
);

const FIRST_WORDS = new Set(Array.from(CLASS_OF_NAME.keys(), (name) => name.split(' ')[0] ?? ''));
const MAX_NAMED_LENGTH = 60;

// Headings that group others: a deeper heading of unknown meaning does not inherit their class.
const UMBRELLAS = new Set(['changes', 'updates', "what's new", 'whats new', 'highlights', 'new']);

const SKIPPED =
  /^(?:downloads?|install|installs|installation|installing|how to install|binaries|assets|artifacts|verification|signatures|(?:file )?hashes|shas?|(?:sha|md)\s?sums|credits?|thanks|thank you|special thanks|thanks to|acknowledge?ments|committers|authors|sponsors|backers|full change ?log|docker images?)$|\bchecksums?\b|\bcontributors?\b|^(?:download|install|installation) (?:links?|instructions|guide|options|notes|via|with|from|using)\b/;

// Headings that are known by their last word: "Notable fixes", "New rules", "Removed methods", "Documentation & tests".
const ASIDE_WORDS =
  'ci|tests?|testing|docs?|documentation|build|tooling|dev|internals?|dependencies|chores?|infrastructure';
const COMPOUNDS: readonly (readonly [NoteClass, RegExp])[] = [
  [
    'bugs',
    /^(?:(?!known|component|documentation|docs?|tests?|typo|build|ci|security)[a-z]{2,12} ){1,2}(?:bug ?)?fix(?:es)?$|^(?:other|critical|additional) bugs$/,
  ],
  [
    'features',
    /^new (?:and \w{1,12} )?(?:rule|component|api|plugin|locale|option|method|command|icon|language|module|hook|prop|event|function|feature|rule option|rule value)s?$|^(?:major|key|main|notable|other|experimental|new|more) (?:features|additions)$|^release highlights$/,
  ],
  [
    'removed',
    /^removed (?:deprecated )?(?:rule|method|api|option|feature|function|component|prop|command|plugin|module|classe|event|support|functionality|export|alia[se]e)s?$/,
  ],
  ['breaking', /^backwards? compat[ai]bility (?:changes?|breaks?|issues?)$/],
  ['deprecated', /^dep(?:rec|er+ec|cre|rac|reci)[a-z]{0,3}t(?:ed|ions?|es)$/],
  ['other', new RegExp(`^(?:${ASIDE_WORDS})(?: (?:and|${ASIDE_WORDS}|changes|updates|improvements|fixes))+$`)],
];

const NEGATED =
  /\b(?:no|not|non|without|zero|avoid\w*|fix(?:e[sd]|ing)?|prevent\w*|revert\w*|detect\w*) (?:[\w']+ ){0,2}$/;

type HeadingClass = { class: NoteClass | null; skipped: boolean; umbrella: boolean; version: boolean };

// The words of a heading in lower case, without punctuation, version and date.
function headingWords(heading: string): string {
  const lower = heading.length < 40 ? heading.toLowerCase() : '';
  if (CLASS_OF_NAME.has(lower)) return lower;
  return heading
    .slice(0, 200)
    .toLowerCase()
    .replace(/’/g, "'")
    .split(/[^a-z0-9'.]+/)
    .filter((word) => word && !/\d/.test(word))
    .map((word) => word.replace(/^[.']+|[.']+$/g, ''))
    .filter(Boolean)
    .join(' ');
}

// The class of a heading, and whether its section is read at all; `raw` still has its emoji.
export function readHeading(raw: string, plain: string): HeadingClass {
  const words = headingWords(withoutEmojiCodes(plain));
  const found = (name: NoteClass | null): HeadingClass => ({
    class: name,
    skipped: false,
    umbrella: UMBRELLAS.has(words),
    version: isVersionHeading(plain),
  });
  if (!words) return found(raw.includes('⚠') ? 'breaking' : null);
  const whole = CLASS_OF_NAME.get(words);
  if (whole) return found(whole);
  if (SKIPPED.test(words)) return { ...found(null), skipped: true };
  const inside = words.search(/\bbreaking\b|\bbackwards? incompatib/);
  if (inside !== -1) return found(NEGATED.test(words.slice(0, inside)) ? null : 'breaking');
  if (/\bsecurity\b/.test(words)) return found('security');
  if (/\bdeprecat/.test(words)) return found('deprecated');
  return found(COMPOUNDS.find(([, pattern]) => pattern.test(words))?.[0] ?? null);
}

// The class of a text that is, as a whole, a known heading name. Its first word rules out most texts cheaply.
export function classOfName(text: string): NoteClass | null {
  if (text.length > MAX_NAMED_LENGTH) return null;
  const lower = text.toLowerCase();
  const first = /[a-z][a-z'’]+/.exec(lower)?.[0].replace('’', "'") ?? '';
  return FIRST_WORDS.has(first) ? (CLASS_OF_NAME.get(headingWords(lower)) ?? null) : null;
}

// `## 1.4.0`, `## [1.4.0] - 2024-02-01`, `## Acme v2.0`, `## @acme/core@3.1.0`.
export function isVersionHeading(plain: string): boolean {
  return /^\W{0,3}(?:(?:version|release|v\.?|@?[\w./-]{1,60}@|[\w.-]{1,40}) ?)?v?\d+\.\d+/i.test(plain.slice(0, 160));
}

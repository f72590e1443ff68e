const KINDS = new Set(
  `added additions and api better breaking bug bugfix bugfixes bugs build change changed changes chore chores ci
  cleanup code continuous contributions contributors core credits dependencies dependency deprecated deprecation
  deprecations docs documentation enhancement enhancements feat feature features fix fixed fixes general highlights
  housekeeping improved improvement improvements integration internal internals issues known languages locales
  maintenance major minor misc miscellaneous new notable note notes other patch perf performance polish refactor
  refactoring refactors removal removals removed reverted reverts security style styles system tasks test testing
  tests thanks tooling translations types update updated updates`.split(/\s+/),
);

// Whether a heading is named after a kind of change (Features, Bug Fixes), and so is a part of the entry above it.
export function isChangeKind(text: string): boolean {
  const words = text
    .toLowerCase()
    .replaceAll('\u2019', "'")
    .match(/[\p{L}'\p{N}]+/gu);
  return words?.every((word) => KINDS.has(word)) ?? false;
}

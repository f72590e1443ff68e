// Sentence frames that every field shares. Slots in braces are filled from the area of the org; a capital slot starts a
// sentence, and slots of one text share their values.
import { phrases } from './phrases.ts';

export type Mood = 'past' | 'imperative';
export type ChangeKind = 'feature' | 'fix' | 'gain' | 'chore' | 'deprecation' | 'security';

const CHORES = [
  'update build dependencies',
  'split slow tests of {part} into their own job',
  'document {feature}',
  'document `{setting}`',
  'clarify the guide on {activity}',
  'refresh the example for {feature}',
  'add a benchmark for {activity}',
];

// biome-ignore format: frames of a kind stand together
export const CHANGES: Record<ChangeKind, Record<Mood, readonly string[]>> = {
  feature: {
    past: ['Added {feature} to {part}.', 'Added support for {feature} in {part}.', 'New: {feature}, {audience}.',
      'Added {feature} {audience}.', 'Introduced {feature} in {part}, {audience}.',
      'Introduced {feature}, off by default behind `{setting}`.', 'Support for {feature} when {activity}.',
      'Added a preview step when {activity}.', 'Added `{setting}` to tune {part}.',
      'Added `{setting}` as an option of `{command}`.', 'Enabled {feature} {audience}.'],
    imperative: ['add {feature} to {part}', 'add {feature} {audience}', 'support {feature} when {activity}',
      'introduce {feature} behind `{setting}`', 'add `{setting}` as an option of `{command}`',
      'allow `{setting}` to be set {audience}', 'expose {feature} through {part}', 'implement {feature} in {part}',
      'add a progress bar for {activity}'],
  },
  fix: {
    past: ['Fixed {problem}.', 'Fixed {problem}, seen {circumstance}.', 'Resolved {problem} {circumstance}.',
      'Fixed an error when {activity} {circumstance}.', 'Fixed a hang in {part} {circumstance}.',
      'Fixed a regression where `{setting}` had no effect on {part}.', 'Prevented {problem}, reported {circumstance}.',
      'Corrected the message shown when {activity} fails {circumstance}.',
      'Handled time-outs of {part} better when {activity}.'],
    imperative: ['fix {problem}', 'fix {problem} {circumstance}', 'prevent {problem} {circumstance}',
      'handle an empty `{setting}` when {activity}', 'avoid a crash when {activity} {circumstance}',
      'correct the exit code of `{command}` {circumstance}', 'resolve {problem} {circumstance}',
      'stop retrying forever when {activity}', 'respect `{setting}` in {part}'],
  },
  gain: {
    past: ['{Part} now {gain}.', '{Activity} is now {percent}% faster.', 'Made {activity} cancellable.',
      'Reduced the memory use of {part} by {percent}%.', 'Improved the error message when {activity} fails.',
      'Improved {part}: it {gain}, also {circumstance}.', 'Reworked {part} so that {activity} takes fewer steps.'],
    imperative: ['speed up {activity} by {percent}%', 'reduce allocations in {part}', 'improve logging around {part}',
      'cache results when {activity}', 'make {activity} cancellable', 'improve {activity} {circumstance}'],
  },
  deprecation: {
    past: ['`{setting}` is deprecated and will go in the next major version; use `{renamed}` instead.'],
    imperative: ['deprecate `{setting}` in favour of `{renamed}`'],
  },
  security: { past: ['Fixed {flaw} ({cve}, {severity} severity).'], imperative: ['fix {flaw} ({cve})'] },
  chore: { past: CHORES, imperative: CHORES },
};

export type BreakingFrame = Record<Mood | 'migration' | 'before' | 'after', string>;

// biome-ignore format: one change a paragraph
export const BREAKING: readonly BreakingFrame[] = [
  { past: 'Renamed `{setting}` to `{renamed}`.', imperative: 'rename `{setting}` to `{renamed}`',
    migration: 'Replace `{setting}` with `{renamed}` in your configuration.',
    before: '{setting}: 30', after: '{renamed}: 30' },
  { past: '`{setting}` now defaults to `strict` instead of `lenient`.',
    imperative: 'change the default of `{setting}` to `strict`',
    migration: 'Set `{setting}: lenient` to keep the earlier behaviour.',
    before: '# {setting} was lenient', after: '{setting}: lenient' },
  { past: '`{setting}` is now required by {part}.', imperative: 'require `{setting}` for {part}',
    migration: 'Set `{setting}` next to `{other}` before you upgrade.',
    before: '{other}: auto', after: '{other}: auto\n{setting}: 10' },
  { past: 'Removed the deprecated short form of `{command}`.', imperative: 'remove the `{command}` alias',
    migration: 'Use `{command} --all` instead.', before: '{command} -a', after: '{command} --all' },
  { past: '{Part} no longer returns a bare list; entries are under `items`.',
    imperative: 'return an object from {part}', migration: 'Change code that reads the list to read `items`.',
    before: '[{ "id": 7 }]', after: '{ "items": [{ "id": 7 }], "next": null }' },
];

export const FLAWS = phrases(`a missing permission check in {part} | a path traversal when {activity}
  | an unescaped value in {part} | a read past the end of a buffer in {part}
  | a denial of service through deeply nested input to {part} | a token that was written to the log when {activity}
  | a signature check that {part} skipped {circumstance}`);

export const CIRCUMSTANCES = phrases(`on slow connections | after an upgrade | under heavy load | in read-only mode
  | when the disk is nearly full | in very large projects | with long file names | across time zones
  | on the first start | after a restart | behind a proxy | on older machines`);

export const AUDIENCES = phrases(`for teams | on all plans | for administrators | in shared workspaces | per project
  | through the API | for guests | in every region | for new accounts`);

// Scopes of commit messages; teams of every field name these much alike.
export const SCOPES = phrases('api | cli | core | config | server | client | types | auth | ui');

export const AUTHORS = phrases(`ysolde-k | bram-tace | merrit-oss | quillan-d | oda-fenwick | tamsin-vo | ilse-marrow
  | jory-pell | nell-ashgrove | rafe-dunmore | suvi-lark | corin-hale7 | ember-tolliver | pascoe-wren`);

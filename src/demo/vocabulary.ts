/**
 * Sentence frames shared by every field. Slots in braces are filled from the area of the org (see
 * `vocabulary-areas.ts`); a capital slot starts a sentence.
 */
export const FEATURES_PAST = [
  'Added {feature} to {part}.',
  'Added support for {feature} in {part}.',
  'New: {feature}, available from {part}.',
  'Added `{setting}` to tune {part}.',
  'Introduced {feature}. It is off by default; set `{setting}` to try it.',
  'Added the `{command}` command.',
  'Support for {feature} when {activity}.',
  'Added {feature}, with a first set of examples in the manual.',
  'Enabled {feature} for every project.',
  'Added an option to skip {part} when {activity}.',
];

export const FEATURES_IMPERATIVE = [
  'add {feature} to {part}',
  'support {feature} when {activity}',
  'introduce {feature} behind `{setting}`',
  'add `{command}` command',
  'allow `{setting}` to be set per environment',
  'expose {feature} in the public API',
  'implement {feature}',
  'add dry-run mode for {activity}',
];

export const FIXES_PAST = [
  'Fixed {problem}.',
  'Fixed {problem}.',
  'Fixed an error when {activity}.',
  'Fixed a crash when {activity} while {part} is restarting.',
  'Fixed a regression where `{setting}` was ignored when {activity}.',
  'Resolved {problem} reported by several teams.',
  'Corrected the message shown when {activity} fails.',
  'Prevented {problem}.',
  'Handled a missing `{setting}` in {part}.',
];

export const FIXES_IMPERATIVE = [
  'fix {problem}',
  'prevent {problem}',
  'handle an empty `{setting}` when {activity}',
  'avoid a crash when {activity}',
  'correct the exit code of `{command}`',
  'resolve {problem}',
  'do not retry forever when {activity}',
  'respect `{setting}` in {part}',
];

export const GAINS_PAST = [
  '{Part} now {gain}.',
  '{Activity} is now {percent}% faster.',
  'Reduced the memory use of {part} by {percent}%.',
  'Improved the error message when {activity} fails.',
  'Improved {part}: it {gain}.',
  'Reworked {part} so that {activity} takes fewer steps.',
  'Made {activity} cancellable.',
];

export const GAINS_IMPERATIVE = [
  'speed up {activity} by {percent}%',
  'reduce allocations in {part}',
  'improve logging around {part}',
  'cache results when {activity}',
  'make {activity} cancellable',
];

export const CHORES = [
  'update build dependencies',
  'move fixtures out of the main package',
  'split slow tests into their own job',
  'document {feature}',
  'clarify the guide on {activity}',
  'remove unused helpers around {part}',
  'refresh the example configuration',
];

/** Scopes of commit messages; the area adds nothing here, teams name these much alike. */
export const SCOPES = ['api', 'cli', 'core', 'config', 'docs', 'deps', 'server', 'client', 'types', 'auth', 'ui'];

export const AUTHORS = [
  'ysolde-k',
  'bram-tace',
  'merrit-oss',
  'quillan-d',
  'oda-fenwick',
  'tamsin-vo',
  'ilse-marrow',
  'jory-pell',
  'nell-ashgrove',
  'rafe-dunmore',
  'suvi-lark',
  'corin-hale7',
  'ember-tolliver',
  'pascoe-wren',
];

/** Closing lines of posts, so that long feeds do not end alike. */
export const CLOSINGS = [
  'It is available today on every plan.',
  'The change is live for all workspaces; there is nothing to install.',
  'We are rolling it out over the next two weeks.',
  'It is in beta, and we read every message you send about it.',
  'Existing projects keep their current behaviour until you switch it on.',
  'Documentation and a short example are online.',
  'Thanks to everyone who tried the early builds and told us what broke.',
];

export const POST_REASONS = [
  'This was the most requested change of the last quarter.',
  'Until now that meant exporting, editing and importing again.',
  'Teams told us that they had built the same workaround three times over.',
  'It sounds small. It removes a step that people did forty times a day.',
  'We measured before and after with a dozen customers, and the difference held.',
  'The old way still works, and you can move one project at a time.',
  'It took longer than planned, mostly because the easy version was wrong.',
];

export const STORE_OPENINGS = [
  'Thanks for using {product}!',
  "What's new:",
  'This update brings a few things you asked for.',
  'A small update with a big clean-up underneath.',
  'We have been busy.',
  'Hello from the {product} team 👋',
];

export const STORE_BOILERPLATE = [
  'Bug fixes and performance improvements.',
  'This version contains bug fixes and stability improvements.',
  'Minor fixes. Thank you for your reports!',
];

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/**
 * Sentence frames shared by every field. Slots in braces are filled from the area of the org (see
 * `vocabulary-areas.ts`); a capital slot starts a sentence.
 */
export const FEATURES_PAST = [
  'Added {feature} to {part}.',
  'Added support for {feature} in {part}.',
  'New: {feature}, {audience}.',
  'Added {feature} {audience}.',
  'Introduced {feature} in {part}, {audience}.',
  'Introduced {feature}, off by default behind `{setting}`.',
  'Support for {feature} when {activity}.',
  'Added a preview step when {activity}.',
  'Added `{setting}` to tune {part}.',
  'Added `{setting}` as an option of `{command}`.',
  'Enabled {feature} {audience}.',
];

export const FEATURES_IMPERATIVE = [
  'add {feature} to {part}',
  'add {feature} {audience}',
  'support {feature} when {activity}',
  'introduce {feature} behind `{setting}`',
  'add `{setting}` as an option of `{command}`',
  'allow `{setting}` to be set {audience}',
  'expose {feature} through {part}',
  'implement {feature} in {part}',
  'add a progress bar for {activity}',
];

export const FIXES_PAST = [
  'Fixed {problem}.',
  'Fixed {problem}, seen {circumstance}.',
  'Fixed {problem}, seen {circumstance}.',
  'Fixed an error when {activity} {circumstance}.',
  'Fixed a hang in {part} {circumstance}.',
  'Fixed a regression where `{setting}` had no effect on {part}.',
  'Resolved {problem} {circumstance}.',
  'Corrected the message shown when {activity} fails {circumstance}.',
  'Prevented {problem}, reported {circumstance}.',
  'Handled time-outs of {part} better when {activity}.',
];

export const FIXES_IMPERATIVE = [
  'fix {problem}',
  'fix {problem} {circumstance}',
  'prevent {problem} {circumstance}',
  'handle an empty `{setting}` when {activity}',
  'avoid a crash when {activity} {circumstance}',
  'correct the exit code of `{command}` {circumstance}',
  'resolve {problem} {circumstance}',
  'stop retrying forever when {activity}',
  'respect `{setting}` in {part}',
];

export const GAINS_PAST = [
  '{Part} now {gain}.',
  '{Activity} is now {percent}% faster.',
  'Reduced the memory use of {part} by {percent}%.',
  'Improved the error message when {activity} fails.',
  'Improved {part}: it {gain}, also {circumstance}.',
  'Reworked {part} so that {activity} takes fewer steps.',
  'Made {activity} cancellable.',
];

export const GAINS_IMPERATIVE = [
  'speed up {activity} by {percent}%',
  'reduce allocations in {part}',
  'improve logging around {part}',
  'cache results when {activity}',
  'make {activity} cancellable',
  'improve {activity} {circumstance}',
];

export const CHORES = [
  'update build dependencies',
  'split slow tests of {part} into their own job',
  'document {feature}',
  'document `{setting}`',
  'clarify the guide on {activity}',
  'remove unused helpers around {part}',
  'refresh the example for {feature}',
  'add a benchmark for {activity}',
];

export const FLAWS = [
  'a missing permission check in {part}',
  'a path traversal when {activity}',
  'an unescaped value in {part}',
  'a read past the end of a buffer in {part}',
  'a denial of service through deeply nested input to {part}',
  'a token that was written to the log when {activity}',
  'a signature check that {part} skipped {circumstance}',
];

export const CIRCUMSTANCES = [
  'on slow connections',
  'after an upgrade',
  'under heavy load',
  'in read-only mode',
  'when the disk is nearly full',
  'in very large projects',
  'with long file names',
  'across time zones',
  'on the first start',
  'after a restart',
  'behind a proxy',
  'on older machines',
];

export const AUDIENCES = [
  'for teams',
  'on all plans',
  'for administrators',
  'in shared workspaces',
  'per project',
  'through the API',
  'for guests',
  'in every region',
  'for new accounts',
];

// A short entry: its title and its first sentence speak of the same thing.
export const ENTRIES = {
  feature: [
    ['{Feature} in {part}', '{Part} now has {feature}, {audience}.'],
    ['{Feature}', 'You can now use {feature} in {part}.'],
    ['New: {feature}', 'We added {feature}. Look for the new entry in {part}.'],
    ['{Feature} {audience}', '{Feature} {audience}: set it up once in {part} and forget about it.'],
    ['{Activity} with {feature}', '{Activity} got easier: {feature} can take care of the repeating part.'],
  ],
  gain: [
    ['Faster: {activity}', '{Activity} is now {percent}% faster, most of all {circumstance}.'],
    ['{Part}, improved', '{Part} now {gain}.'],
    ['Less waiting when {activity}', 'We moved the slow part of {activity} into the background.'],
    ['{Activity} {circumstance}', '{Activity} now works well {circumstance}, too.'],
  ],
  fix: [
    ['Fix for {activity}', 'We fixed an error that some of you saw when {activity} {circumstance}.'],
    ['Fixed: {problem}', 'We fixed {problem}. It was seen {circumstance}.'],
    ['Corrections to {part}', '{Part} showed {problem} {circumstance}. That is corrected.'],
  ],
  deprecation: [['Deprecation of `{setting}`', '`{setting}` is deprecated. It keeps working for twelve months.']],
  security: [['Security update for {part}', 'We closed {flaw}. There is no sign that it was used.']],
} as const;

// Lines for people who never see a configuration file.
export const STORE_FEATURES = [
  '{Feature}: now in {part}',
  'New: {feature}',
  '{Feature} {audience}',
  '{Part} has a fresh look and {gain}',
  'Try {feature} when {activity}',
];

export const STORE_FIXES = [
  'Fixed {problem}',
  'Fixed a crash when {activity}',
  '{Activity} is smoother {circumstance}',
  'No more {problem}',
  'Fixed {problem} {circumstance}',
];

// Scopes of commit messages; teams of every field name these much alike.
export const SCOPES = ['api', 'cli', 'core', 'config', 'server', 'client', 'types', 'auth', 'ui'];

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

// Closing lines of posts, so that long feeds do not end alike.
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
  'Two of us used the prototype for a month before we showed it to anybody.',
  'Most of the work went into the parts that you will never notice.',
];

// Titles of posts and the paragraphs that go with them; all slots of one post share their values.
export const POSTS: readonly (readonly [title: string, lead: string])[] = [
  ['Introducing {feature}', 'Starting today, {product} has {feature}.'],
  ['{Feature} in {part}', '{Feature} came to {part} this week, {audience}.'],
  ['{Feature}, now in {product}', 'You asked for {feature}. It is done, {audience}.'],
  ['{Activity}, made simpler', '{Activity} used to take several steps. With {feature} it takes one.'],
  ['Announcing {feature} for {product}', 'We are opening {feature} to everyone who uses {product}.'],
  ['New in {product}: {feature}', '{Product} learned something new: {feature}, {audience}.'],
  ['How we rebuilt {part}', '{Part} was due for a rewrite. It now {gain}, and it made room for {feature}.'],
  ['{Part} now {gain}', 'The short version is in the title. The long version begins with {activity}.'],
];

export const POST_DETAILS = [
  'Open {part}, choose {feature}, and you will see a preview before anything changes.',
  'It works best when {activity}: {part} does the checking, and you decide.',
  'Behind the scenes {part} {gain}, which is what made {feature} possible.',
  'If you are {activity} {circumstance}, you will notice the difference first.',
  'Administrators can limit {feature} with `{setting}`.',
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

// Frames of posts, entries of changelog pages, store notes and videos: a title and the first sentence below it.
import { phrases } from './phrases.ts';

type PostFrame = readonly [title: string, lead: string];

// biome-ignore format: a title and its sentence read like a table
export const ENTRIES: Record<'feature' | 'gain' | 'fix' | 'deprecation' | 'security', readonly PostFrame[]> = {
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
  deprecation: [['Deprecation of `{setting}`',
    '`{setting}` is deprecated. It keeps working for twelve months.\n\nUse `{renamed}` instead.']],
  security: [['Security update for {part}',
    'We closed {flaw}. There is no sign that it was used.\n\nThe flaw is known as {cve}. Hosted projects are already safe.']],
};

export const POSTS: readonly PostFrame[] = [
  ['Introducing {feature}', 'Starting today, {product} has {feature}.'],
  ['{Feature} in {part}', '{Feature} came to {part} this week, {audience}.'],
  ['{Feature}, now in {product}', 'You asked for {feature}. It is done, {audience}.'],
  ['{Activity}, made simpler', '{Activity} used to take several steps. With {feature} it takes one.'],
  ['Announcing {feature} for {product}', 'We are opening {feature} to everyone who uses {product}.'],
  ['New in {product}: {feature}', '{Product} learned something new: {feature}, {audience}.'],
  ['How we rebuilt {part}', '{Part} was due for a rewrite. It now {gain}, and it made room for {feature}.'],
  ['{Part} now {gain}', 'The short version is in the title. The long version begins with {activity}.'],
];

export const VIDEOS: readonly PostFrame[] = [
  ['{Feature} in three minutes', 'Everything you need to know about {feature}, in three minutes.'],
  ['Getting started with {feature}', 'We set up {feature} from nothing and explain each step.'],
  ['{Product} demo: {feature}', 'A short tour of {feature} and of what {part} does with it.'],
  ['Deep dive: {part}', 'An hour inside {part}: how it works, why it {gain}, and what comes next.'],
  ['Office hours: {activity}', 'Your questions about {activity}, answered by the people who built it.'],
];

export const DETAILS = [
  'Open {part}, choose {feature}, and you will see a preview before anything changes.',
  'It works best when {activity}: {part} does the checking, and you decide.',
  'Behind the scenes {part} {gain}, which is what made {feature} possible.',
  'If you are {activity} {circumstance}, you will notice the difference first.',
  'Administrators can limit {feature} with `{setting}`.',
];

export const REASONS = phrases(`This was the most requested change of the last quarter.
  | Until now that meant exporting, editing and importing again.
  | Teams told us that they had built the same workaround three times over.
  | It sounds small. It removes a step that people did forty times a day.
  | We measured before and after with a dozen customers, and the difference held.
  | The old way still works, and you can move one project at a time.
  | It took longer than planned, mostly because the easy version was wrong.
  | Two of us used the prototype for a month before we showed it to anybody.
  | Most of the work went into the parts that you will never notice.`);

export const CLOSINGS = phrases(`It is available today on every plan. | Documentation and a short example are online.
  | The change is live for all workspaces; there is nothing to install.
  | We are rolling it out over the next two weeks. | It is in beta, and we read every message you send about it.
  | Existing projects keep their current behaviour until you switch it on.
  | Thanks to everyone who tried the early builds and told us what broke.`);

// Lines for people who never see a configuration file.
export const STORE = {
  openings: phrases(`Thanks for using {product}! | What's new: | This update brings a few things you asked for.
    | A small update with a big clean-up underneath. | We have been busy. | Hello from the {product} team 👋`),
  features: phrases(`{Feature}: now in {part} | New: {feature} | {Feature} {audience}
    | {Part} has a fresh look and {gain} | Try {feature} when {activity}`),
  fixes: phrases(`Fixed {problem} | Fixed a crash when {activity} | {Activity} is smoother {circumstance}
    | No more {problem} | Fixed {problem} {circumstance}`),
  boilerplate: phrases(`Bug fixes and performance improvements. | Minor fixes. Thank you for your reports!
    | This version contains bug fixes and stability improvements.`),
};

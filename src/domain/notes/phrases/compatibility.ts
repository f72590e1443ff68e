import { major, type Phrase, words } from './phrase.ts';

// What says in so many words that old code does not run any more.
export const COMPATIBILITY: readonly Phrase[] = [
  major(
    'breaking',
    String.raw`\bbreaking[ -]${words(2)}changes?\b(?!-?,? (?:detect|check|lint|label|workflow|polic|disclaim|notice|log\b))|^breaking changes?(?=[a-z@])(?!logs?\b|d\b)|[[(]breaking[\])]`,
    { strong: true },
  ),
  major('bc|api change', String.raw`\bbc[ -]breaks?\b|^api changes?:`),
  major('compatible', String.raw`(?:\bnot|n't) ${words(2)}backwards?[ -]compatible\b`, {
    stands: true,
    strong: true,
  }),
  major('compatible|drop-in', String.raw`(?:\bnot|n't) (?:be )?(?:compatible with|(?:an? )?drop-in)\b`, {
    stands: true,
    notInBug: true,
  }),
  major('incompatib', String.raw`\bbackwards?[ -]incompatib`, { strong: true }),
  major('incompatib', String.raw`\bincompatible ${words(1)}changes?\b|^incompatible\b|\bthese incompatibilities\b`, {
    notInBug: true,
  }),
  major('compatibility', String.raw`\b(?:backwards? )?compatibility (?:is|was|has been|gets) broken\b`, {
    strong: true,
  }),
  major('compatibility', String.raw`\b(?:breaks?|broke|breaking) (?:the )?(?:backwards?[ -])?compatibility\b`, {
    notInBug: true,
  }),
  major('breaking', String.raw`^breaking(?=[:;,]? (?:(?:changed|removed|renamed|dropped|the)\b|\uE000))`, {
    strong: true,
  }),
];

import { type Phrase, phrase, words } from './phrase.ts';

// What says in so many words that old code does not run any more.
export const COMPATIBILITY: readonly Phrase[] = [
  phrase(
    'breaking',
    'major',
    String.raw`\bbreaking[ -]${words(2)}changes?\b(?!-?,? (?:detect|check|lint|label|workflow|polic|disclaim|notice|log\b))|^breaking changes?(?=[a-z@])(?!logs?\b|d\b)|[[(]breaking[\])]`,
    { strong: true },
  ),
  phrase('bc|api change', 'major', String.raw`\bbc[ -]breaks?\b|^api changes?:`),
  phrase('compatible', 'major', String.raw`(?:\bnot|n't) ${words(2)}backwards?[ -]compatible\b`, {
    stands: true,
    strong: true,
  }),
  phrase('compatible|drop-in', 'major', String.raw`(?:\bnot|n't) (?:be )?(?:compatible with|(?:an? )?drop-in)\b`, {
    stands: true,
    notInBug: true,
  }),
  phrase('incompatib', 'major', String.raw`\bbackwards?[ -]incompatib`, { strong: true }),
  phrase(
    'incompatib',
    'major',
    String.raw`\bincompatible ${words(1)}changes?\b|^incompatible\b|\bthese incompatibilities\b`,
    { notInBug: true },
  ),
  phrase('compatibility', 'major', String.raw`\b(?:backwards? )?compatibility (?:is|was|has been|gets) broken\b`, {
    strong: true,
  }),
  phrase(
    'compatibility',
    'major',
    String.raw`\b(?:breaks?|broke|breaking) (?:the )?(?:backwards?[ -])?compatibility\b`,
    {
      notInBug: true,
    },
  ),
  phrase('breaking', 'major', String.raw`^breaking(?=[:;,]? (?:(?:changed|removed|renamed|dropped|the)\b|\uE000))`, {
    strong: true,
  }),
];

import { major, type Phrase, words } from './phrase.ts';

// Phrases that say outright that old code no longer works.
export const COMPATIBILITY: readonly Phrase[] = [
  major(
    'breaking',
    String.raw`\bbreaking[ -]${words(2)}changes?\b(?!-?,? (?:detect|check|lint|label|workflow|polic|disclaim|notice|roadmap|log\b|for (?:the )?(?:go|ruby|python|java|php|rust|swift|kotlin|c#|\.net)\b))|^breaking changes?(?=[a-z@])(?!logs?\b|d\b)|[[(]breaking[\])]|^(?:\[b\] )?breaking api\b`,
    { countsInChores: true },
  ),
  major('bc', String.raw`\bbc[ -]breaks?\b`),
  // A heading of changes to the API says nothing of what they are.
  major(
    'api change',
    String.raw`^api changes?: (?!(?:add|new|introduc|allow|expos|support|implement)\w{0,6}\b)(?=[^;]{0,160}(?:->|→|=>|\b(?:now|instead|no longer|must|not|was)\b|\b(?:renam|remov|replac|requir|chang|drop)\w{1,4}\b))`,
  ),
  major('compatible', String.raw`(?:\bnot|n't) ${words(2)}backwards?[ -]compatible\b`, {
    includesNegation: true,
    countsInChores: true,
  }),
  major('blindly', String.raw`(?:\bnot|n't) blindly (?:push|upgrade|update|deploy|install)\b`, {
    includesNegation: true,
  }),
  major('expect', String.raw`(?:\bnot|n't) expect (?:full |any )?(?:backwards?[ -])?compatib`, {
    includesNegation: true,
  }),
  major('compatible|drop-in', String.raw`(?:\bnot|n't) (?:be )?(?:compatible with|(?:an? )?drop-in)\b`, {
    includesNegation: true,
    notInBug: true,
  }),
  major('incompatib', String.raw`\bback(?:wards?)?[ _-]incompat`, { countsInChores: true }),
  major(
    'incompatib',
    String.raw`\bincompatible ${words(1)}changes?\b|^incompatible(?=[:,]| (?:api|interface)\b)|\bthese incompatibilities\b`,
    {
      notInBug: true,
    },
  ),
  major('compatibility', String.raw`\b(?:backwards? )?compatibility (?:is|was|has been|gets) broken\b`, {
    countsInChores: true,
  }),
  major('compatibility', String.raw`\b(?:breaks?|broke|breaking) (?:the )?(?:backwards?[ -])?compatibility\b`, {
    notInBug: true,
  }),
  major(
    'rewrite',
    String.raw`\b(?:this|the new) (?:version|release|update) is an? (?:full|complete|ground-up) rewrite\b`,
  ),
  major('breaking', String.raw`^breaking(?=[:;,]? (?:(?:changed|removed|renamed|dropped|the)\b|\uE000))`, {
    countsInChores: true,
  }),
];

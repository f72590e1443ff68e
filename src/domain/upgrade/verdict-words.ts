// The one scale of verdicts in words for people; `major`, `minor`, `none` and `unknown` stay the field of a release.
export const VERDICT_WORDS = {
  major: 'Breaks',
  minor: 'May break',
  none: 'No sign of a break',
  unknown: 'Not known',
} as const;

// Within a sentence or a column.
export function verdictWord(breaking: keyof typeof VERDICT_WORDS): string {
  return VERDICT_WORDS[breaking].toLowerCase();
}

// The same scale where an upgrade was judged by notes and packages together.
export const JUDGEMENT_WORDS = {
  breaks: VERDICT_WORDS.major,
  may_break: VERDICT_WORDS.minor,
  not_known: VERDICT_WORDS.unknown,
  no_sign: VERDICT_WORDS.none,
} as const;

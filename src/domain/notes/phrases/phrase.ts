// What a phrase of evidence is: a pattern, the level of evidence that it gives, and the conditions under which it counts.
export type Phrase = {
  // The pattern is only tried on sentences that contain one of these.
  keys: readonly string[];
  pattern: RegExp;
  // `doubt` is no evidence of a breaking change, but prevents a release from being called safe.
  level: 'major' | 'minor' | 'doubt';
  // The phrase is a negation itself, so that a negation before it does not cancel it.
  includesNegation?: boolean;
  // Does not count in a bug fix, which describes what was wrong.
  notInBug?: boolean;
  // Counts in a chore too, because nobody writes it about internals.
  countsInChores?: boolean;
  // Does not count where something new is described.
  notInFeature?: boolean;
  // The words before it have to name a part of the interface.
  needsSubject?: boolean;
  // A code span or a name of the interface has to precede it.
  needsCode?: boolean;
  aboutDeprecation?: boolean;
  // Counts in the first sentence only, because further ones explain how a thing works.
  firstSentenceOnly?: boolean;
};

// Up to `most` words that do not end a sentence. Every part is bounded, so that the search is linear.
export const words = (most: number) => String.raw`(?:[^\s;,]{1,30}(?<![.!?]) ){0,${most}}?`;

// Makes a phrase of its keys, the source of its pattern and its conditions.
const phraseOf =
  (level: Phrase['level']) =>
  (keys: string, source: string, conditions: Partial<Phrase> = {}): Phrase => ({
    keys: keys.split('|'),
    pattern: new RegExp(source, 'g'),
    level,
    ...conditions,
  });
export const major = phraseOf('major');
export const minor = phraseOf('minor');
export const doubt = phraseOf('doubt');

export const PLATFORM = String.raw`(?:node(?:\.?js)?|python|php|ruby|java|jdk|scala|kotlin|golang|go|rust|elixir|erlang|swift|dart|flutter|xcode|ios|ipados|macos|android|windows|ubuntu|debian|centos|rhel|alpine|openssl|glibc|postgres(?:ql)?|mysql|mariadb|redis|react|vue|angular|svelte|django|rails|laravel|symfony|spring|typescript|webpack|terraform|kubernetes|safari|chrome|firefox|ie|internet explorer|\.net(?: core)?)`;

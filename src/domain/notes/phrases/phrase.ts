export type Phrase = {
  // Without one of these in the sentence the pattern is not tried.
  keys: readonly string[];
  pattern: RegExp;
  // `doubt` is no evidence: it keeps a release from being called safe.
  level: 'major' | 'minor' | 'doubt';
  // The phrase holds its own negation.
  stands?: boolean;
  // Does not count inside a bug entry.
  notInBug?: boolean;
  // Counts in a chore too: nobody writes it about internals.
  strong?: boolean;
  // Does not count where something new is described.
  notInFeature?: boolean;
  // The words before must name something of the interface.
  needsSubject?: boolean;
  // A code span or a name of the interface must stand before.
  needsCode?: boolean;
  aboutDeprecation?: boolean;
  // Counts in the first sentence alone: further ones explain how a thing works.
  opening?: boolean;
};

// Up to `most` words that do not end a sentence; every part is bounded, so a text costs a fixed number of passes.
export const words = (most: number) => String.raw`(?:[^\s;,]{1,30}(?<![.!?]) ){0,${most}}?`;

// A phrase of each level, from its keys, the source of its pattern and its conditions.
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

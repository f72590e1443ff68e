// Sentences that begin with remove, delete or drop: whether users lose a part of the interface.
import { isInInternalPart, isInternalWork } from './internal-work.ts';
import { type LeadingWord, leadingWord } from './verbs.ts';

const REMOVAL = /^(?:remov(?:e[sd]?|ing|al)|delet(?:e[sd]?|ing)|drop(?:s|ped|ping)?)$/;
// Where the object of a verb ends.
const OBJECT_END =
  /[,;:.] | \(| [-–—] |\b(?:from|in|for|when|that|which|on|to|with|because|as|so|by|during|via|inside|within|after|if|where|since|now|between|due|until|before|upon|while)\b| and (?:add|fix|use|chang|updat|replac|improv|mak|refactor|minor|handl|simplif|clean|set|move|rename|instead|rewrit)\w*\b/;
const NOUNS =
  'options?|flags?|apis?|endpoints?|methods?|functions?|class(?:es)?|fields?|param(?:eter)?s?|arguments?|commands?|config(?:uration)?s?|settings?|support|plugins?|exports?|prop(?:s|erty|erties)?|hooks?|attributes?|themes?|modules?|components?|modes?|dialects?|integrations?|rules?|directives?|mixins?|adapters?|drivers?|events?|alias(?:es)?|bindings?|presets?|blueprints?|elements?|features?|interfaces?|entry ?points?|callbacks?|getters?|setters?|middlewares?|engines?|loaders?|builtins?|shorthands?|signatures?';
// A noun of the interface counts only as the head of its phrase: "option", not "option parsing".
const HEAD = new RegExp(`(?<![\\w-])(?:${NOUNS})(?![\\w-])(?= ?$| ?[,("'\uE000]| (?:and|or|&)\\b)`);
const NAMED = /\uE000|\w\(\)|\w::\w|(?<!\S)--[a-z]/;
// What was deprecated before it was removed was part of the interface.
const DEPRECATED = /^(?:the |all |some |our )?(?:now |long |previously |already )?(?:deprecated|legacy) \S/;
// Parts of other projects, which this one no longer uses.
const FOREIGN =
  /^(?:the |all |some |our )?(?:deprecated |legacy |old )?(?:jquery|node(?:\.?js)?|react|vue|angular|ember|babel|webpack|grunt|gulp|lodash|browser|dom|eslint|typescript|npm|python|java|ruby|php|android|ios|v8)\b/;
// Published packages and builds: users may miss what is gone from there.
const DELIVERED =
  /\b(?:from|in) (?:the |our |its )?(?:published )?(?:npm (?:package|releases?|tarball)|package\.json|bower\.json|builds?|bundles?|dist)\b|^ *(?:the )?bower\b/;
// Removed things that no user depends on.
const UNMISSED =
  /\b(?:unused|unneeded|unneed|un-needed|unnecess?ary|not needed|needless|no-longer-needed|redundant|duplicate[ds]?|dead|internals?|stray|leftovers?|superfluous|useless|moot|erroneous|accidental|unreachable|unmatchable|invalid|broken|wrong|incorrect|obsolete|temporary|random|orphaned|stale|non-standard|uses? of|usages? of|references? to|mentions? of|calls? to|need (?:for|to)|running of|hard ?coding of)\b/;
// Heads of an object that never was a part of the interface.
const INNER_HEAD =
  /(?<![\w-])(?:usages?|uses?|imports?|requires?|references?|mentions?|calls?|checks?|guards?|workarounds?|hacks?|polyfills?|examples?|prefix(?:es)?|debug(?:ging)?|logs?|logging|comments?|dependenc(?:y|ies)|deps?|libs?|limitations?|commas?|cruft|mistakes?|files?|folders?|director(?:y|ies)|scripts?|warnings?|errors?|messages?|spaces?|padding|margins?|lines?|tokens?|listeners?|typings|declarations?|annotations?|hard ?coding|limits?|requirements?|restrictions?|leaks?|vulnerabilit(?:y|ies)|headers?|icons?|styles?|css|artifacts|links?|reassignments?|recursion|handlers?|overrides|internals?|code|headings?|configurations|generics|variables?)(?: ?$| \uE000| and\b)/;

// "Remove the listener when …" describes what the software does at run time.
const AT_RUN_TIME =
  /\b(?:when|if|once|whenever|upon|before|after|on (?:blur|close|redirect|exit|error|destroy|unmount|click|(?:mobile|touch|small|older) \w{1,12}))(?= |$|[.,])/;
// A preset without a rule allows more than before.
const RELAXED = /\bfrom (?:the |all )?(?:[\w-]{1,20}[ /]){0,2}(?:recommended|presets?|configs?)\b/;

// The object of the verb: the words up to the next preposition.
function removedObject(sentence: string, verb: LeadingWord): string {
  const rest = sentence.slice(verb.start + verb.word.length, verb.start + 300);
  const end = rest.search(OBJECT_END);
  return (end === -1 ? rest : rest.slice(0, end)).trim().replace(/[.!:]+$/, '');
}

type RemovalReading = 'interface' | 'perhaps' | 'nothing';

// Whether the sentence takes a part of the interface away; `inner` is true for entries about the project's own code.
export function readRemoval(sentence: string, verb: LeadingWord, inner = false): RemovalReading {
  if (!REMOVAL.test(verb.word) || /\bonly\b/.test(sentence.slice(0, verb.start))) return 'nothing';
  const object = removedObject(sentence, verb);
  const rest = sentence.slice(verb.start + verb.word.length, verb.start + 300);
  if (object === '' || isLeftover(object)) return 'nothing';
  if (isInternalWork(rest)) return isDelivered(object, rest) ? 'perhaps' : 'nothing';
  if (AT_RUN_TIME.test(rest) && !/\bsupport\b/.test(object)) return 'perhaps';
  if (RELAXED.test(rest)) return 'perhaps';
  if (FOREIGN.test(object) && !/\bsupport\b/.test(object)) return 'perhaps';
  if (HEAD.test(object) || DEPRECATED.test(object)) return 'interface';
  // In a refactoring, a bare name may be one of the project's own code.
  if (NAMED.test(object)) return inner ? 'perhaps' : 'interface';
  return 'perhaps';
}

// Internal work that users may notice all the same: "the debug option" is an option, and files may leave the package.
function isDelivered(object: string, rest: string): boolean {
  return DELIVERED.test(rest) || (HEAD.test(object) && !isInInternalPart(rest));
}

export function isLeftover(object: string): boolean {
  return UNMISSED.test(object) || INNER_HEAD.test(object);
}

// Whether an entry in a section of removals takes nothing away from users: "Removed unused icons", "Remove test for …".
export function isUnmissedRemoval(marked: string): boolean {
  const sentence = marked.toLowerCase();
  const verb = leadingWord(sentence);
  return verb !== null && REMOVAL.test(verb.word) && readRemoval(sentence, verb) === 'nothing';
}

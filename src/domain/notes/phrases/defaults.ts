import { major, type Phrase, words } from './phrase.ts';

// Phrases for a changed default: what users did not configure is different now.
export const DEFAULTS: readonly Phrase[] = [
  major(
    'default',
    String.raw`\b(?=now)(?<!\bcan )now defaults? to\b|\bdefaults? to [^.;]{1,40}(?<!\bfor) now(?=[.,;]|$)`,
  ),
  major(
    'default',
    String.raw`(?<!\bby )\bdefaults? ${words(6)}(?<!\bnot )changed\b|\b(?=change)(?<!\b(?:to|can|could|may|and|or|you|ability|possible|option|experimental) )change[sd]? (?:the )?(?:(?!by |to )\w{1,20} )?defaults?\b(?! (?:\w{1,20} ){0,3}(?:messages?|wording|texts?|placeholders?)(?=$|[.,;]| (?:(?:to|for|in|of|when|on)\b|\()))|\bdefaults? ${words(2)}\S{1,30}(?<!\)) (?:->|→|=>) \S`,
  ),
  major(
    'default',
    String.raw`\bdefaults? ${words(5)}(?:has been|have been|was|were|is now|are now) (?:increased|raised|lowered|reduced|decreased|bumped|shortened|extended) (?:from \S{1,30} )?to\b`,
    { notInBug: true },
  ),
  major('by default', String.raw`\b(?:is|are) now (?:\w{1,20} )?[^.;]{0,60}?\bby default\b|\bby default now\b`, {
    notInBug: true,
    notInFeature: true,
  }),
  // Without "now", a later sentence explains how something new works.
  major(
    'by default',
    String.raw`\b(?=is |are )(?<!\b(?:it|they|this|these|which|that|(?:these|those|both|new) \w{1,20}) )(?:is|are) (?:true|false|on|off|enabled|disabled|verified|restricted|refused|blocked|strict) [^.;]{0,60}?\bby default\b`,
    { notInBug: true, notInFeature: true, firstSentenceOnly: true },
  ),
  major('defaulting', String.raw`\bdefaulting ${words(4)}to ${words(3)}\S{1,30},? (?:and )?not\b`, {
    countsInChores: true,
  }),
  major(
    'default',
    String.raw`^default(?:s|ed)? (?:the )?\uE000\uE001(?: \w{1,20}){0,2} to\b(?![^.;]{0,60}\b(?:if|when|in case) (?:it |they )?(?:is |are |isn't |aren't )?(?:missing|not|absent|undefined|null|empty|un\w{2,10})\b)`,
    {
      notInBug: true,
    },
  ),
  major(
    'by default',
    String.raw`^(?:\[[^\]]{1,40}\] |[^\s:]{1,40}: )?(?:enabl|disabl|turn|switch|us|set|show|hid|generat|includ|exclud|remov|send|requir|verif|updat|chang|mak|made|strip|stop|don't|do not|no longer|preserv)(?:e|es|ed|s|ing|y|ies|ied)? (?:(?!\b(?:options?|flags?|settings?|parameters?|can|if|when|rules?|warnings?|logs?|messages?|to enable|to make|that|which)\b).){2,90}\bby default\b`,
    { notInBug: true },
  ),
  major(
    'by default',
    String.raw`\bnow (?:us(?:es?|ing)|sets?|sends?|shows?|outputs?|returns?|enabled|disabled)\b(?![^.;]{0,80}\b(?:can|if|when)\b)[^.;]{0,80}\bby default\b`,
    { notInBug: true, notInFeature: true },
  ),
  major('default', String.raw`\bdefaults? to\b[^.;]{1,40}\b(?:instead of|rather than)\b`, {
    notInBug: true,
    notInFeature: true,
  }),
  major(
    'default',
    String.raw`\bdefaults? ${words(8)}(?:is|are) now (?:set )?(?:to )?(?:\uE000|["'\d]|(?:true|false|null|on|off|enabled|disabled|none)\b)|\bdefault ${words(2)}was [^.;]{1,30} (?:and |but )?(?:is )?now\b`,
    { notInBug: true, notInFeature: true },
  ),
  major(
    'by default',
    String.raw`^by default,? (?:\S{1,40} ){1,8}?(?:now|no longer|will no longer)\b(?! (?:fail|crash|throw|break|hang|caus|leak)\w{0,3}\b)`,
    { includesNegation: true },
  ),
  major(
    'by default',
    String.raw`\bno longer (?!fail|crash|throw|break|hang|caus|leak)\S{2,20} [^.;]{1,60}\bby default\b`,
    {
      includesNegation: true,
      notInBug: true,
    },
  ),
  major('as the default|default', String.raw`\bas the default\b[^.;]{0,60}\binstead of\b`, {
    notInBug: true,
    notInFeature: true,
  }),
];

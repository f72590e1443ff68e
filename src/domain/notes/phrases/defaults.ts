import { major, type Phrase, words } from './phrase.ts';

// Phrases for a changed default: what users did not configure is different now.
export const DEFAULTS: readonly Phrase[] = [
  major('default', String.raw`\bnow defaults? to\b`),
  major(
    'default',
    String.raw`(?<!\bby )\bdefaults? ${words(6)}changed\b|\bchange[sd]? (?:the )?(?:(?!by )\w{1,20} )?defaults?\b|\bdefaults? ${words(2)}\S{1,30} (?:->|→|=>) \S`,
  ),
  major(
    'by default',
    String.raw`\b(?:is|are) (?:now (?:\w{1,20} )?|(?:true|false|on|off|enabled|disabled|verified|restricted|refused|blocked|strict) )[^.;]{0,60}?\bby default\b|\bby default now\b`,
    { notInBug: true, notInFeature: true },
  ),
  major('defaulting', String.raw`\bdefaulting ${words(4)}to ${words(3)}\S{1,30},? (?:and )?not\b`, {
    countsInChores: true,
  }),
  major('default', String.raw`^default(?:s|ed)? (?:the )?\uE000\uE001(?: \w{1,20}){0,2} to\b`, {
    notInBug: true,
  }),
  major(
    'by default',
    String.raw`^(?:[^\s:]{1,40}: )?(?:enabl|disabl|turn|switch|us|set|show|hid|generat|includ|exclud|remov|send|requir|verif|updat)(?:e|es|ed|s|ing|y|ies|ied)? (?:(?!\b(?:options?|flags?|settings?|parameters?|can|if|when|rules?|to enable|to make|that|which)\b).){2,90}\bby default\b`,
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
  major('as the default|default', String.raw`\bas the default\b[^.;]{0,60}\binstead of\b`, {
    notInBug: true,
    notInFeature: true,
  }),
];

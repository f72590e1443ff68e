import { type Phrase, phrase, words } from './phrase.ts';

// What users may want to look at.
export const SOFTER: readonly Phrase[] = [
  phrase('deprecat', 'minor', String.raw`\bdeprecat`, { aboutDeprecation: true }),
  phrase('behavio', 'minor', String.raw`\bbehaviou?r(?:al)? changes?\b|\bchanges? (?:in|of|to) (?:the )?behaviou?r\b`),
  phrase('renamed', 'minor', String.raw`\b(?:was|were|been|is now|are now) renamed\b`, { needsCode: true }),
  phrase('affect', 'minor', String.raw`\bmay ${words(1)}affect\b`),
  phrase('break', 'minor', String.raw`\b(?:could|may|might) (?:\w{1,20} )?break\b`, { notInBug: true }),
  phrase(
    'change',
    'minor',
    String.raw`\b(?:could|may|might) ${words(2)}change\b|\busers will (?:experience|see|lose|notice)\b|\bchanges? that affects? ${words(3)}users\b`,
    {
      notInBug: true,
      notInFeature: true,
    },
  ),
  phrase(
    'renam',
    'minor',
    String.raw`\b(?:method|option|function|prop|param|parameter|argument|event|class|command|flag|hook|charset|setting)s? renamed\b`,
    {},
  ),
  phrase('change', 'minor', String.raw`^change[sd]? (?:the )?\uE000\uE001 to \uE000`, { notInBug: true }),
  phrase('now', 'minor', String.raw`\uE001 (?:[a-z]{1,20} ){0,2}(?:is|are) now \uE000`, {
    notInBug: true,
    notInFeature: true,
  }),
  phrase(
    'moved|moves|move|moving',
    'minor',
    String.raw`^mov(?:e[sd]?|ing) (?:the )?\uE000\uE001 ${words(4)}(?:to|into|under)\b`,
    { notInBug: true },
  ),
];

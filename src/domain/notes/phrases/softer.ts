import { minor, type Phrase, words } from './phrase.ts';

// Phrases for smaller changes, which users may want to look at.
export const SOFTER: readonly Phrase[] = [
  minor('deprecat', String.raw`\bdeprecat`, { aboutDeprecation: true }),
  minor('behavio', String.raw`\bbehaviou?r(?:al)? changes?\b|\bchanges? (?:in|of|to) (?:the )?behaviou?r\b`),
  minor('renamed', String.raw`\b(?:was|were|been|is now|are now) renamed\b`, { needsCode: true }),
  minor('affect', String.raw`\bmay ${words(1)}affect\b`),
  minor('break', String.raw`\b(?:could|may|might) (?:\w{1,20} )?break\b`, { notInBug: true }),
  minor(
    'change',
    String.raw`\b(?:could|may|might) ${words(2)}change\b|\busers will (?:experience|see|lose|notice)\b|\bchanges? that affects? ${words(3)}users\b`,
    {
      notInBug: true,
      notInFeature: true,
    },
  ),
  minor(
    'renam',
    String.raw`\b(?:method|option|function|prop|param|parameter|argument|event|class|command|flag|hook|charset|setting)s? renamed\b`,
    {},
  ),
  minor('change', String.raw`^change[sd]? (?:the )?\uE000\uE001 to \uE000`, { notInBug: true }),
  minor('now', String.raw`\uE001 (?:[a-z]{1,20} ){0,2}(?:is|are) now \uE000`, {
    notInBug: true,
    notInFeature: true,
  }),
  minor(
    'moved|moves|move|moving',
    String.raw`^mov(?:e[sd]?|ing) (?:the )?\uE000\uE001 ${words(4)}(?:to|into|under)\b`,
    { notInBug: true },
  ),
];

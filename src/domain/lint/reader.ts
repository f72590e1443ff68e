// What readers will be told of a release: verdict, title and steps.
import { deriveNotes } from '../notes/index.ts';
import { compareVersionKeys, flagsPrerelease, versionStep } from '../versions/index.ts';
import { type LintFinding, lintFinding } from './finding.ts';
import type { LintedFile, LintSection } from './sections.ts';

const VERDICTS = {
  major: 'breaks something',
  minor: 'breaks something small',
  none: 'breaks nothing',
  unknown: 'does not say whether it breaks something',
};

export function readerNotes(file: LintedFile, release: LintSection | null, packageName: string | null): LintFinding[] {
  if (release === null) return [];
  const { version, line, body, heading, parsed } = release;
  if (body.trim() === '') {
    return [
      lintFinding(
        'silent-entry',
        { line, version },
        {
          sentence: `The section of ${version} is empty.`,
          advice: 'Say what changed, even if nothing changed for users.',
        },
      ),
    ];
  }
  const below = file.sections
    .filter((one) => compareVersionKeys(one.key, release.key) < 0 && !flagsPrerelease(one.parsed))
    .reduce<LintSection | null>((most, one) => (most && compareVersionKeys(most.key, one.key) >= 0 ? most : one), null);
  const names = packageName === null ? [] : [packageName];
  const notes = deriveNotes({
    title: heading,
    content: body,
    version,
    versionNumbers: parsed.numbers,
    step: versionStep(parsed, below?.parsed ?? null),
    prerelease: flagsPrerelease(parsed),
    type: 'feature',
    origin: 'changelog',
    names,
    displayName: packageName ?? '',
  });
  const title = notes.titleShort ?? notes.titleGenerated;
  const steps = notes.upgradeSteps ?? [];
  return [
    lintFinding(
      'reader',
      { line, version },
      {
        sentence: `${version}: ${VERDICTS[notes.breaking]}${title ? `, "${title.trim()}"` : ''}${steps.length > 0 ? `, ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}` : ''}.`,
        evidence: steps.slice(0, 10),
        advice: 'Readers are told this. If it is wrong, say it more plainly in the entry.',
      },
    ),
  ];
}

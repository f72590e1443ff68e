// Flags for what a release means, the same in every command that has them.
import { MIN_BREAKING } from '../../domain/meaning/passes-meaning.ts';
import { choiceFlag, countFlag, type Flag, type FlagValues } from '../command.ts';

export const MEANING_FLAGS = {
  'min-breaking': { type: 'string', choices: MIN_BREAKING, help: 'only minor and major breaks, or only major ones' },
  'min-importance': { type: 'string', value: '1-5', help: 'only of this importance and above' },
} satisfies Record<string, Flag>;

// Beside them stands `security`, whose words differ.
export function meaningOf(flags: FlagValues) {
  return {
    minBreaking: choiceFlag(flags, 'min-breaking', MIN_BREAKING),
    minImportance: countFlag(flags, 'min-importance', { most: 5 }),
    security: flags.security === true ? true : undefined,
  };
}

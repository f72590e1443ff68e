// The filter flags of every release list, and their translation to query parameters.
import { type Flag, type FlagValues, textFlag } from '../command.ts';

export const FEED_FLAGS = {
  since: { type: 'string', value: 'date', help: 'published since then: 30d, 6m or 2026-01-31' },
  until: { type: 'string', value: 'date', help: 'published up to then' },
  prereleases: { type: 'boolean', help: 'also pre-releases' },
} as const satisfies Record<string, Flag>;

export const WORDS_FLAG = { type: 'string', value: 'words', help: 'only with these words' } as const satisfies Flag;

export type FeedFlagQuery = {
  since: string | undefined;
  until: string | undefined;
  include_prereleases: true | undefined;
};

export function feedQuery(flags: FlagValues): FeedFlagQuery {
  return {
    since: textFlag(flags, 'since'),
    until: textFlag(flags, 'until'),
    include_prereleases: flags.prereleases === true ? true : undefined,
  };
}

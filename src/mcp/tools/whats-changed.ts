import { z } from 'zod';
import {
  MOST_QUERY_CHARACTERS,
  UPGRADE_ECOSYSTEMS,
  type UpgradeEntry,
  type WhatsChanged,
  whatsChangedAnswer,
} from '../../contract/whats-changed.ts';
import { type Cut, excerptCut, listCut } from '../budget.ts';
import { fitResult } from '../result.ts';
import { COMPLETE, type Truncation } from '../shapes.ts';
import { type Arguments, tool } from '../tool.ts';
import { excerptUpgrade, upgradeText } from '../upgrade-result.ts';

const requested = z.string().trim().min(1).max(MOST_QUERY_CHARACTERS);

export const whatsChanged = tool({
  name: 'whats_changed',
  title: 'What changed between two versions',
  description:
    'All releases of a package after `from` up to `to`, oldest first, with a verdict on breaking changes and migration notes. The tool to use before an upgrade. status `unknown` is a normal answer that says why and what to try; history.complete false means that releases of the range may be missing.',
  input: {
    package: requested.describe(
      'Name of the package, owner/repo of a GitHub repository, or a source: slug or src_ id.',
    ),
    from: requested.describe('Version in use, or a range such as ^1.2.0. It is not part of the answer.'),
    to: requested.describe('Version to go to, or latest.'),
    ecosystem: z.enum(UPGRADE_ECOSYSTEMS).optional().describe('Where the package is published.'),
    breaking_only: z.boolean().optional().describe('true: only releases with a minor or major break.'),
    include_prereleases: z.boolean().optional().describe('true: also pre-releases.'),
  },
  output: whatsChangedAnswer.shape,
  async run({ api, maxTokens, given }, { breaking_only: breakingOnly = false, ...question }) {
    const answer = await api.get('/whats-changed', { query: { ...question, tokens: maxTokens } });
    const entries = breakingOnly ? answer.entries.filter(isBreak) : answer.entries;
    const whole = { ...answer, entries, count: entries.length };
    const cuts: Cut<WhatsChanged>[] = [
      oldestCut(whole),
      excerptCut(excerptUpgrade),
      listCut('packages'),
      listCut('suggestions'),
      listCut('candidates'),
    ];
    return fitResult<WhatsChanged>(
      {
        value: whole,
        cuts,
        text: (value) => upgradeText(value, breakingOnly),
        truncation: (value, cut) => truncationOf(value, cut, given),
      },
      maxTokens,
    );
  },
});

function isBreak({ breaking }: UpgradeEntry): boolean {
  return breaking === 'major' || breaking === 'minor';
}

// The newest entries are kept, as in the API. Entries of one version go together: a later call begins between versions.
function oldestCut(whole: WhatsChanged): Cut<WhatsChanged> {
  const { entries } = whole;
  const starts = entries.flatMap((entry, index) =>
    index > 0 && entry.version !== null && entry.version !== entries[index - 1]?.version ? [index] : [],
  );
  return {
    most: () => starts.length,
    apply: (value, steps) => {
      const start = starts[steps - 1];
      if (start === undefined) return value;
      const older = entries[start - 1]?.version;
      return {
        ...value,
        entries: entries.slice(start),
        count: entries.length - start,
        truncated: true,
        omitted: (whole.omitted ?? 0) + start,
        ...(older ? { continue: { ...whole.continue, from: whole.from, to: older } } : {}),
      };
    },
  };
}

function truncationOf(
  { truncated, omitted, continue: rest }: WhatsChanged,
  cut: boolean,
  given: Arguments,
): Truncation {
  if (!cut && !truncated) return COMPLETE;
  return {
    truncated: true,
    reason: 'token_budget',
    omitted: omitted ?? 0,
    next: rest === undefined ? null : { ...given, ...rest },
  };
}

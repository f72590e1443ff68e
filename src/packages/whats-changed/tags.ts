// Bounds that are tags of the package at its registry (`next`, `beta`). Where a current listing is known they come before
// names of versions, and one that does not exist is told with those that do.

import { type Context, queries } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { factsOfEcosystem } from '../../domain/ecosystems/index.ts';
import { packageKey } from '../../domain/published-package.ts';
import { elementAt } from '../../domain/records.ts';
import { readBound } from '../../domain/upgrade/bounds.ts';
import { couldBeTag, type DistTags, distTagWords, taggedVersion } from '../../domain/upgrade/dist-tags.ts';
import { isListingCurrent } from '../../domain/upgrade/published.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import { isLatest, readAskedRange } from '../../domain/upgrade/version-range.ts';
import { parseJson } from '../../store/json-text.ts';
import { visiblePackages } from './listings.ts';
import type { Question } from './questions.ts';

// The questions with versions in place of tags; `names` are their packages.
export async function withTaggedVersions<T extends Question>(
  ctx: Context,
  questions: readonly T[],
  names: readonly (PackageName | null)[],
): Promise<T[]> {
  const asked = questions.map(({ requested: { from, to } }, slot) => {
    const name = names[slot];
    return name && factsOfEcosystem(name.ecosystem).hasTags && (isWord(from) || (isWord(to) && !isLatest(to)))
      ? name
      : null;
  });
  const known = await readTags(
    ctx,
    asked.flatMap((name) => name ?? []),
  );
  return questions.map((question, slot) => {
    const name = elementAt(asked, slot);
    const tags = name && known.get(packageKey(name));
    if (!tags) return question;
    const { from, to } = question.requested;
    const upper = isLatest(to) ? null : taggedVersion(tags, to);
    return {
      ...question,
      tags,
      requested: { ...question.requested, from: taggedVersion(tags, from) ?? from, to: upper ?? to },
    };
  });
}

function isWord(text: string): boolean {
  return couldBeTag(text) && readAskedRange(text) === null;
}

async function readTags(ctx: Context, names: readonly PackageName[]): Promise<Map<string, DistTags>> {
  const seen = names.length === 0 ? [] : await visiblePackages(ctx, names);
  if (seen.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('package_states')
    .select(['id', 'listed_at', 'dist_tags'])
    .where('id', 'in', [...new Set(seen.map(packageKey))])
    .execute();
  return new Map(
    rows.flatMap(({ id, listed_at, dist_tags }) => {
      const isKnown = dist_tags !== null && isListingCurrent(listed_at, ctx.clock());
      return isKnown ? [[id, parseJson(dist_tags)] as const] : [];
    }),
  );
}

interface UnknownBound {
  parameter: 'from' | 'to';
  text: string;
  problem: string;
  tags?: DistTags;
}

export function unknownVersion({ parameter, text, problem, tags = {} }: UnknownBound): ApiError {
  const words = distTagWords(tags);
  const message = `${parameter}: "${text}" ${problem}${words === '' ? '' : `; the package has the tags ${words}`}`;
  return new ApiError('bad_request', message, { parameter, reason: 'unknown_version' });
}

// What is wrong with the bounds of a package of which nothing is stored; null where its tags are not known.
export function unknownTag({ requested, tags }: Question): ApiError | null {
  if (!tags) return null;
  const problem = 'is neither a readable version nor a tag';
  for (const parameter of ['from', 'to'] as const) {
    const text = requested[parameter];
    const isKnown = !isWord(text) || (parameter === 'to' && isLatest(text)) || readBound(text).key !== null;
    if (!isKnown) return unknownVersion({ parameter, text, problem, tags });
  }
  return null;
}

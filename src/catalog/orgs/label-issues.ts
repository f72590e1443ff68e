// What is wrong with the labels in a body that the registry alone knows: unknown categories, tags without a name.
import type { Context } from '../../context.ts';
import type { Issue } from '../../contract/errors.ts';
import { isRecord } from '../../domain/records.ts';
import { findCategory, UNKNOWN_CATEGORY } from './category.ts';
import { tagNameIssues } from './entity-tags.ts';

/** The body as it was sent: what is of the wrong type is the matter of its schema. */
export async function labelIssues(ctx: Context, body: unknown): Promise<Issue[]> {
  const { category, tags } = isRecord(body) ? body : {};
  const isUnknown = typeof category === 'string' && (await findCategory(ctx, category)) === null;
  const names = Array.isArray(tags) ? tags.map((name) => (typeof name === 'string' ? name : 'of another type')) : [];
  return [...(isUnknown ? [UNKNOWN_CATEGORY] : []), ...tagNameIssues(names)];
}

// The result of a deletion, and the check for a hard one.
import type { Context } from '../context.ts';
import { holdsScope } from '../contract/caller.ts';
import { ApiError, badRequest } from '../contract/errors.ts';
import { type IdPrefix, idPrefixOf } from '../domain/ids.ts';

export type Deletion = { deleted: true; deletedAt: string } | { deleted: true; hard: true };

// A hard deletion cannot be undone, so it needs the highest scope and an id; a slug may have belonged to another entity
// before.
export function requireHardDeletion(ctx: Context, target: { prefix: IdPrefix; value: string }): void {
  if (!holdsScope(ctx.caller, 'admin')) {
    throw new ApiError('insufficient_scope', 'deleting for good needs the scope admin', { required: 'admin' });
  }
  if (idPrefixOf(target.value) !== target.prefix)
    throw badRequest('hard', `takes the ${target.prefix}_ id, not a slug`);
}

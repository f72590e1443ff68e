import { type Context, transact } from '../../context.ts';
import { factsOf, SOURCE_TYPES } from '../../domain/source-types.ts';

const WITH_MODEL = SOURCE_TYPES.filter((type) => factsOf(type).needsModel);

// After a start with a model: sources that waited for one are due at once.
export async function wakeAgents(ctx: Context): Promise<void> {
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .updateTable('sources')
        .set({ next_fetch_after: null })
        .where('type', 'in', WITH_MODEL)
        .where('last_outcome', '=', 'model_not_configured')
        .where('next_fetch_after', 'is not', null)
        .execute(),
    'derived',
  );
}

// Counts the characters of changelogs that became no release, across all processes.
import type { WriteContext } from '../../context.ts';
import type { OutsideText } from '../../domain/changelog/types.ts';
import { addToCounter } from '../../store/counters.ts';

export const OUTSIDE_COUNTER = 'changelog_outside:';

// Called in the transaction that stores the releases, so that a text is counted once.
export async function countOutsideText(ctx: WriteContext, outside: Readonly<OutsideText>): Promise<void> {
  for (const [kind, characters] of Object.entries(outside)) {
    if (characters > 0) await addToCounter(ctx.tx, `${OUTSIDE_COUNTER}${kind}`, characters);
  }
}

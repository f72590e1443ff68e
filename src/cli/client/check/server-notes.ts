// The notes that a server has on the packages of a project, a hundred packages a call.
import type { NotesQuestion } from '../../../check/check-project.ts';
import type { AnsweredUpgrade } from '../../../domain/upgrade/report/answer.ts';
import type { Api } from '../api.ts';
import { serverApi } from '../upgrade/judge-changes.ts';

const BATCH = 100;

// In the order of the questions; null where the server tracks no such package.
export function serverNotes(api: Api): (items: readonly NotesQuestion[]) => Promise<(AnsweredUpgrade | null)[]> {
  const { batch } = serverApi(api);
  return async (items) => {
    const answers: (AnsweredUpgrade | null)[] = items.map(() => null);
    for (let start = 0; start < items.length; start += BATCH) {
      const { items: found } = await batch(items.slice(start, start + BATCH));
      for (const item of found) {
        const isTracked = !('error' in item) && item.status === 'resolved';
        if (isTracked) answers[start + item.index] = item;
      }
    }
    return answers;
  };
}

// The notes that a server has on the packages of a project, a hundred packages a call.
import type { NotesServer } from '../../../check/report.ts';
import type { WhatsChanged } from '../../../contract/whats-changed.ts';
import { elementAt } from '../../../domain/records.ts';
import { worthAsking } from '../../../domain/upgrade/report/ask-again.ts';
import type { Api } from '../api.ts';
import { serverApi } from '../upgrade/judge-changes.ts';

const BATCH = 100;

export function serverNotes(api: Api): NotesServer {
  const { batch, one } = serverApi(api);
  const ask: NotesServer['ask'] = async (items) => {
    const answers: (WhatsChanged | null)[] = items.map(() => null);
    for (let start = 0; start < items.length; start += BATCH) {
      const { items: found } = await batch(items.slice(start, start + BATCH));
      for (const item of found) {
        const isTracked = !('error' in item) && item.status === 'resolved';
        if (isTracked) answers[start + item.index] = item;
      }
    }
    for (const at of worthAsking(answers)) answers[at] = await one(elementAt(items, at));
    return answers;
  };
  return { server: api.server, ask };
}

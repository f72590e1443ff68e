// The notes that a server has on the packages of a project, a hundred packages a call.
import type { NotesServer } from '../../../check/report.ts';
import type { ReadingState } from '../../../contract/reading.ts';
import type { WhatsChanged } from '../../../contract/whats-changed.ts';
import { elementAt } from '../../../domain/records.ts';
import { worthAsking } from '../../../domain/upgrade/report/ask-again.ts';
import type { Session } from '../client-command.ts';
import { awaitReadings } from '../upgrade/await-reading.ts';
import { serverApi } from '../upgrade/judge-changes.ts';

const BATCH = 100;

export function serverNotes(session: Session): NotesServer {
  const { api } = session;
  const { batch, one } = serverApi(api);
  const ask: NotesServer['ask'] = async (items) => {
    const answers: (WhatsChanged | null)[] = items.map(() => null);
    const readings: (ReadingState | undefined)[] = items.map(() => undefined);
    const askSlots = async (slots: readonly number[]) => {
      for (let start = 0; start < slots.length; start += BATCH) {
        const part = slots.slice(start, start + BATCH);
        const { items: found } = await batch(part.map((slot) => elementAt(items, slot)));
        for (const item of found) {
          if ('error' in item) continue;
          const slot = elementAt(part, item.index);
          readings[slot] = item.reading;
          if (item.status === 'resolved') answers[slot] = item;
        }
      }
    };
    await askSlots(items.map((_, slot) => slot));
    const lacking = readings.flatMap((reading, slot) => (reading ? [slot] : []));
    if (await awaitReadings(session, readings)) await askSlots(lacking);
    for (const at of worthAsking(answers)) answers[at] = await one(elementAt(items, at));
    return answers;
  };
  return { server: api.server, ask };
}

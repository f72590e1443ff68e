// What questions lacked is read meanwhile: a tool waits for it, as long as an agent is patient.

import type { ReadingState } from '../contract/reading.ts';
import { hasEnded } from '../domain/readings/reading.ts';
import type { RegistryApi } from './registry-api.ts';

const PATIENCE_MS = 10_000;

export function isBeingRead(reading: ReadingState | undefined): reading is ReadingState & { id: string } {
  return reading?.id != null && !hasEnded(reading);
}

// True when there was something to wait for, so that the questions are worth asking once more.
export async function awaitReadings(
  api: RegistryApi,
  readings: readonly (ReadingState | undefined)[],
): Promise<boolean> {
  const open = readings.filter(isBeingRead);
  const until = performance.now() + PATIENCE_MS;
  for (const { id } of open) {
    for (;;) {
      const wait = Math.floor((until - performance.now()) / 1000);
      if (wait < 1) return true;
      if (hasEnded(await api.get('/readings/{id}', { params: { id }, query: { wait } }))) break;
    }
  }
  return open.length > 0;
}

// Everything that the worker does in its main thread. Webhooks have a thread of their own (`delivering.ts`).
import { createEmbeddingTasks } from './embedding.ts';
import { createFetching } from './fetching.ts';
import { MAINTENANCE } from './maintenance.ts';
import type { BackgroundTask } from './worker.ts';
import { WRITING } from './writing.ts';

export function backgroundTasks(): BackgroundTask[] {
  return [...MAINTENANCE, ...createFetching(), ...createEmbeddingTasks(), ...WRITING];
}

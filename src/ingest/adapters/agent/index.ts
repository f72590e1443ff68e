// Sources that only a model can read. The model chooses pages and copies; `check-entry.ts` decides what counts.
import type { SourceTypeDescriptor } from '../source-type.ts';

export const agent: SourceTypeDescriptor = {
  fetch: async (ctx, input) => (await import('./fetch-agent.ts')).fetchAgent(ctx, input),
  address: ({ url }) => url,
};

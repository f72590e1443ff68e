// Source type `agent`: pages that only a model can read. The model chooses pages and copies entries; `check-entry.ts`
// verifies them.
import type { SourceTypeDescriptor } from '../source-type.ts';

export const agent: SourceTypeDescriptor = {
  fetch: async (ctx, input) => (await import('./fetch-agent.ts')).fetchAgent(ctx, input),
  address: ({ url }) => url,
};

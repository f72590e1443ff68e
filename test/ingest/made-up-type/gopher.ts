// The folder of a made-up source type: a listing of lines, `<version> <title>`, at any URL that ends in `.gopher`. It
// takes the place of `src/ingest/adapters/gopher/index.ts`.

import { adapterResult } from '../../../src/ingest/adapters/contract.ts';
import { nothingFound } from '../../../src/ingest/adapters/findings.ts';
import { readableAnswer } from '../../../src/ingest/adapters/outcomes.ts';
import type { SourceTypeDescriptor } from '../../../src/ingest/adapters/source-type.ts';

export const gopher: SourceTypeDescriptor = {
  async fetch(ctx, { source }) {
    const answer = readableAnswer(await ctx.fetch({ url: source.url }), ctx.now);
    if ('outcome' in answer) return adapterResult(ctx, answer);
    const lines = new TextDecoder().decode(answer.body).trim().split('\n');
    const items = lines.map((line) => {
      const [version = '', title = ''] = line.split(' ');
      const url = `${source.url}#${version}`;
      const rest = {
        guid: null,
        publishedAt: null,
        datePrecision: null,
        dateFromUpdated: false,
        categories: [],
        links: [],
      };
      return { ...rest, title, content: `- ${title}`, version, url, origin: 'page' as const, confidence: 1 };
    });
    return adapterResult(ctx, { outcome: 'success', items, complete: true, httpStatus: answer.status });
  },
  address: ({ url }) => url,
  evaluation: {
    recognizes: (url) => url.endsWith('.gopher'),
    async evaluate({ fetch }, url) {
      const answer = await fetch({ url });
      if (!answer.ok) return { verdict: 'unreachable', reason: 'unreachable' };
      const option = { method: 'gopher' as never, url, reason: 'gopher listing', name: 'Gopher', items: [] };
      return { ...nothingFound(url), options: [{ ...option, confidence: 'high' }] };
    },
  },
  creation: ({ finalUrl }) => ({ metadata: { burrow: finalUrl } }),
};

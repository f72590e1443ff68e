import { decodeText } from '../../../domain/html/decode.ts';
import type { AdapterContext } from '../contract.ts';
import { type Failure, fetchFailureOf } from '../outcomes.ts';

const RENDER_MS = 60_000;

// The page as a browser shows it. The renderer is asked with `?url=` and answers with HTML.
export async function renderPage(
  ctx: AdapterContext,
  url: string,
): Promise<{ kind: 'html'; html: string } | { kind: 'failure'; failure: Failure }> {
  const renderer = new URL(ctx.settings.rendererUrl ?? '');
  renderer.searchParams.set('url', url);
  const answer = await ctx.fetch({
    url: renderer,
    limits: { firstByteMs: RENDER_MS, totalMs: RENDER_MS },
    retry: false,
  });
  const failure = fetchFailureOf(answer, ctx.now);
  // A fault of our own renderer is none of the source.
  if (failure)
    return { kind: 'failure', failure: { ...failure, outcome: 'error', detail: `renderer: ${failure.detail}` } };
  const html = answer.ok ? decodeText(answer.body, { contentType: answer.headers['content-type'] }) : '';
  return { kind: 'html', html };
}

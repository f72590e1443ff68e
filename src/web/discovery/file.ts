// A route for a file at a fixed, well-known path.
import type { Context } from '../../context.ts';
import { Reply } from '../../http/kernel/reply.ts';
import { type RouteDeclaration, route } from '../../http/kernel/route.ts';

interface FixedFile {
  path: string;
  summary: string;
  type: string;
  maxAge: number;
  text(ctx: Context, params: Record<string, string>): Promise<string> | string;
}

export function fixedFile({ path, summary, type, maxAge, text }: FixedFile): RouteDeclaration {
  return route({
    method: 'GET',
    path,
    summary,
    tag: 'Pages',
    access: 'public',
    query: null,
    answers: null,
    cache: [maxAge, 0],
    run: async (ctx, { params }) => new Reply(200, await text(ctx, params), { 'Content-Type': type }),
  });
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

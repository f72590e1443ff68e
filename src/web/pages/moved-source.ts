// Redirects old paths of the pages below a source to the current ones.

import type { Context } from '../../context.ts';
import { addressedEntry } from '../../entities/open.ts';
import { sourcePath } from '../links.ts';

export function movedSource(sub: '/highlights' | '/changelog') {
  return async (ctx: Context, { org = '', source = '' }: Record<string, string>): Promise<string | null> => {
    const { orgSlug, slug } = await addressedEntry(ctx, { org, slug: source, only: 'source' });
    return orgSlug === org && slug === source ? null : `${sourcePath(orgSlug, slug)}${sub}`;
  };
}

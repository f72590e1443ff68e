// A page is a declaration: its path, what it takes from the query, what it loads and how it shows that. Loading calls
// the same functions as the API; showing is a pure function of what was loaded.
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { Page } from './frame/document.ts';
import type { Form } from './frame/head.ts';
import type { Shell } from './frame/shell.ts';

type Shape = z.ZodRawShape;

export interface PageInput<Q extends Shape> {
  params: Record<string, string>;
  query: z.output<z.ZodObject<Q>>;
}

export interface PageDeclaration<Q extends Shape = Shape, D = unknown> {
  // With parameters in braces: `/{org}/overview`.
  path: string;
  query?: Q;
  // A release page is revalidated on every visit, so that a suppression shows at once.
  revalidate?: boolean;
  load(ctx: Context, input: PageInput<Q>): Promise<D>;
  show(data: D, shell: Shell, input: PageInput<Q>): Page;
}

export function page<Q extends Shape, D>(declaration: PageDeclaration<Q, D>): PageDeclaration {
  return declaration as unknown as PageDeclaration;
}

export type { Form };

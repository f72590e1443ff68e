// A declaration with everything prepared that does not change from request to request.
import { z } from 'zod';
import { DEFAULT_BODY_LIMIT } from './body.ts';
import type { CredentialCheck } from './credentials.ts';
import { PRIVATE } from './headers.ts';
import type { CacheRule, RouteDeclaration } from './route.ts';

export interface CompiledRoute {
  declaration: RouteDeclaration;
  // Whole path with parameters in braces, as the figures show it.
  template: string;
  // Tiers and credentials belong to the API; the routes at the root need neither.
  underApi: boolean;
  // Who may call, where it differs from the rest of the service.
  credentials: CredentialCheck | null;
  query: z.ZodObject;
  // Null: the body is not read.
  body: z.ZodType | null;
  bodyLimit: number;
  vary: readonly string[];
  publicCache: string;
}

interface CompileOptions {
  underApi?: boolean;
  credentials?: CredentialCheck;
}

export function compileRoute(declaration: RouteDeclaration, options: CompileOptions = {}): CompiledRoute {
  const { underApi = true, credentials = null } = options;
  const negotiated = declaration.markdown ? ['Accept'] : [];
  return {
    declaration,
    template: underApi ? `/v1${declaration.path}` : declaration.path,
    underApi,
    credentials,
    query: z.object(declaration.query ?? {}),
    body: bodySchema(declaration),
    bodyLimit: declaration.bodyLimit ?? DEFAULT_BODY_LIMIT,
    vary: ['Authorization', 'Accept-Encoding', ...negotiated, ...(declaration.vary ?? [])],
    publicCache: declaration.cache ? cacheControl(declaration.cache) : PRIVATE,
  };
}

function cacheControl([maxAge, stale]: CacheRule): string {
  return `public, max-age=${maxAge}${stale > 0 ? `, stale-while-revalidate=${stale}` : ''}`;
}

function bodySchema({ method, body }: RouteDeclaration): z.ZodType | null {
  if (method === 'GET' || (method === 'DELETE' && !body)) return null;
  return body ?? z.object({});
}

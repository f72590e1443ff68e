// A route is a declaration: path, zod input, zod output, errors, one call.
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { ErrorCode, Issue } from '../../contract/errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

// public: nothing needed; credential: any valid one; account: one of an account, where account:write also changes
// something of it and account:session is its owner's own session; the rest is the scope ladder.
export type Access = 'public' | 'credential' | AccountAccess | 'write' | 'admin';
export type AccountAccess = 'account' | 'account:write' | 'account:session';

type Shape = z.ZodRawShape;
type Parsed<S extends Shape> = z.output<z.ZodObject<S>>;

export interface RouteInput<Q extends Shape, B extends z.ZodType> {
  // Path parameters by name, decoded; typed ids are already checked for their form.
  params: Record<string, string>;
  query: Parsed<Q>;
  body: z.output<B>;
}

// Seconds fresh and seconds stale-while-revalidate for anonymous callers.
export type CacheRule = readonly [maxAge: number, stale: number];

// Limiters besides the tiers, counted over all processes.
export type LimiterName = 'lookups' | 'feedback' | 'outbound';

export interface RouteDeclaration<Q extends Shape = Shape, B extends z.ZodType = z.ZodType> {
  method: Method;
  // Under /v1, parameters in braces: `/orgs/{org}/releases`.
  path: string;
  summary: string;
  // One to three sentences: what is answered and what matters. Who may call is added from `access`.
  description?: string;
  tag: string;
  access: Access;
  query?: Q;
  // Names of parameters whose invalid values are ignored.
  lenientQuery?: readonly string[];
  body?: B;
  bodyLimit?: number;
  // What the schema of the body cannot know, told together with what it finds. Given the body as it was sent.
  bodyIssues?: (ctx: Context, body: unknown) => Promise<Issue[]>;
  // Answer schemas by status.
  answers: Partial<Record<200 | 201 | 202 | 204 | 301, z.ZodType | null>>;
  errors?: readonly ErrorCode[];
  // Written by hand where one made from the schema would say less: the first answer, and the body.
  example?: unknown;
  bodyExample?: unknown;
  // Of the 200 answer, where it is not JSON.
  mediaType?: string;
  cache?: CacheRule;
  // Text form of the 200 answer; makes the route negotiable.
  markdown?: (answer: never, input: RouteInput<Q, B>) => string;
  // The answer may be kept as bytes until the data changes. Off where the contract demands a fresh read.
  keepBytes?: boolean;
  // The answer to the default request is stored, and `X-Cache` tells how each request was served.
  storedAnswer?: { isDefault(query: Parsed<Q>): boolean; seconds: number };
  // Names in `Vary` besides those that the kernel knows of.
  vary?: readonly string[];
  limiter?: LimiterName;
  // For a POST that only reads: as how many reads it counts. Such a call needs no `Idempotency-Key` and heeds none.
  reads?: (body: z.output<B>) => number;
  // `run` asks other servers: under an idempotency key it is given no transaction, and its answer is kept afterwards.
  outbound?: boolean;
  // The answer is a stream of events that stays open; `run` says what it is to carry.
  live?: boolean;
  run(ctx: Context, input: RouteInput<Q, B>): Promise<unknown>;
}

// Inference helper: keeps query and body types tied to `run`.
export function route<Q extends Shape, B extends z.ZodType>(declaration: RouteDeclaration<Q, B>): RouteDeclaration {
  return declaration as unknown as RouteDeclaration;
}

// What `run` may return instead of a plain 200 body. With a `Content-Type` of its own the body (text or bytes) is sent
// as it is; a `Cache-Control` of its own holds for anonymous callers.
export class Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;
  // The same body without what is shown only once; kept for repeated calls.
  readonly repeatable: unknown;

  constructor(status: number, body: unknown, headers: Record<string, string> = {}, repeatable: unknown = body) {
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.repeatable = repeatable;
  }
}

export function created(body: unknown, location: string): Reply {
  return new Reply(201, body, { Location: location });
}

export function noContent(): Reply {
  return new Reply(204, null);
}

// The same route under `/sources/{src}` and `/orgs/{org}/sources/{source}` (or products): one declaration, two paths.
export function bothPaths<Q extends Shape, B extends z.ZodType>(
  entity: 'sources' | 'products',
  suffix: string,
  declaration: Omit<RouteDeclaration<Q, B>, 'path'>,
): RouteDeclaration[] {
  const bare = entity === 'sources' ? '/sources/{src}' : '/products/{prod}';
  const scoped = entity === 'sources' ? '/orgs/{org}/sources/{source}' : '/orgs/{org}/products/{product}';
  return [route({ ...declaration, path: `${bare}${suffix}` }), route({ ...declaration, path: `${scoped}${suffix}` })];
}

// A route is a declaration: path, zod input, zod output, errors, one call. API routes, pages, forms and protocols are
// all declared this way; `README.md` one folder up shows one of each.
import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { ApiError, ErrorCode, Issue } from '../../contract/errors.ts';
import type { ClientAddress } from './client-address.ts';
import type { Access, CredentialCheck } from './credentials.ts';
import type { LimiterName, LimitPolicy } from './limits.ts';
import type { Format, ForwardedRead, Reply } from './reply.ts';
import type { RequestTarget } from './target.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type QueryShape = z.ZodRawShape;
type ParsedQuery<S extends QueryShape> = z.output<z.ZodObject<S>>;

interface RouteInput<Q extends QueryShape, B extends z.ZodType> {
  // Path parameters by name, decoded; typed ids are already checked for their form.
  params: Record<string, string>;
  query: ParsedQuery<Q>;
  body: z.output<B>;
}

// The request itself, for routes that have to do with cookies, addresses, forms or limits. Most do without.
export interface RequestFacts {
  headers: IncomingHttpHeaders;
  client: ClientAddress;
  // Path and query as they were sent.
  target: RequestTarget;
  // In which format the answer will be written, for a `run` that reads less for some of them.
  format: Format;
  // The caller was recognised by a cookie, which browsers send along unasked.
  byCookie: boolean;
  // The fields of a form; null: the body was none.
  form: URLSearchParams | null;
  // Counts against a limit that only the handler knows the key of, tells the response of it, and throws when it is
  // used up. Without a key the client's address counts.
  takeLimit(limit: LimitPolicy, key?: string): Promise<void>;
  // Counts reads in the caller's tier; throws when it is used up.
  takeReads(count: number): void;
  // The answer of another GET route to the query of this request, in the same format, as its anonymous callers get it.
  forward(path: string): Promise<ForwardedRead>;
  // Runs another route for the same caller, with all checks of that route.
  call(route: RouteDeclaration, input: CalledInput): Promise<Reply>;
}

// What a route is given when another route calls it.
export interface CalledInput {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

// Seconds fresh and seconds stale-while-revalidate for anonymous callers.
export type CacheRule = readonly [maxAge: number, stale: number];

// Turns the answer of `run` into the text of one format, or into a reply with headers of its own.
export type FormatWriter = (answer: never, input: RouteInput<never, never>, ctx: Context) => string | Reply;

// How errors are written for the callers of a route, where the common JSON envelope is not what they expect. A page that
// greets its reader by name asks who that is; `ctx` itself knows nobody, because some errors come before that question.
export type FailureFormat = (
  error: ApiError,
  ctx: Context,
  recognize: () => Promise<Context>,
) => Reply | Promise<Reply>;

export interface RouteDeclaration<Q extends QueryShape = QueryShape, B extends z.ZodType = z.ZodType> {
  method: HttpMethod;
  // Below the prefix of its group, parameters in braces: `/orgs/{org}/releases`.
  path: string;
  summary: string;
  // One to three sentences: what is answered and what matters. Who may call is added from `access`.
  description?: string;
  tag: string;
  access: Access;
  // Null: `run` reads the query itself from the target.
  query?: Q | null;
  // Names of parameters whose invalid values are ignored.
  lenientQuery?: readonly string[];
  // What the body is: JSON when it is left out. A form counts only when it was sent from a trusted origin and drawn by this
  // service for the same session and path. `any` leaves both forms to `run`, without trimming or checking texts.
  accepts?: 'json' | 'form' | 'any';
  body?: B;
  bodyLimit?: number;
  // What the schema of the body cannot know, reported together with what it finds. Given the body as it was sent.
  bodyIssues?: (ctx: Context, body: unknown) => Promise<Issue[]>;
  // Answer schemas by status. Null: not described, because a page or a protocol answers in its own way.
  answers: Partial<Record<200 | 201 | 202 | 204 | 301, z.ZodType | null>> | null;
  errors?: readonly ErrorCode[];
  failure?: FailureFormat;
  // Written by hand where one made from the schema would say less: the first answer, and the body.
  example?: unknown;
  bodyExample?: unknown;
  // Of the 200 answer, where it is not JSON.
  mediaType?: string;
  // never: the answer has neither a public lifetime nor an ETag.
  cache?: CacheRule | 'never';
  // Other forms of the 200 answer. A route with `html` is a page: HTML is its default, and `run` returns what it shows.
  json?: (answer: never, input: RouteInput<Q, B>, ctx: Context) => unknown;
  html?: (answer: never, input: RouteInput<Q, B>, ctx: Context) => string | Reply;
  markdown?: (answer: never, input: RouteInput<Q, B>, ctx: Context) => string | Reply;
  atom?: (answer: never, input: RouteInput<Q, B>, ctx: Context) => string | Reply;
  // Formats chosen by `Accept`, the default first. Left out: HTML or JSON, and markdown where it is written.
  negotiates?: readonly [Format, ...Format[]];
  // Formats chosen by the end of the path: `.json`, `.md`, `.atom`.
  suffixes?: readonly PathSuffix[];
  // The answer may be cached as bytes until the data changes. Off where the contract demands a fresh read.
  cacheBytes?: boolean;
  // resolved: the answer shows nothing but what hangs on the entities that were resolved while it was made (`noteShown`),
  // so that commits elsewhere leave it cached. Left out: it shows the whole registry.
  dependsOn?: 'resolved';
  // The answer to the default request is cached longer, and `X-Cache` says how each request was served.
  storedAnswer?: { isDefault(query: ParsedQuery<Q>): boolean; seconds: number };
  // Names in `Vary` besides those that the kernel knows of.
  vary?: readonly string[];
  limiters?: readonly LimiterName[];
  // For a POST that only reads: as how many reads it counts. Such a call needs no `Idempotency-Key` and heeds none.
  reads?: (body: z.output<B>) => number;
  // `run` counts these reads itself by `takeReads`, to tell of a used-up limit in its own way.
  takesReads?: boolean;
  // `run` asks other servers: under an idempotency key it is given no transaction, and its answer is stored afterwards.
  outbound?: boolean;
  // The answer is a stream of release events that stays open; `run` says what it is to carry.
  live?: boolean;
  run(ctx: Context, input: RouteInput<Q, B>, request: RequestFacts): Promise<unknown>;
}

export type PathSuffix = 'json' | 'md' | 'atom';

// Routes that share a prefix and what holds for all of them.
export interface RouteGroup {
  // In front of every path: `/v1`, `/api/auth`, or nothing.
  prefix: string;
  routes: readonly RouteDeclaration[];
  // The routes of the API: reads count in tiers, credentials are looked at even where none is needed, and an
  // `Idempotency-Key` is honoured. Other public routes answer without the database, so they look at no credentials.
  isApi?: boolean;
  // Who is recognised, where it differs from the rest of the service.
  credentials?: CredentialCheck;
  // Throws when the whole group cannot be served.
  requires?: (ctx: Context) => void;
  // Every POST below the prefix counts here, whether there is such a route or not.
  postLimiter?: LimiterName;
  failure?: FailureFormat;
  // Whether 404 and 405 below the prefix are answered in the failure format of the group.
  ownsUnmatched?: boolean;
  // In place of the usual names in `Vary`.
  vary?: readonly string[];
}

// Inference helper: ties the types of query and body to `run`.
export function route<Q extends QueryShape, B extends z.ZodType>(
  declaration: RouteDeclaration<Q, B>,
): RouteDeclaration {
  return declaration as unknown as RouteDeclaration;
}

// The same route under `/sources/{src}` and `/orgs/{org}/sources/{source}` (or products): one declaration, two paths.
export function bothPaths<Q extends QueryShape, B extends z.ZodType>(
  entity: 'sources' | 'products',
  suffix: string,
  declaration: Omit<RouteDeclaration<Q, B>, 'path'>,
): RouteDeclaration[] {
  const bare = entity === 'sources' ? '/sources/{src}' : '/products/{prod}';
  const scoped = entity === 'sources' ? '/orgs/{org}/sources/{source}' : '/orgs/{org}/products/{product}';
  return [route({ ...declaration, path: `${bare}${suffix}` }), route({ ...declaration, path: `${scoped}${suffix}` })];
}

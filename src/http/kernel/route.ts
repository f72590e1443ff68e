// A route is a declaration: path, zod input, zod output, errors, one function. API routes, pages, forms and protocols
// are all declared this way; `README.md` one folder up shows one of each.
import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { ApiError, ErrorCode, Issue } from '../../contract/errors.ts';
import type { Access, ClientAddress, CredentialCheck } from './caller.ts';
import type { LimiterName, LimitPolicy } from './limits.ts';
import type { Format, ForwardedRead, Reply } from './reply.ts';
import type { RequestTarget } from './target.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type QueryShape = z.ZodRawShape;
type ParsedQuery<S extends QueryShape> = z.output<z.ZodObject<S>>;

interface RouteInput<Q extends QueryShape, B extends z.ZodType> {
  // The decoded path parameters by name; the format of typed ids is already checked.
  params: Record<string, string>;
  query: ParsedQuery<Q>;
  body: z.output<B>;
}

// The request itself, for routes that need cookies, addresses, forms or limits.
export interface RequestInfo {
  headers: IncomingHttpHeaders;
  client: ClientAddress;
  // The path and the query as sent.
  target: RequestTarget;
  // The format of the answer, for a `run` that reads less for some formats.
  format: Format;
  // The caller was identified by a cookie, which browsers also send with requests of other sites.
  byCookie: boolean;
  // The fields of a form; null when the body is not a form.
  form: URLSearchParams | null;
  // Counts against a limit whose key only the handler knows, reports it in the response headers, and throws when it is
  // exhausted. The default key is the client's address.
  takeLimit(limit: LimitPolicy, key?: string): Promise<void>;
  // Counts reads in the caller's tier; throws when it is exhausted.
  takeReads(count: number): void;
  // Runs another GET route with the query and the format of this request, as an anonymous caller.
  forward(path: string): Promise<ForwardedRead>;
  // Runs another route for the same caller, with all checks of that route.
  call(route: RouteDeclaration, input: CalledInput): Promise<Reply>;
}

// The input of a route that another route calls.
export interface CalledInput {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

// The seconds of `max-age` and `stale-while-revalidate` for anonymous callers.
export type CacheRule = readonly [maxAge: number, stale: number];

// Writes the result of `run` as the text of one format, or as a reply with its own headers.
export type FormatWriter = (answer: never, input: RouteInput<never, never>, ctx: Context) => string | Reply;

// How errors are written for the callers of a route that does not use the JSON envelope. An error page that shows the
// reader's account calls `recognize`; `ctx` has no caller, because some errors occur before the caller is identified.
export type FailureFormat = (
  error: ApiError,
  ctx: Context,
  recognize: () => Promise<Context>,
) => Reply | Promise<Reply>;

export interface RouteDeclaration<Q extends QueryShape = QueryShape, B extends z.ZodType = z.ZodType> {
  method: HttpMethod;
  // The path below the prefix of its group, with parameters in braces: `/orgs/{org}/releases`.
  path: string;
  // Below `/bots` and not below `/v1`, and described all the same.
  isRoot?: boolean;
  summary: string;
  // One to three sentences about the response. The required access is added from `access`.
  description?: string;
  tag: string;
  access: Access;
  // Null when `run` reads the query from the target itself.
  query?: Q | null;
  // Names of parameters whose invalid values are ignored.
  lenientQuery?: readonly string[];
  // The kind of body, JSON by default. A form is accepted only from a trusted origin and with a CSRF token that this
  // service issued for the same session and path. `any` leaves both kinds to `run`, without trimming or checking texts.
  accepts?: 'json' | 'form' | 'any';
  body?: B;
  bodyLimit?: number;
  // A POST that refuses unknown fields, as every PUT and PATCH does; others ignore them and name them in the answer.
  refusesUnknown?: boolean;
  // Checks that the schema of the body cannot do, reported together with its issues. They get the body as sent.
  bodyIssues?: (ctx: Context, body: unknown) => Promise<Issue[]>;
  // The source that a call touches, for callers that are bound to a part of the registry. By default it is what the path
  // names, and they are refused where it names nothing.
  touchedSource?: (ctx: Context, input: RouteInput<Q, B>) => Promise<string>;
  // The response schemas by status. Null for a page or a protocol that the OpenAPI document does not describe.
  answers: Partial<Record<200 | 201 | 202 | 204 | 301, z.ZodType | null>> | null;
  errors?: readonly ErrorCode[];
  failure?: FailureFormat;
  // Examples written by hand, where one made from the schema would say less: of the first response, and of the body.
  example?: unknown;
  bodyExample?: unknown;
  // The media type of the 200 response, where it is not JSON.
  mediaType?: string;
  // never: the response has neither a public lifetime nor an ETag.
  cache?: CacheRule | 'never';
  // Writers for other formats of the 200 response. A route with `html` is a page: HTML is its default, and `run`
  // returns the data that it shows.
  json?: (answer: never, input: RouteInput<Q, B>, ctx: Context) => unknown;
  html?: (answer: never, input: RouteInput<Q, B>, ctx: Context) => string | Reply;
  markdown?: (answer: never, input: RouteInput<Q, B>, ctx: Context) => string | Reply;
  atom?: (answer: never, input: RouteInput<Q, B>, ctx: Context) => string | Reply;
  // The formats that `Accept` can choose, the default first. By default HTML or JSON, and markdown where it has a
  // writer.
  negotiates?: readonly [Format, ...Format[]];
  // The formats that a suffix of the path can choose: `.json`, `.md`, `.atom`.
  suffixes?: readonly PathSuffix[];
  // Whether the response may be cached as bytes until the data changes. False where the contract requires a fresh read.
  cacheBytes?: boolean;
  // resolved: the response depends only on the entities that were resolved for it (`addDependencies`), so other commits leave
  // it cached. By default it depends on the whole registry.
  dependsOn?: 'resolved';
  // The response to the default request is cached longer, and `X-Cache` tells it from other requests, also where the cache
  // took no part.
  storedAnswer?: { isDefault(query: ParsedQuery<Q>): boolean; seconds: number };
  // Names in `Vary` besides those of the kernel.
  vary?: readonly string[];
  limiters?: readonly LimiterName[];
  // For a POST that only reads: the number of reads that it counts as. Such a call ignores `Idempotency-Key`.
  reads?: (body: z.output<B>) => number;
  // For a GET outside the API: it counts in the caller's tier, unless it is answered from the byte cache or with 304.
  counts?: boolean;
  // `run` counts these reads itself with `takeReads`, so that it can report an exhausted limit in its own format.
  takesReads?: boolean;
  // `run` sends requests to other servers: with an idempotency key it runs outside a transaction, and its reply is
  // stored afterwards.
  outbound?: boolean;
  // The response is an open stream of release events; `run` returns which ones it carries.
  live?: boolean;
  run(ctx: Context, input: RouteInput<Q, B>, request: RequestInfo): Promise<unknown>;
}

export type PathSuffix = 'json' | 'md' | 'atom';

// Routes that share a prefix and the rules below.
export interface RouteGroup {
  // The prefix of every path: `/v1`, `/api/auth`, or empty.
  prefix: string;
  routes: readonly RouteDeclaration[];
  // Set for the API: reads count in tiers, credentials are checked even where none is required, and `Idempotency-Key`
  // is supported. Other public routes must answer without the database, so their credentials are not checked.
  isApi?: boolean;
  // The credentials that this group accepts, where they differ from the rest of the service.
  credentials?: CredentialCheck;
  // Throws when the whole group cannot be served.
  requires?: (ctx: Context) => void;
  // Every POST below the prefix counts against this limit, whether its route exists or not.
  postLimiter?: LimiterName;
  failure?: FailureFormat;
  // Whether 404 and 405 below the prefix use the failure format of the group.
  ownsUnmatched?: boolean;
  // Replaces the default names in `Vary`.
  vary?: readonly string[];
}

// Ties the types of query and body to `run`.
export function route<Q extends QueryShape, B extends z.ZodType>(
  declaration: RouteDeclaration<Q, B>,
): RouteDeclaration {
  return declaration as unknown as RouteDeclaration;
}

// Declares a route under `/sources/{src}` and `/orgs/{org}/sources/{source}` (or products).
export function bothPaths<Q extends QueryShape, B extends z.ZodType>(
  entity: 'sources' | 'products',
  suffix: string,
  declaration: Omit<RouteDeclaration<Q, B>, 'path'>,
): RouteDeclaration[] {
  const bare = entity === 'sources' ? '/sources/{src}' : '/products/{prod}';
  const scoped = entity === 'sources' ? '/orgs/{org}/sources/{source}' : '/orgs/{org}/products/{product}';
  return [route({ ...declaration, path: `${bare}${suffix}` }), route({ ...declaration, path: `${scoped}${suffix}` })];
}

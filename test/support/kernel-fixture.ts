// A small service for the tests of the HTTP kernel: real socket, real database, a clock that stands still.
import { mkdtempSync, rmSync } from 'node:fs';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { runOnce } from '../../src/accounts/idempotency.ts';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Caller } from '../../src/contract/caller.ts';
import type { HttpServer } from '../../src/http/kernel/server.ts';
import { createHttpServer, type HttpServerInput } from '../../src/http/server.ts';
import { homePage } from '../../src/web/pages/home.ts';
import { referencePages } from '../../src/web/pages/reference.ts';
import { fixtureRoutes, type Gate } from './kernel-routes.ts';

const TOKENS: Record<string, Caller> = {
  'root-key': { kind: 'root', name: 'root', scope: 'admin', tokenId: null, ip: '' },
  'read-token': { kind: 'token', name: 'reader', scope: 'read', tokenId: 'tok_reader', ip: '' },
  'write-token': { kind: 'token', name: 'writer', scope: 'write', tokenId: 'tok_writer', ip: '' },
  'admin-token': { kind: 'token', name: 'admin', scope: 'admin', tokenId: 'tok_admin', ip: '' },
};

export interface Answered {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read into answers freely.
  json: any;
}

export interface CallOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  token?: string;
}

export interface Fixture {
  app: App;
  server: HttpServer;
  url: string;
  dataDir: string;
  gate: Gate;
  logged: Record<string, unknown>[];
  call(path: string, options?: CallOptions): Promise<Answered>;
  pass(seconds: number): void;
  close(): Promise<void>;
}

interface FixtureOptions {
  env?: Record<string, string>;
  migrate?: boolean;
  logLevel?: string;
  input?: Partial<HttpServerInput>;
}

const START = Date.parse('2026-03-01T12:00:00.000Z');

export async function startFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const { env = {}, migrate = true, input = {}, logLevel = 'warn' } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'registry-http-'));
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: logLevel, base: null }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  let now = START;
  const config = readConfig({
    REGISTRY_DATA_DIR: dataDir,
    REGISTRY_PORT: '0',
    REGISTRY_ROOT_KEY: 'x'.repeat(40),
    ...env,
  });
  const app = await createApp(config, { clock: () => new Date(now), log });
  if (migrate) await app.ctx.store.migrate();
  const { routes, gate } = fixtureRoutes();
  const server = createHttpServer({
    ctx: app.ctx,
    api: { routes, home: homePage, reference: referencePages },
    credentials: { identify: async (bearer) => TOKENS[bearer] ?? null },
    idempotency: { run: runOnce },
    verifyAnswers: true,
    ...input,
  });
  const { url } = await server.listen({ port: 0 });
  return {
    app,
    server,
    url,
    dataDir,
    gate,
    logged,
    call: (path, options) => call(url, path, options),
    pass: (seconds) => {
      now += seconds * 1000;
    },
    close: async () => {
      await server.close();
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

// Uses `node:http`, because fetch adds headers and hides content codings.
function call(url: string, path: string, options: CallOptions = {}): Promise<Answered> {
  const { method = 'GET', body, token } = options;
  const raw = typeof body === 'string' || Buffer.isBuffer(body);
  const bytes = body === undefined ? undefined : raw ? body : JSON.stringify(body);
  const headers: Record<string, string> = { ...options.headers };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (bytes !== undefined && !raw) headers['Content-Type'] ??= 'application/json';
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const request = send({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const received = Buffer.concat(chunks);
        const text = received.toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
          body: received,
          text,
          get json() {
            return JSON.parse(text);
          },
        });
      });
    });
    request.on('error', reject);
    request.end(bytes);
  });
}

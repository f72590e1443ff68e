// The real service of an app: a real socket, all routes, the root key.
import { createCredentials } from '../../src/accounts/credentials.ts';
import { runOnce } from '../../src/accounts/idempotency.ts';
import { ensureRootKey } from '../../src/accounts/installation-secrets.ts';
import type { App } from '../../src/app.ts';
import { createAuth } from '../../src/http/auth/index.ts';
import type { RouteDeclaration } from '../../src/http/kernel/route.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createMcpGroup } from '../../src/mcp/http.ts';
import {
  accountGroup,
  homePage,
  operatorGroup,
  operatorSignIn,
  referencePages,
  webGroup,
} from '../../src/web/index.ts';
import { type Client, createClient } from './client.ts';

export interface Service {
  url: string;
  // The public origin of the service, which its own pages send.
  origin: string;
  // Clients without a credential, as the operator, and with any bearer token.
  anonymous: Client;
  root: Client;
  as(bearer: string): Client;
  // Waits for work that requests have started and did not wait for: mails, notes of use.
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface ServiceOptions {
  routes?: readonly RouteDeclaration[];
  // Off for tests that read much and are about something else.
  verifyAnswers?: boolean;
}

// Ends with the app, or earlier by its own `close`.
export async function startService(
  app: App,
  { routes = ROUTES, verifyAnswers = true }: ServiceOptions = {},
): Promise<Service> {
  const { ctx } = app;
  const rootKey = ensureRootKey(ctx)?.value ?? null;
  const credentials = createCredentials(ctx, rootKey);
  const auth = createAuth(ctx, credentials, { operatorRefused: operatorSignIn });
  const server = createHttpServer({
    ctx,
    api: { routes, home: homePage, reference: referencePages },
    credentials,
    idempotency: { run: runOnce },
    groups: [
      ...auth.groups,
      createMcpGroup(ctx, { routes: ROUTES, credentials, version: '0.0.0-test' }),
      webGroup(routes),
      accountGroup(auth.routes, credentials),
      operatorGroup(credentials.operators, routes),
    ],
    verifyAnswers,
  });
  const { url } = await server.listen({ port: 0, host: '127.0.0.1' });

  const settled = async () => {
    await auth.settle();
    await credentials.settle();
  };
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= server.close(1000).then(settled);
    return closed;
  };
  const closeApp = app.close;
  app.close = () => close().then(() => closeApp());

  const as = (bearer: string) => createClient(url, { Authorization: `Bearer ${bearer}` });
  return { url, origin: ctx.config.baseUrl, anonymous: createClient(url), root: as(rootKey ?? ''), as, settled, close };
}

// The web door of one process: credentials, kept answers and routes put behind a listening socket.
import { createCredentials } from '../accounts/credentials.ts';
import { runOnce } from '../accounts/idempotency.ts';
import { ensureRootKey, type RootKey } from '../accounts/root-key.ts';
import type { Context } from '../context.ts';
import { ROUTES } from '../http/routes/index.ts';
import { createHttpServer } from '../http/server.ts';
import { CommandFailure } from './command.ts';

export interface WebDoor {
  url: string;
  rootKey: RootKey | null;
  // Finishes running requests.
  close(): Promise<void>;
}

export async function openWebDoor(ctx: Context): Promise<WebDoor> {
  const rootKey = ensureRootKey(ctx);
  const credentials = createCredentials(ctx, rootKey?.value ?? null);
  const server = createHttpServer({ ctx, routes: ROUTES, credentials, idempotency: { run: runOnce } });
  const { url } = await server.listen().catch((error: NodeJS.ErrnoException) => {
    throw listenFailure(ctx, error);
  });
  return {
    url,
    rootKey,
    async close() {
      await server.close();
      await credentials.settle();
    },
  };
}

function listenFailure({ config }: Context, error: NodeJS.ErrnoException): Error {
  const where = `${config.host}:${config.port}`;
  if (error.code === 'EADDRINUSE') return new CommandFailure(`${where} is in use; choose another port with --port`);
  if (error.code === 'EACCES') return new CommandFailure(`${where} may not be opened; choose a port above 1023`);
  return new CommandFailure(`${where} cannot be opened: ${error.message}`);
}

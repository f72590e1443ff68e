// Servers on the loopback and a guarded fetch that may reach them. Names and public addresses can be led there too, so that a
// test sees what would have left the machine without anything leaving it.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { TestCertificate } from './certificate.fixture.ts';
import type { Dial } from './connect.ts';
import { createFetch, type GuardedFetch } from './fetch.ts';
import type { Lookup } from './resolve.ts';
import type { GuardedFetchOptions } from './trip.ts';

interface Loopback {
  port: number;
  // `http://127.0.0.1:<port>`
  origin: string;
  seen: IncomingMessage[];
}

export async function serve(t: TestContext, listener: RequestListener): Promise<Loopback> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, answer) => {
    seen.push(request);
    listener(request, answer);
  });
  const port = await listen(t, server);
  return { port, seen, origin: `http://127.0.0.1:${port}` };
}

export async function serveTls(t: TestContext, tls: TestCertificate, listener: RequestListener): Promise<Loopback> {
  const seen: IncomingMessage[] = [];
  const server = createSecureServer(tls, (request, answer) => {
    seen.push(request);
    listener(request, answer);
  });
  server.on('tlsClientError', () => {});
  const port = await listen(t, server);
  return { port, seen, origin: `https://127.0.0.1:${port}` };
}

// A server that speaks in raw bytes.
export async function serveRaw(
  t: TestContext,
  onConnection: (socket: Socket) => void,
): Promise<{ port: number; origin: string }> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  const port = await listen(t, server);
  return { port, origin: `http://127.0.0.1:${port}` };
}

// What a raw server sends to the first bytes of a request.
export function answerWith(text: string, then: (socket: Socket) => void = (socket) => socket.end()) {
  return (socket: Socket) => {
    socket.once('data', () => socket.write(text, () => then(socket)));
  };
}

export function openFetch(options: Partial<GuardedFetchOptions> = {}): GuardedFetch {
  return createFetch({ userAgent: 'ReleaseRegistry/test', allow: ['127.0.0.0/8', '::1'], ...options });
}

export function fixedLookup(table: Readonly<Record<string, readonly string[]>>): Lookup {
  return async (name, family) => (table[name] ?? []).filter((ip) => ip.includes(':') === (family === 6));
}

// Leads every address to a port of the loopback and notes which were asked for.
export function dialLoopback(port: number): { dial: Dial; dialled: string[] } {
  const dialled: string[] = [];
  const dial: Dial = (address, requested) => {
    dialled.push(`${address} ${requested}`);
    return connect({ host: '127.0.0.1', port });
  };
  return { dial, dialled };
}

// A port of the loopback at which nobody listens.
export async function closedPort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listen(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

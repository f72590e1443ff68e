// A connection to one of the addresses that the guard has checked. No name is looked up here, and no proxy is asked but the one
// that the caller names.
import { connect as connectTcp, isIPv6, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { CheckedTarget } from './guard.ts';
import type { RequestFailure } from './result.ts';
import { ABORTED, failureOf, type Phase, timedOut } from './result.ts';
import type { Timers } from './timers.ts';

// Starts a connection to an address, never to a name.
export type Dial = (address: string, port: number) => Socket;

export interface ConnectOptions {
  timers: Timers;
  dial?: Dial;
  // Goes through this proxy, which looks the name up.
  proxy?: string | null;
  // Certificates to trust in place of the machine's.
  ca?: string;
  limitMs: number;
  signal?: AbortSignal;
}

type ConnectResult = { ok: true; socket: Socket; address: string } | { ok: false; failure: RequestFailure };

// Bounds the attempts for a name with many addresses.
const MAX_ADDRESSES = 4;
// How long a silent address may delay the next one.
const PATIENCE_MS = 1_500;

export async function openConnection(target: CheckedTarget, options: ConnectOptions): Promise<ConnectResult> {
  const end = options.timers.now() + options.limitMs;
  const left = () => Math.max(0, end - options.timers.now());
  const tcp = options.proxy
    ? await throughProxy(options.proxy, target, options)
    : await firstThatAnswers(target, options, left);
  if (!tcp.ok || target.url.protocol !== 'https:') return tcp;

  const socket = startTls(tcp.socket, target, options.ca);
  const failure = await connected(socket, { phase: 'tls', ms: left(), options });
  if (failure === null) return { ...tcp, socket };
  tcp.socket.destroy();
  return { ok: false, failure };
}

// Few clients are behind a proxy, and a service never is, so only they load what a tunnel needs.
async function throughProxy(
  proxy: string,
  { host, port }: CheckedTarget,
  { limitMs, ca, signal }: ConnectOptions,
): Promise<ConnectResult> {
  const { openTunnel } = await import('./tunnel.ts');
  return openTunnel({ proxy, host, port, limitMs, ca, signal });
}

async function firstThatAnswers(
  target: CheckedTarget,
  options: ConnectOptions,
  left: () => number,
): Promise<ConnectResult> {
  const { dial = dialTcp } = options;
  const addresses = alternating(target.addresses).slice(0, MAX_ADDRESSES);
  let worst: RequestFailure = { failure: 'unreachable', code: 'network', detail: 'no address' };
  for (const [index, address] of addresses.entries()) {
    const socket = dial(address, target.port);
    const isLast = index === addresses.length - 1;
    const failure = await connected(socket, {
      phase: 'connect',
      ms: isLast ? left() : Math.min(PATIENCE_MS, left()),
      options,
    });
    if (failure === null) return { ok: true, socket, address };
    // A missing route for one address family says less than any other failure.
    if (failure.code !== 'network' || index === 0) worst = failure;
    if (failure.failure === 'aborted' || left() === 0) break;
  }
  return { ok: false, failure: worst };
}

// Resolves to null once the socket is ready; otherwise the socket has been destroyed.
function connected(
  socket: Socket,
  { phase, ms, options }: { phase: Phase; ms: number; options: ConnectOptions },
): Promise<RequestFailure | null> {
  const { timers, limitMs, signal } = options;
  return new Promise((resolve) => {
    const settle = (failure: RequestFailure | null) => {
      cancel();
      signal?.removeEventListener('abort', abort);
      if (failure !== null) socket.destroy();
      resolve(failure);
    };
    const abort = () => settle(ABORTED);
    const cancel = timers.after(ms, () => settle(timedOut('connect', limitMs)));
    signal?.addEventListener('abort', abort, { once: true });
    // The listener stays, so that a socket that fails later, between two owners, does not end the process.
    socket.on('error', (error) => settle(failureOf(error, phase)));
    socket.once('close', () => settle(failureOf({ code: 'ECONNRESET' }, phase)));
    socket.once(phase === 'tls' ? 'secureConnect' : 'connect', () => settle(null));
    if (signal?.aborted) abort();
  });
}

function startTls(socket: Socket, { host, literal }: CheckedTarget, ca: string | undefined): TLSSocket {
  return connectTls({
    socket,
    // The certificate is checked against the requested name; an address has no SNI.
    host,
    servername: literal ? '' : host,
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Set explicitly, so that no environment variable can disable it.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
}

function dialTcp(host: string, port: number): Socket {
  return connectTcp({ host, port, autoSelectFamily: false });
}

function alternating(addresses: readonly string[]): string[] {
  const [four, six] = [addresses.filter((ip) => !isIPv6(ip)), addresses.filter(isIPv6)];
  return Array.from({ length: Math.max(four.length, six.length) }).flatMap((_, index) =>
    [four[index], six[index]].filter((ip) => ip !== undefined),
  );
}

// A connection through the proxy of a person's own machine, for clients that are told to use one. The proxy looks names up.
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Socket } from 'node:net';
import { bareHost } from '../domain/net/host-list.ts';
import { failureOf, type RequestFailure, timedOut } from './result.ts';

interface TunnelOptions {
  proxy: string;
  host: string;
  port: number;
  limitMs: number;
  ca?: string | undefined;
  signal?: AbortSignal | undefined;
}

type Tunnel = { ok: true; socket: Socket; address: string } | { ok: false; failure: RequestFailure };

export function openTunnel({ proxy, host, port, limitMs, ca, signal }: TunnelOptions): Promise<Tunnel> {
  const { protocol, hostname, port: given, username, password } = new URL(proxy);
  const isSecure = protocol === 'https:';
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return new Promise((resolve) => {
    const request = (isSecure ? requestSecure : requestPlain)({
      method: 'CONNECT',
      host: bareHost(hostname),
      port: given || (isSecure ? 443 : 80),
      path: place,
      headers: {
        host: place,
        ...(username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }),
      },
      agent: false,
      ...(ca === undefined ? {} : { ca }),
      ...(signal === undefined ? {} : { signal }),
    });
    const fail = (failure: RequestFailure) => {
      clearTimeout(timer);
      request.destroy();
      resolve({ ok: false, failure });
    };
    const timer = setTimeout(() => fail(timedOut('connect', limitMs)), limitMs);
    request.on('error', (error) => fail(failureOf(error, 'connect')));
    request.on('response', ({ statusCode }) => fail(refusedBy(statusCode)));
    request.on('connect', ({ statusCode }, socket) => {
      clearTimeout(timer);
      if (statusCode === 200) return resolve({ ok: true, socket: socket as Socket, address: place });
      socket.destroy();
      fail(refusedBy(statusCode));
    });
    request.end();
  });
}

function refusedBy(status: number | undefined): RequestFailure {
  return { failure: 'unreachable', code: 'network', detail: `the proxy answers ${status}` };
}

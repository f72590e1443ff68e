// A door before a server on the loopback that writes down every byte which goes in.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface RecordedRequest {
  // `GET /lamp`
  line: string;
  headers: Record<string, string>;
  body: string;
}

interface Recorder {
  url: string;
  // As REGISTRY_EGRESS_ALLOW takes it.
  host: string;
  // All that was sent, as it was sent.
  sent(): string;
  requests(): RecordedRequest[];
  close(): void;
}

export async function startRecorder(target: string): Promise<Recorder> {
  const connections: Buffer[][] = [];
  const open = new Set<Socket>();
  const { hostname, port } = new URL(target);
  const server = createServer((socket) => {
    const parts: Buffer[] = [];
    connections.push(parts);
    open.add(socket);
    const upstream = connect(Number(port), hostname);
    socket.on('data', (bytes: Buffer) => void parts.push(bytes));
    socket.on('error', () => upstream.destroy()).on('close', () => open.delete(socket));
    upstream.on('error', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const texts = () => connections.map((parts) => Buffer.concat(parts).toString('latin1'));
  return {
    url: `http://${host}`,
    host,
    sent: () => texts().join('\n'),
    requests: () => texts().flatMap(requestsIn),
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

// The requests that follow each other on a connection. Anything that is no request is one with an odd line.
function requestsIn(text: string): RecordedRequest[] {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return text === '' ? [] : [{ line: text, headers: {}, body: '' }];
  const [line = '', ...rest] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    rest.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 1).trim()]),
  );
  const length = Number(headers['content-length'] ?? 0);
  const start = end + 4;
  const request = { line: line.replace(/ HTTP\/1\.1$/, ''), headers, body: text.slice(start, start + length) };
  return [request, ...requestsIn(text.slice(start + length))];
}

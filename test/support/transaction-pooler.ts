// A pooler in transaction mode in front of a PostgreSQL server: a client has a connection of the server for the length of a
// transaction, and seldom the same one again. Like the usual poolers it refuses settings of a session at the start.
import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

interface TransactionPooler {
  // The address of the same database through the pooler.
  url: string;
  // How many transactions and single statements went through it.
  handed(): number;
  close(): Promise<void>;
}

const SSL_REQUEST = 80_877_103;
const ALLOWED = new Set(['user', 'database', 'client_encoding', 'application_name', 'datestyle', 'timezone']);
const READY = message('Z', Buffer.from('I'));
const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), message('K', Buffer.alloc(8, 1)), READY]);

interface Backend {
  socket: Socket;
  client: Client | null;
}

interface Client {
  socket: Socket;
  backend: Backend | null;
  // Frames that wait for a connection, and answers that are still to come.
  waiting: Buffer[];
  expected: number;
}

export async function startTransactionPooler(url: string, connections = 3): Promise<TransactionPooler> {
  const idle: Backend[] = [];
  const queue: Client[] = [];
  const sockets = new Set<Socket>();
  let handed = 0;
  for (let index = 0; index < connections; index += 1) {
    const backend: Backend = { socket: await openBackend(url), client: null };
    readFrames(backend.socket, (type, frame) => {
      const { client } = backend;
      client?.socket.write(frame);
      if (!client || type !== 'Z') return;
      client.expected -= 1;
      if (client.expected === 0 && frame.toString('latin1', 5) === 'I') release(client);
    });
    sockets.add(backend.socket);
    idle.push(backend);
  }

  // The connection that was idle for longest, so that a client seldom gets its last one again.
  function hand(client: Client): void {
    const backend = idle.shift();
    if (!backend) {
      if (!queue.includes(client)) queue.push(client);
      return;
    }
    handed += 1;
    client.backend = backend;
    backend.client = client;
    for (const frame of client.waiting.splice(0)) backend.socket.write(frame);
  }

  function release(client: Client): void {
    const { backend } = client;
    if (!backend) return;
    client.backend = null;
    backend.client = null;
    idle.push(backend);
    const next = queue.shift();
    if (next) hand(next);
  }

  const server: Server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    const client: Client = { socket, backend: null, waiting: [], expected: 0 };
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    welcome(socket, () =>
      readFrames(socket, (type, frame) => {
        if (type === 'X') return socket.end();
        if (type === 'Q' || type === 'S') client.expected += 1;
        if (client.backend) return client.backend.socket.write(frame);
        client.waiting.push(frame);
        return hand(client);
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = new URL(url);
  own.search = '';
  own.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    url: own.href,
    handed: () => handed,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

// Reads the first packet of a client, and refuses settings that only a session could keep.
function welcome(socket: Socket, start: () => void): void {
  socket.once('data', (packet: Buffer) => {
    if (packet.readInt32BE(4) === SSL_REQUEST) {
      socket.write('N');
      return welcome(socket, start);
    }
    const words = packet.toString('utf8', 8).split('\0');
    const refused = words.find((word, index) => index % 2 === 0 && word !== '' && !ALLOWED.has(word));
    if (refused === undefined) {
      socket.write(WELCOME);
      return start();
    }
    const text = `SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: ${refused}\0\0`;
    return socket.end(message('E', Buffer.from(text)));
  });
}

async function openBackend(url: string): Promise<Socket> {
  const { hostname, port, username, pathname, searchParams } = new URL(url);
  const folder = searchParams.get('host');
  const socket = folder ? createConnection(`${folder}/.s.PGSQL.${port}`) : createConnection(Number(port), hostname);
  await once(socket, 'connect');
  socket.setNoDelay(true);
  const words = Buffer.from(`\0\x03\0\0user\0${username}\0database\0${pathname.slice(1)}\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(words.length + 4);
  socket.write(Buffer.concat([length, words]));
  const ready = Promise.withResolvers<void>();
  const stop = readFrames(socket, (type) => {
    if (type === 'Z') ready.resolve();
    if (type === 'E') ready.reject(new Error('the server refused the pooler'));
  });
  await ready.promise;
  stop();
  socket.on('error', () => {});
  return socket;
}

function readFrames(socket: Socket, take: (type: string, frame: Buffer) => unknown): () => void {
  let rest: Buffer = Buffer.alloc(0);
  const read = (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1;
      const frame = rest.subarray(0, end);
      rest = rest.subarray(end);
      take(String.fromCharCode(frame[0] ?? 0), frame);
    }
  };
  socket.on('data', read);
  return () => socket.off('data', read);
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

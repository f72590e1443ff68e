// Connections that stay open for the next request of the same caller. They are pooled under the caller's own key and never
// shared with another, and one is reused only when it leads to an address that was checked for this request.
import { Agent } from 'node:http';
import type { Socket } from 'node:net';

export interface PooledConnection {
  agent: Agent;
  socket: Socket;
  address: string;
}

export interface ConnectionPool {
  take(key: string, addresses: readonly string[]): PooledConnection | null;
  give(key: string, connection: PooledConnection): void;
}

// Shorter than the idle timeout of most servers, so that few requests meet a connection that is being closed.
const IDLE_MS = 4_000;
const MAX_PER_KEY = 4;

export function createConnectionPool(): ConnectionPool {
  const idle = new Map<string, PooledConnection[]>();
  const watched = new WeakSet<Socket>();

  function forget(key: string, connection: PooledConnection): void {
    const left = idle.get(key)?.filter((one) => one !== connection) ?? [];
    if (left.length > 0) idle.set(key, left);
    else idle.delete(key);
  }

  return {
    take(key, addresses) {
      for (const connection of [...(idle.get(key) ?? [])].reverse()) {
        forget(key, connection);
        if (addresses.includes(connection.address) && isUsable(connection)) return connection;
        connection.socket.destroy();
      }
      return null;
    },
    give(key, connection) {
      const others = idle.get(key) ?? [];
      if (!isUsable(connection)) return;
      if (others.length >= MAX_PER_KEY) {
        connection.socket.destroy();
        return;
      }
      idle.set(key, [...others, connection]);
      if (watched.has(connection.socket)) return;
      watched.add(connection.socket);
      connection.socket.once('close', () => forget(key, connection));
    },
  };
}

export function pooledConnection(socket: Socket, address: string): PooledConnection {
  return { agent: new SocketAgent(socket), socket, address };
}

function isUsable({ socket }: PooledConnection): boolean {
  return socket.writable && !socket.destroyed;
}

// Runs requests over one socket and never opens another: which address is connected to is not an agent's to say. An
// idle socket neither holds the process nor outlives its time.
class SocketAgent extends Agent {
  #socket: Socket | null;

  constructor(socket: Socket) {
    super({ keepAlive: true, maxSockets: 1, maxFreeSockets: 1, timeout: IDLE_MS });
    this.#socket = socket;
  }

  override createConnection(...[, callback]: Parameters<Agent['createConnection']>): Socket | undefined {
    const socket = this.#socket;
    this.#socket = null;
    if (socket) return socket;
    callback?.(Object.assign(new Error('the connection is gone'), { code: 'ECONNRESET' }), undefined as never);
    return undefined;
  }
}

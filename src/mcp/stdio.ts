// The same server over standard input and output. Nothing but protocol messages is written there.

import { Transform, type TransformCallback } from 'node:stream';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { MAX_MESSAGE_LENGTH } from './budget.ts';
import { createMcpServer, type McpServerOptions } from './server.ts';

interface StdioSession {
  // Resolves when the client has closed its end.
  ended: Promise<void>;
  close(): Promise<void>;
}

export function openStdio(options: McpServerOptions): StdioSession {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
  });
  const lines = new BoundedLines({ most: MAX_MESSAGE_LENGTH, onLong: () => refuseLongLine(options) });
  const handle = serveStdio(() => createMcpServer(options), {
    transport: new StdioServerTransport(process.stdin.pipe(lines), process.stdout),
    maxSubscriptions: 0,
    onerror: (error) => options.log.debug({ err: error }, 'MCP message refused'),
  });
  return { ended, close: () => handle.close() };
}

// The id of the message is unknown, because it was not read.
function refuseLongLine({ log }: McpServerOptions): void {
  const message = `a message may have at most ${MAX_MESSAGE_LENGTH} bytes; this line was left out`;
  log.warn({ most: MAX_MESSAGE_LENGTH }, 'a line on standard input is too long for a message and was left out');
  const error = { code: ProtocolErrorCode.InvalidRequest, message };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
}

// Passes on the lines of a stream up to a length. A longer line is dropped and reported, and the stream goes on with the next one.

const LINE_FEED = 10;

export class BoundedLines extends Transform {
  readonly #most: number;
  readonly #onLong: () => void;
  #length = 0;
  // The line so far, which is passed on when it is complete.
  #parts: Buffer[] = [];

  constructor({ most, onLong }: { most: number; onLong: () => void }) {
    super();
    this.#most = most;
    this.#onLong = onLong;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(LINE_FEED, start);
      this.#take(chunk.subarray(start, end === -1 ? chunk.length : end + 1));
      if (end === -1) break;
      this.#endLine();
      start = end + 1;
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#endLine();
    done();
  }

  #take(part: Buffer): void {
    const isLong = this.#length > this.#most;
    this.#length += part.length;
    if (this.#length <= this.#most) this.#parts.push(part);
    else {
      this.#parts = [];
      if (!isLong) this.#onLong();
    }
  }

  #endLine(): void {
    if (this.#parts.length > 0) this.push(Buffer.concat(this.#parts));
    this.#parts = [];
    this.#length = 0;
  }
}

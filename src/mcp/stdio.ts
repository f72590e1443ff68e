// The same server over standard input and output. Nothing but protocol messages is written there.
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { BoundedLines } from './bounded-lines.ts';
import { LONGEST_MESSAGE } from './limits.ts';
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
  const lines = new BoundedLines({ most: LONGEST_MESSAGE, onLong: () => refuseLongLine(options) });
  const handle = serveStdio(() => createMcpServer(options), {
    transport: new StdioServerTransport(process.stdin.pipe(lines), process.stdout),
    maxSubscriptions: 0,
    onerror: (error) => options.log.debug({ err: error }, 'MCP message refused'),
  });
  return { ended, close: () => handle.close() };
}

// The id of the message is unknown, because it was not read.
function refuseLongLine({ log }: McpServerOptions): void {
  const message = `a message may have at most ${LONGEST_MESSAGE} bytes; this line was left out`;
  log.warn({ most: LONGEST_MESSAGE }, 'a line on standard input is too long for a message and was left out');
  const error = { code: ProtocolErrorCode.InvalidRequest, message };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
}

// The same server over standard input and output. Nothing but protocol messages is written there.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
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
  const handle = serveStdio(() => createMcpServer(options), {
    maxSubscriptions: 0,
    onerror: (error) => options.log.debug({ err: error }, 'MCP message refused'),
  });
  return { ended, close: () => handle.close() };
}

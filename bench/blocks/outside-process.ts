// The outside as a process of its own, so that its work is not counted as the registry's: serves the documents that it was
// given, and sends the requests that it is told to.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServedDocument {
  // With the query.
  path: string;
  type: string;
  body: Uint8Array | string;
  // The path of the page after this one.
  next?: string;
}

export interface SentRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

export type OutsideOrder = { id: number } & (
  | { kind: 'serve'; document: ServedDocument }
  | { kind: 'send'; request: SentRequest }
);

export interface OutsideReport {
  id: number;
  // Of the answer to a request that was sent.
  status?: number;
}

const documents = new Map<string, ServedDocument>();

const server = createServer((request, response) => {
  const found = documentAt(request.url ?? '');
  if (!found) return void response.writeHead(404).end();
  const body = Buffer.from(found.body as string);
  const link = found.next ? { Link: `<http://${request.headers.host}${found.next}>; rel="next"` } : {};
  response.writeHead(200, { 'Content-Type': found.type, 'Content-Length': body.length, ...link });
  response.end(body);
}).listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

// With any query, where none is named; a path that ends with a star stands for all below it.
function documentAt(path: string): ServedDocument | undefined {
  const bare = path.split('?', 1)[0] ?? '';
  return documents.get(path) ?? documents.get(bare) ?? documents.get(`${bare.split('/packages/', 1)[0]}/packages/*`);
}

process.on('message', async (order: OutsideOrder) => {
  process.send?.({ id: order.id, ...(await carryOut(order)) } satisfies OutsideReport);
});
process.on('disconnect', () => process.exit(0));

async function carryOut(order: OutsideOrder): Promise<Omit<OutsideReport, 'id'>> {
  if (order.kind === 'serve') {
    documents.set(order.document.path, order.document);
    return {};
  }
  const { url, method, headers, body } = order.request;
  const response = await fetch(url, { method, headers, body: new Uint8Array(body) });
  await response.arrayBuffer();
  return { status: response.status };
}

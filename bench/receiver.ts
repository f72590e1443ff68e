// A receiver of webhooks in a process of its own: answers at once or never, and tells what came when.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [receivers = '1'] = process.argv.slice(2);
const counts = new Map<string, number>();
// When each event first came, by its id.
const firstAt: Record<string, number> = {};

const servers = Array.from({ length: Number(receivers) }, () =>
  createServer((request, response) => {
    const id = String(request.headers['x-service-event-id']);
    if (request.url === '/timed') firstAt[id] ??= Date.now();
    request.resume().once('end', () => {
      const key = `${request.url} ${id}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (request.url !== '/hang') response.writeHead(204).end();
    });
  }),
);
const ports = await Promise.all(
  servers.map(
    (server) =>
      new Promise<number>((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
      }),
  ),
);
process.send?.({ ports });

process.on('message', () => {
  const requests = [...counts.values()].reduce((sum, count) => sum + count, 0);
  process.send?.({ different: counts.size, requests, firstAt });
});
process.on('disconnect', () => process.exit(0));

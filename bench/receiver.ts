// A receiver of webhooks in a process of its own: counts what it is sent, and answers at once or never.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [doors = '1'] = process.argv.slice(2);
const seen = new Map<string, number>();
const starts: number[] = [];

const servers = Array.from({ length: Number(doors) }, () =>
  createServer((request, response) => {
    const id = String(request.headers['x-service-event-id']);
    request.resume().once('end', () => {
      seen.set(`${request.url} ${id}`, (seen.get(`${request.url} ${id}`) ?? 0) + 1);
      if (request.url?.startsWith('/hang')) return;
      if (request.url?.startsWith('/timed')) starts.push(Date.now());
      response.writeHead(204).end();
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

// Asked how many different messages came, and how many came more than once.
process.on('message', () => {
  const counts = [...seen.values()];
  const repeats = counts.reduce((sum, count) => sum + count - 1, 0);
  process.send?.({ different: counts.length, repeats, starts });
});
process.on('disconnect', () => process.exit(0));

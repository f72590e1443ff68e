// The outside for fetching benchmarks: feeds on many ports, which stand for as many hosts. It notes what was asked when,
// and whether a feed or a host was ever asked too much at once.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FeedServerReport {
  // The host of each request, in the order in which they came.
  hosts: number[];
  fetched: number;
  // Feeds that were asked while an earlier request for the same one was open.
  overlaps: number;
  // The most requests that one host had to answer at once.
  mostAtOnce: number;
}

export const ITEMS = 3;
const ANSWER_MS = 5;
// Whole texts, so that nothing is to be read behind the feed.
const WORDS = 'It was asked for often, and it is faster than before. '.repeat(14);

if (process.argv[1] === import.meta.filename) await serve(Number(process.argv[2] ?? 1));

async function serve(hosts: number): Promise<void> {
  const report: FeedServerReport = { hosts: [], fetched: 0, overlaps: 0, mostAtOnce: 0 };
  const seen = new Set<string>();
  const open = new Map<string, number>();
  const enter = (key: string) => {
    const count = (open.get(key) ?? 0) + 1;
    open.set(key, count);
    return count;
  };
  const answer = async (host: number, request: IncomingMessage, response: ServerResponse) => {
    const id = (request.url ?? '').slice(1);
    report.hosts.push(host);
    if (enter(`feed ${id}`) > 1) report.overlaps += 1;
    report.mostAtOnce = Math.max(report.mostAtOnce, enter(`host ${host}`));
    await sleep(ANSWER_MS);
    seen.add(id);
    report.fetched = seen.size;
    for (const key of [`feed ${id}`, `host ${host}`]) open.set(key, (open.get(key) ?? 1) - 1);
    const etag = `"${id}"`;
    const isSame = request.headers['if-none-match'] === etag;
    response.writeHead(isSame ? 304 : 200, { 'Content-Type': 'application/rss+xml', ETag: etag });
    response.end(isSame ? undefined : feed(id));
  };
  const servers = Array.from({ length: hosts }, (_, host) =>
    createServer((request, response) => void answer(host, request, response)).listen(0, '127.0.0.1'),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))));
  process.on('message', () => process.send?.(report));
  process.on('disconnect', () => process.exit(0));
  process.send?.(servers.map((server) => (server.address() as AddressInfo).port));
}

function feed(id: string): string {
  const items = Array.from({ length: ITEMS }, (_, index) => {
    const day = String(10 + index);
    return `<item><title>Release ${index}</title><link>https://${id}.example/${index}</link><guid>${id}-${index}</guid>
      <pubDate>Tue, ${day} Mar 2020 10:00:00 GMT</pubDate><description>${WORDS}</description></item>`;
  });
  return `<rss version="2.0"><channel><title>${id}</title>${items.join('')}</channel></rss>`;
}

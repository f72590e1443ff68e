// A package registry as a process of its own: every name has twenty versions, and nothing ever changes.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const name = decodeURIComponent((request.url ?? '/').slice(1));
  const etag = `"${name}"`;
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { ETag: etag }).end();
  const versions: Record<string, object> = {};
  const time: Record<string, string> = {};
  for (let minor = 0; minor < 20; minor += 1) {
    const version = `1.${minor}.0`;
    versions[version] = { name, version, dist: { tarball: `https://npm.example/${name}-${version}.tgz` } };
    time[version] = new Date(Date.UTC(2024, minor, 1)).toISOString();
  }
  const body = JSON.stringify({ name, 'dist-tags': { latest: '1.19.0' }, versions, time });
  response.writeHead(200, { ETag: etag, 'Content-Type': 'application/json' }).end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit(0));

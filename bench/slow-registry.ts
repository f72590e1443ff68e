// A package registry as a process of its own that answers in 20 ms: every package has three versions with archives, whose
// declarations differ. The number at the end of a name says how much it declares.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { packed } from '../src/domain/archive/archive.fixture.ts';

const ANSWERS_IN_MS = 20;
const VERSIONS = ['1.0.0', '2.0.0', '3.0.0'];
const LEAST_NAMES = 20;

const kept = new Map<string, Uint8Array>();

function archiveOf(name: string, version: string): Uint8Array {
  const key = `${name}@${version}`;
  const archive = kept.get(key) ?? packed(filesOf(name, version));
  kept.set(key, archive);
  return archive;
}

function filesOf(name: string, version: string): Record<string, string> {
  const names = Math.max(LEAST_NAMES, Number(/(\d+)$/.exec(name)?.[1] ?? 0));
  const lines = Array.from({ length: names }, (_, at) => {
    const more = at % 10 === 0 ? `in${version[0]}: string; ` : '';
    return `export interface Options${at} { ${more}size?: number }\nexport declare function make${at}(options: Options${at}): void;`;
  });
  return {
    'package.json': JSON.stringify({ name, version, types: './index.d.ts', main: './index.js' }),
    'index.js': '',
    'index.d.ts': lines.join('\n'),
  };
}

function documentOf(name: string, origin: string) {
  const versions = VERSIONS.map((version) => {
    const integrity = `sha512-${createHash('sha512').update(archiveOf(name, version)).digest('base64')}`;
    return [version, { name, version, dist: { tarball: `${origin}/${name}/-/${version}.tgz`, integrity } }];
  });
  const time = VERSIONS.map((version, at) => [version, new Date(Date.UTC(2024, at, 1)).toISOString()]);
  const latest = VERSIONS.at(-1);
  return { name, 'dist-tags': { latest }, versions: Object.fromEntries(versions), time: Object.fromEntries(time) };
}

const server = createServer((request, response) => {
  // Nothing is sent along a connection that is just being closed.
  response.setHeader('Connection', 'close');
  const path = decodeURIComponent((request.url ?? '/').slice(1));
  const [, name = '', version] = /^(.+?)(?:\/-\/(.+)\.tgz)?$/.exec(path) ?? [];
  setTimeout(() => {
    if (version !== undefined) return void response.end(archiveOf(name, version));
    const body = JSON.stringify(documentOf(name, `http://${request.headers.host}`));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
  }, ANSWERS_IN_MS);
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit(0));

// The baseline: node:http and nothing else, sending the same bytes: a body and, when given, its headers.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port = '0', file = '', headerFile = ''] = process.argv.slice(2);
const body = readFileSync(file);
const headers: Record<string, string> = headerFile
  ? JSON.parse(readFileSync(headerFile, 'utf8'))
  : { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(body.length) };

createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
}).listen(Number(port), '127.0.0.1');

process.on('SIGTERM', () => process.exit(0));

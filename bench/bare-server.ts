// The baseline: node:http and nothing else, sending the bytes of a file with the type they have.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port = '0', file = ''] = process.argv.slice(2);
const body = readFileSync(file);

createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length });
  response.end(body);
}).listen(Number(port), '127.0.0.1');

process.on('SIGTERM', () => process.exit(0));

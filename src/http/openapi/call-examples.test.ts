import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { readConfig } from '../../config.ts';
import { ROUTES } from '../routes/index.ts';
import { curlExample, sampleBody, scriptExample } from './call-examples.ts';
import { createOpenApi } from './document.ts';

const document = await createOpenApi(readConfig({}), ROUTES);

describe('examples of calls', () => {
  const call = (method: string, path: string) => {
    const operation = document.paths[path]?.[method];
    assert.ok(operation);
    return { baseUrl: 'http://localhost:8080', method, path, operation };
  };
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => call(method, path)),
  );

  it('fill the path and what is required', () => {
    assert.equal(
      curlExample(call('get', '/v1/whats-changed')),
      "curl 'http://localhost:8080/v1/whats-changed?package=%40acme%2Fcli&from=1.0.0&to=latest'",
    );
    assert.equal(
      curlExample(call('post', '/v1/collections/{col}/members')),
      [
        "curl -X POST 'http://localhost:8080/v1/collections/build-tools/members' \\",
        '  -H "Authorization: Bearer $KEY" \\',
        "  -H 'Content-Type: application/json' \\",
        `  -d '{"orgSlug":"acme"}'`,
      ].join('\n'),
    );
  });

  it('leave no parameter open', () => {
    for (const each of all) assert.doesNotMatch(curlExample(each).split(' -d ')[0] ?? '', /\{|undefined/, each.path);
  });

  it('are commands that a shell reads with the body in one piece', () => {
    const bodies = all.filter(({ operation }) => operation.requestBody);
    const script = ['curl() { for last; do :; done; printf "%s\\0" "$last"; }', ...bodies.map(curlExample)].join('\n');
    const read = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
    assert.deepEqual(
      read.map((text) => JSON.parse(text)),
      bodies.map(({ operation }) => sampleBody(operation)),
    );
  });

  it('are programs that JavaScript reads', () => {
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
    for (const each of all) assert.doesNotThrow(() => new AsyncFunction('key', scriptExample(each)), each.path);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { argumentError } from './server.ts';
import { TOOLS } from './tools/index.ts';

const INPUT = z.strictObject({
  query: z.string().min(1).max(5),
  limit: z.int().min(1).max(50).optional(),
  mode: z.enum(['lexical', 'hybrid']).optional(),
  types: z
    .array(z.enum(['orgs', 'releases']))
    .min(1)
    .max(3)
    .optional(),
  breaking: z.union([z.boolean(), z.enum(['major', 'minor'])]).optional(),
  rest: z.record(z.string(), z.string()).optional(),
});

function wordsOf(given: Record<string, unknown>): string {
  const result = INPUT.safeParse(given);
  assert.ok(!result.success);
  return argumentError(result.error, INPUT, given).message;
}

describe('argumentError', () => {
  const cases: [given: Record<string, unknown>, words: string][] = [
    [{}, 'query: is required'],
    [{ query: '' }, 'query: must not be empty, not ""'],
    [{ query: 7 }, 'query: must be a text, not 7'],
    [{ query: 'abcdef' }, 'query: must have at most 5 characters, not "abcdef"'],
    [{ query: 'x', limit: 0 }, 'limit: must be at least 1, not 0'],
    [{ query: 'x', limit: 51 }, 'limit: must be at most 50, not 51'],
    [{ query: 'x', limit: 1.5 }, 'limit: must be a whole number, not 1.5'],
    [{ query: 'x', limit: '10' }, 'limit: must be a number, not "10"'],
    [{ query: 'x', mode: 'fast' }, 'mode: must be one of lexical, hybrid, not "fast"'],
    [{ query: 'x', types: [] }, 'types: must not be empty, not `[]`'],
    [{ query: 'x', types: ['org'] }, 'types.0: must be one of orgs, releases, not "org"'],
    [{ query: 'x', types: 'orgs' }, 'types: must be a list, not "orgs"'],
    [{ query: 'x', breaking: 'yes' }, 'breaking: must be true or false or must be one of major, minor, not "yes"'],
    [{ query: 'x', rest: [] }, 'rest: must be an object, not `[]`'],
    [{ query: 'x', limt: 1 }, 'limt: unknown argument; the arguments are query, limit, mode, types, breaking, rest'],
    [{ query: 7, limit: 51 }, 'query: must be a text, not 7; limit: must be at most 50, not 51'],
  ];
  for (const [given, words] of cases) it(JSON.stringify(given), () => assert.equal(wordsOf(given), words));

  it('no tool answers with the words of the schema library', () => {
    const wrong = [null, [], {}, '', 'x'.repeat(3_000), -1, 1e9, 1.5, true, ['x'], { x: 1 }];
    for (const { name, input } of TOOLS) {
      for (const argument of Object.keys(input.shape)) {
        for (const value of wrong) {
          const given = { [argument]: value };
          const result = input.safeParse(given);
          if (result.success) continue;
          const { message } = argumentError(result.error, input, given);
          assert.doesNotMatch(message, /Invalid|Too (big|small)|expected|received|[<>]=/, `${name}: ${message}`);
        }
      }
    }
  });
});

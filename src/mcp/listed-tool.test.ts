import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { countTokens } from '../domain/tokens/index.ts';
import { listedTool, type SchemaDocument, shortSchema } from './listed-tool.ts';
import { TOOLS } from './tools/index.ts';

const MAX_TOKENS = 7_600;

it('the list of tools has at most 7,600 tokens, so that there is room below the 8,000 that it may have', () => {
  const tokens = countTokens(JSON.stringify({ tools: TOOLS.map(listedTool) }));
  assert.ok(tokens <= MAX_TOKENS, String(tokens));
});

describe('shortSchema', () => {
  const release = z.object({
    id: z.string().describe('Never listed.'),
    breaking: z.enum(['none', 'major']),
    kind: z.enum(['a', 'b', 'c', 'd', 'e', 'f']),
    source: z.object({ slug: z.string() }).nullable(),
    excerpt: z.string().optional(),
  });
  const cases: [name: string, schema: z.ZodType, listed: object][] = [
    [
      'fields of the result keep types and choices',
      z.object({ count: z.int().min(0).describe('How many.'), worst: z.enum(['none', 'major']).nullable() }),
      {
        type: 'object',
        properties: { count: { type: 'integer' }, worst: { enum: ['none', 'major', null] } },
        required: ['count', 'worst'],
      },
    ],
    [
      'what is inside is listed by the names that are always there',
      z.object({ releases: z.array(release) }),
      {
        type: 'object',
        properties: {
          releases: { type: 'array', items: { type: 'object', required: ['id', 'breaking', 'kind', 'source'] } },
        },
        required: ['releases'],
      },
    ],
  ];
  for (const [name, schema, listed] of cases) {
    it(name, () => assert.deepEqual(shortSchema({ ...z.toJSONSchema(schema) } as SchemaDocument), listed));
  }
});

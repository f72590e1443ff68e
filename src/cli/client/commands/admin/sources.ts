// Operator commands for sources.
import { EDITED } from '../../../../contract/edited-fields.ts';
import type { FETCH_PRIORITIES } from '../../../../contract/enums.ts';
import { UsageError } from '../../../command.ts';
import { bodyField, changeOf, operatorCommand } from '../../operator-command.ts';
import { byIdOrSlug, sourceIdOf, sourcePath } from '../../references.ts';
import { deletion, restoration, SOURCE } from './entities.ts';

const PRIORITIES: readonly (typeof FETCH_PRIORITIES)[number][] = ['normal', 'low', 'paused'];

const SOURCE_FIELDS = [
  bodyField({ name: 'url', kind: 'text', help: 'address of the source' }),
  bodyField({ name: 'type', kind: 'text', help: 'type: github, feed, scrape, …' }),
  EDITED.kind,
  bodyField({ name: 'isPrimary', kind: 'switch', help: 'the main source of its product or org', flag: 'primary' }),
  EDITED.isHidden,
  bodyField({ name: 'fetchPriority', kind: 'text', help: 'how often it is fetched', choices: PRIORITIES }),
];

export const adminSourceCommands = [
  operatorCommand({
    name: 'admin source create',
    summary: 'Track a source as it is given; `admin source add` looks at the address first',
    arguments: [{ name: 'url', help: 'address of the source' }],
    fields: [
      bodyField({ name: 'name', kind: 'text', help: 'name of the source' }),
      EDITED.slug,
      ...SOURCE_FIELDS.filter(({ name }) => name !== 'url'),
      bodyField({ name: 'fetch', kind: 'switch', help: 'fetch it at once' }),
    ],
    flags: {
      org: { type: 'string', value: 'org', complete: 'org', help: 'org of the source; none unless given' },
      product: { type: 'string', value: 'product', help: 'product of that org' },
    },
    examples: ['registry admin source create https://github.com/acme/cli --name cli --org acme --fetch'],
    call: ({ args, flags }, body) => {
      if (body.name === undefined) throw new UsageError('--name is required');
      const owner = {
        ...(typeof flags.org === 'string' ? byIdOrSlug('org', flags.org) : {}),
        ...(typeof flags.product === 'string' ? byIdOrSlug('product', flags.product) : {}),
      };
      return { method: 'POST', path: '/v1/sources', body: { ...body, ...owner, url: args.url } };
    },
  }),
  operatorCommand({
    name: 'admin source edit',
    summary: 'Change a source',
    arguments: [SOURCE],
    fields: [EDITED.name, EDITED.slug, ...SOURCE_FIELDS],
    clears: ['kind', 'notice', 'productId', 'orgId', 'nextFetchAfter'],
    examples: ['registry admin source edit acme/cli --fetch-priority paused'],
    call: async ({ args, api }, body) => ({
      method: 'PATCH',
      path: await sourcePath(api, args.source ?? ''),
      body: changeOf(body),
    }),
  }),
  deletion({ entity: 'source', argument: SOURCE, idOf: sourceIdOf }),
  restoration('source'),
  operatorCommand({
    name: 'admin source probe',
    summary: 'Which changelog files the repository of a source has today',
    arguments: [SOURCE],
    examples: ['registry admin source probe acme/cli'],
    call: async ({ args, api }) => ({
      method: 'POST',
      path: `${await sourcePath(api, args.source ?? '')}/changelog/probe`,
      body: {},
    }),
  }),
];

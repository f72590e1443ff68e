import type { CollectionDetail, CollectionListItem } from '../../../contract/collection.ts';
import { EXIT, textFlag } from '../../command.ts';
import { path } from '../api.ts';
import { clientCommand } from '../client-command.ts';
import { numberedPages, printList } from '../paging.ts';
import { collectionFields, printRecord } from '../records.ts';
import { COLLECTION_COLUMNS } from '../views.ts';

export const collectionCommands = [
  clientCommand({
    name: 'collection list',
    summary: 'Curated collections by name',
    flags: {
      query: { type: 'string', value: 'text', help: 'only with this in the name' },
      featured: { type: 'boolean', help: 'only featured ones' },
    },
    isPaged: true,
    examples: ['registry collection list', 'registry collection list --featured --json'],
    run: (session) => {
      const { api, flags } = session;
      const query = { q: textFlag(flags, 'query'), featured: flags.featured === true ? true : undefined };
      const read = numberedPages<CollectionListItem>(api, { path: '/v1/collections', query, key: 'items' });
      return printList(session, { read, columns: COLLECTION_COLUMNS, none: 'no collection matches' });
    },
  }),
  clientCommand({
    name: 'collection get',
    summary: 'A collection with its members',
    arguments: [{ name: 'collection', help: 'slug or id' }],
    examples: ['registry collection get frontend'],
    async run({ args, api, output }) {
      const answer = await api.get<CollectionDetail>(path`/v1/collections/${args.collection ?? ''}`);
      printRecord(output, { answer, fields: collectionFields(answer) });
      return EXIT.ok;
    },
  }),
];

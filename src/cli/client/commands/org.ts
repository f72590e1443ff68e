import type { OrgDetail, OrgListItem } from '../../../contract/org.ts';
import type { Overview } from '../../../contract/overview.ts';
import type { FeedItem } from '../../../contract/release.ts';
import { type Argument, CommandFailure, EXIT, textFlag, UsageError } from '../../command.ts';
import { path } from '../api.ts';
import { clientCommand } from '../client-command.ts';
import { FEED_FLAGS, feedQuery, WORDS_FLAG } from '../feed-filter.ts';
import { cursorPages, numberedPages, printList } from '../paging.ts';
import { orgFields, printRecord } from '../records.ts';
import { orgName } from '../references.ts';
import { FEED_COLUMNS, ORG_COLUMNS } from '../views.ts';

const ORG: Argument = { name: 'org', help: 'slug, id or domain of the org', complete: 'org' };

export const orgCommands = [
  clientCommand({
    name: 'org list',
    summary: 'Orgs of the registry by name',
    flags: {
      query: { type: 'string', value: 'text', help: 'only with this in name, slug or domain' },
      category: { type: 'string', value: 'category', help: 'only of this category' },
      empty: { type: 'boolean', help: 'also orgs without a release' },
    },
    isPaged: true,
    examples: ['registry org list', 'registry org list --query acme --json', 'registry org list --all'],
    run: (session) => {
      const { api, flags } = session;
      const query = {
        q: textFlag(flags, 'query'),
        category: textFlag(flags, 'category'),
        includeEmpty: flags.empty === true ? true : undefined,
      };
      const read = numberedPages<OrgListItem>(api, { path: '/v1/orgs', query, key: 'items' });
      return printList(session, { read, columns: ORG_COLUMNS, none: 'no org matches' });
    },
  }),
  clientCommand({
    name: 'org get',
    summary: 'An org with its products and sources',
    arguments: [ORG],
    hasMarkdown: true,
    examples: ['registry org get acme', 'registry org get acme.example --md'],
    async run({ args, api, output }) {
      const where = path`/v1/orgs/${orgName(args.org ?? '', api.server)}`;
      if (output.mode === 'markdown') output.text(await api.markdown(where));
      else {
        const answer = await api.get<OrgDetail>(where);
        printRecord(output, { answer, fields: orgFields(answer) });
      }
      return EXIT.ok;
    },
  }),
  clientCommand({
    name: 'org releases',
    summary: 'Releases of all sources of an org, newest first',
    arguments: [ORG],
    flags: {
      ...FEED_FLAGS,
      query: WORDS_FLAG,
    },
    isPaged: true,
    hasMarkdown: true,
    examples: ['registry org releases acme --since 30d', 'registry org releases acme --all --json'],
    async run(session) {
      const { args, api, flags, output } = session;
      const where = path`/v1/orgs/${orgName(args.org ?? '', api.server)}/releases`;
      const query = {
        ...feedQuery(flags),
        q: textFlag(flags, 'query'),
      };
      if (output.mode === 'markdown') {
        if (flags.all) throw new UsageError('--md and --all exclude each other');
        const page = { limit: textFlag(flags, 'limit'), cursor: textFlag(flags, 'cursor') };
        output.text(await api.markdown(where, { ...query, ...page }));
        return EXIT.ok;
      }
      const lean = { ...query, include_content: false };
      const read = cursorPages<FeedItem>(api, { path: where, query: lean, key: 'releases' });
      return printList(session, { read, columns: FEED_COLUMNS, none: 'no release matches' });
    },
  }),
  clientCommand({
    name: 'org overview',
    summary: 'The written overview of an org',
    arguments: [ORG],
    examples: ['registry org overview acme'],
    async run({ args, api, output }) {
      const org = orgName(args.org ?? '', api.server);
      const overview = await api.get<Overview | null>(path`/v1/orgs/${org}/overview`);
      if (overview === null) throw new CommandFailure(`${org} has no overview`);
      if (output.mode === 'json') output.json(overview);
      else output.text(overview.content);
      return EXIT.ok;
    },
  }),
  clientCommand({
    name: 'org manifest',
    summary: 'The domain manifest of an org, as JSON',
    arguments: [ORG],
    examples: ['registry org manifest acme > releases.json'],
    async run({ args, api, output }) {
      output.json(await api.get(path`/v1/orgs/${orgName(args.org ?? '', api.server)}/manifest`));
      return EXIT.ok;
    },
  }),
];

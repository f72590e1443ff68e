import type { ChangelogSlice } from '../../../contract/changelog.ts';
import type { FeedItem } from '../../../contract/release.ts';
import type { SourceDetail, SourceItem } from '../../../contract/source.ts';
import { type Argument, countFlag, EXIT, type Flag, textFlag, UsageError } from '../../command.ts';
import { clientCommand, type Session } from '../client-command.ts';
import { FEED_FLAGS, feedQuery, WORDS_FLAG } from '../feed-filter.ts';
import { cursorPages, numberedPages, printList } from '../paging.ts';
import { printRecord, sourceFields } from '../records.ts';
import { orgName, sourcePath } from '../references.ts';
import { FEED_COLUMNS, SOURCE_COLUMNS } from '../views.ts';

const SOURCE: Argument = { name: 'source', help: 'org/slug, id or a slug that is unique', complete: 'source' };

const CHANGELOG_FLAGS = {
  offset: { type: 'string', value: 'n', help: 'begin at this character' },
  tokens: { type: 'string', value: 'n', help: 'about so many tokens; 10000 unless given' },
  path: { type: 'string', value: 'file', help: 'one of several files' },
  all: { type: 'boolean', help: 'the whole file' },
} satisfies Record<string, Flag>;

const DEFAULT_TOKENS = 10_000;
const MAX_TOKENS = 200_000;

export const sourceCommands = [
  clientCommand({
    name: 'source list',
    summary: 'Sources of the registry',
    flags: {
      org: { type: 'string', value: 'org', complete: 'org', help: 'only of this org' },
      query: { type: 'string', value: 'text', help: 'only with this in name, slug or address' },
      type: { type: 'string', value: 'type', help: 'only of this type: github, feed, scrape, …' },
    },
    isPaged: true,
    examples: ['registry source list --org acme', 'registry source list --all --json'],
    run: (session) => {
      const { api, flags } = session;
      const org = textFlag(flags, 'org');
      const query = {
        orgSlug: org === undefined ? undefined : orgName(org, api.server),
        q: textFlag(flags, 'query'),
        type: textFlag(flags, 'type'),
        envelope: true,
      };
      const read = numberedPages<SourceItem>(api, { path: '/v1/sources', query, key: 'items' });
      return printList(session, { read, columns: SOURCE_COLUMNS, none: 'no source matches' });
    },
  }),
  clientCommand({
    name: 'source get',
    summary: 'A source, with the state of its checks',
    arguments: [SOURCE],
    hasMarkdown: true,
    examples: ['registry source get acme/cli'],
    async run({ args, api, output }) {
      const where = await sourcePath(api, args.source ?? '');
      if (output.mode === 'markdown') output.text(await api.markdown(where));
      else {
        const answer = await api.get<SourceDetail>(where, { limit: 1, include_content: false });
        printRecord(output, { answer, fields: sourceFields(answer) });
      }
      return EXIT.ok;
    },
  }),
  clientCommand({
    name: 'source releases',
    summary: 'Releases of a source, newest first',
    arguments: [SOURCE],
    flags: {
      ...FEED_FLAGS,
      query: WORDS_FLAG,
    },
    isPaged: true,
    examples: ['registry source releases acme/cli --limit 5', 'registry source releases acme/cli --all --json'],
    async run(session) {
      const { args, api, flags } = session;
      const query = {
        ...feedQuery(flags),
        q: textFlag(flags, 'query'),
        include_content: false,
      };
      const where = `${await sourcePath(api, args.source ?? '')}/releases`;
      const read = cursorPages<FeedItem>(api, { path: where, query, key: 'releases' });
      return printList(session, { read, columns: FEED_COLUMNS, none: 'no release matches' });
    },
  }),
  clientCommand({
    name: 'source changelog',
    summary: 'The changelog file of a source, in slices that end at headings',
    arguments: [SOURCE],
    flags: CHANGELOG_FLAGS,
    examples: ['registry source changelog acme/cli', 'registry source changelog acme/cli --all > CHANGELOG.md'],
    run: printChangelog,
  }),
  clientCommand({
    name: 'changelog',
    summary: 'The same as `source changelog`',
    arguments: [SOURCE],
    flags: CHANGELOG_FLAGS,
    examples: ['registry changelog acme/cli --tokens 2000'],
    run: printChangelog,
  }),
];

async function printChangelog({ args, api, flags, output }: Session): Promise<number> {
  const where = `${await sourcePath(api, args.source ?? '')}/changelog`;
  const tokens = countFlag(flags, 'tokens', { most: MAX_TOKENS }) ?? DEFAULT_TOKENS;
  if (flags.all && flags.offset !== undefined) throw new UsageError('--all and --offset exclude each other');
  let offset = countFlag(flags, 'offset', { most: Number.MAX_SAFE_INTEGER, least: 0 }) ?? 0;
  let text = '';
  for (;;) {
    const slice = await api.get<ChangelogSlice>(where, { offset, tokens, path: textFlag(flags, 'path') });
    if (output.mode === 'json') output.json(slice, flags.all ? 'stream' : undefined);
    else if (flags.all) text += slice.content;
    else output.text(slice.content);
    if (slice.nextOffset !== null && flags.all) {
      offset = slice.nextOffset;
      continue;
    }
    if (output.mode !== 'json' && flags.all) output.text(text);
    if (slice.nextOffset !== null)
      output.note(`${slice.totalChars} characters in all; --offset ${slice.nextOffset} goes on`);
    if (slice.truncated) output.note('the stored file was cut; the rest is at its origin');
    return EXIT.ok;
  }
}

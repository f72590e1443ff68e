import { z } from 'zod';
import { type ChangelogSlice, changelogSlice } from '../../contract/changelog.ts';
import { ApiError } from '../../contract/errors.ts';
import { count } from '../../contract/pagination.ts';
import { countTokens } from '../../domain/tokens/index.ts';
import { type Cut, listCut, MAX_TOKENS, MIN_TOKENS } from '../budget.ts';
import { blocks, bullets, facts, lines, QUOTE_NOTE, section } from '../markdown.ts';
import { inline, link, quoted } from '../quoting.ts';
import { locateSource } from '../references.ts';
import type { RegistryApi } from '../registry-api.ts';
import { fitResult } from '../result.ts';
import { COMPLETE } from '../shapes.ts';
import { textCut, windowOf } from '../text-window.ts';
import { tool } from '../tool.ts';

const output = {
  ...changelogSlice.shape,
  offset: count.describe('Where `content` begins.'),
  nextOffset: count.nullable().describe('Argument `offset` of the next call; null: this is the end.'),
  truncated: z.boolean().describe('true: the registry stores only the beginning of the file.'),
};

export const getChangelog = tool({
  name: 'get_changelog',
  title: 'Read a changelog file',
  description:
    'A slice of a stored changelog file of a source, cut at headings where the budget allows. `offset` is taken exactly, so search passages and `nextOffset` lead to the right place.',
  input: {
    source: z.string().trim().min(1).max(300).describe('org/slug, src_ id, or a unique slug.'),
    path: z.string().min(1).max(1000).optional().describe('File of the source; its main changelog unless given.'),
    offset: z.int().min(0).default(0).describe('Character of the file to begin with.'),
    tokens: z.int().min(MIN_TOKENS).max(MAX_TOKENS).default(5000).describe('About how long the slice is, in tokens.'),
  },
  output,
  async run({ api, maxTokens, given }, { source, ...range }) {
    const slice = await sliceAt(api, await locateSource(api, source), range);
    const { offset, totalChars, files } = slice;
    if (range.offset > 0 && range.offset >= totalChars) throw beyondTheEnd(slice);
    const cuts: Cut<ChangelogSlice>[] = [listCut('files', 10), textCut('content'), listCut('files')];
    return fitResult<ChangelogSlice>(
      {
        value: slice,
        cuts: cuts.map((cut) => ({
          most: cut.most,
          apply: (value, steps) => measured(cut.apply(value, steps), { totalChars, offset }),
        })),
        text: changelogText,
        unit: 'characters',
        truncation(value, cut) {
          if (!cut && value.nextOffset === null) return COMPLETE;
          const { nextOffset } = value;
          return {
            truncated: true,
            reason: cut ? 'token_budget' : 'limit',
            omitted: nextOffset === null ? files.length - value.files.length : totalChars - nextOffset,
            next: nextOffset === null ? null : { ...given, offset: nextOffset },
          };
        },
      },
      maxTokens,
    );
  },
});

function beyondTheEnd({ path, totalChars }: ChangelogSlice): ApiError {
  const reason = `the file ${path} ends at character ${totalChars}; there is nothing at or behind it, begin with a smaller offset`;
  return new ApiError('bad_request', `offset: ${reason}`, { parameter: 'offset', reason });
}

interface ChangelogRange {
  path?: string | undefined;
  offset: number;
  tokens: number;
}

// The API begins a slice at the next heading. If that skips the rest of a section, this rest is returned as the slice.
async function sliceAt(
  api: RegistryApi,
  { path, params }: Awaited<ReturnType<typeof locateSource>>,
  { path: file, offset, tokens }: ChangelogRange,
): Promise<ChangelogSlice> {
  const slice = await api.get(`${path}/changelog`, { params, query: { path: file, offset, tokens } });
  if (slice.offset <= offset) return slice;
  const whole = await api.get(`${path}/changelog`, { params, query: { path: slice.path } });
  const content = windowOf(whole.content.slice(0, slice.offset), offset, tokens);
  return measured({ ...slice, content, offset }, { totalChars: slice.totalChars, offset });
}

function measured(
  value: ChangelogSlice,
  { totalChars, offset }: { totalChars: number; offset: number },
): ChangelogSlice {
  const end = offset + value.content.length;
  return { ...value, nextOffset: end < totalChars ? end : null, sliceTokens: countTokens(value.content) };
}

function changelogText(value: ChangelogSlice): string {
  const { path, url, content, offset, nextOffset, totalChars, totalTokens, fetchedAt, files } = value;
  const others = files.filter((file) => file.path !== path);
  return blocks(
    `# ${inline(path)}`,
    lines(
      facts(link(url), `read ${fetchedAt}`, `${totalChars} characters`, `${totalTokens} tokens`),
      value.truncated &&
        `The registry stores only the first ${value.truncatedAt ?? totalChars} characters of the file.`,
    ),
    QUOTE_NOTE,
    section(
      `Characters ${offset} to ${nextOffset ?? totalChars}${nextOffset === null ? ', the end' : ''}`,
      quoted(content),
    ),
    section('Other files', bullets(others.map((file) => facts(inline(file.path), `${file.bytes} bytes`)))),
  );
}

import { z } from 'zod';
import { badRequest } from '../../contract/errors.ts';
import { count } from '../../contract/pagination.ts';
import { composition, mediaItem, type ReleaseDetail } from '../../contract/release.ts';
import { type Cut, excerptCut } from '../budget.ts';
import { blocks, bullets, facts, lines, QUOTE_NOTE, releaseBlock, section } from '../markdown.ts';
import { link, quoted, shortened } from '../quoting.ts';
import { releaseIdNamed } from '../references.ts';
import { fitResult } from '../result.ts';
import { COMPLETE, excerptItem, releaseListItem, toListItem } from '../shapes.ts';
import { textCut, windowOf } from '../text-window.ts';
import { tool } from '../tool.ts';

const media = mediaItem.pick({ type: true, url: true, alt: true });

const output = {
  release: releaseListItem.extend({
    composition: composition.nullable(),
    migrationNotes: z.string().nullable().describe('What to do before upgrading.'),
    media: z.array(media),
    coverageOf: z.string().nullable().describe('The release that this one is further coverage of.'),
    derivedBy: z.enum(['rules', 'model', 'operator']).describe('What summary, notes and verdict were derived by.'),
  }),
  content: z.string().describe('The text from `contentOffset` on.'),
  contentOffset: count,
  nextContentOffset: count.nullable().describe('Argument `content_offset` of the next call; null: this is the end.'),
};

type ReleaseResult = z.output<z.ZodObject<typeof output>>;

export const getRelease = tool({
  name: 'get_release',
  title: 'Read a release',
  description:
    'One release with its text, composition, migration notes and media. A text longer than the budget comes in parts: go on with `content_offset`.',
  input: {
    release: z.string().trim().min(1).max(2000).describe('rel_ id, org/source@version or page address.'),
    content_offset: z.int().min(0).default(0).describe('Character of the text to begin with.'),
  },
  output,
  async run({ api, maxTokens, given }, { release, content_offset: offset }) {
    const detail = await api.get('/releases/{rel}', { params: { rel: await releaseIdNamed(api, release) } });
    const { content } = detail;
    if (offset > 0 && offset >= content.length) {
      throw badRequest('content_offset', `must be less than ${content.length}, the length of the text`);
    }
    const text = windowOf(content, offset, maxTokens);
    const nextOf = (part: string) => (offset + part.length < content.length ? offset + part.length : null);
    const contentCut: Cut<ReleaseResult> = textCut('content');
    return fitResult<ReleaseResult>(
      {
        value: {
          release: releaseOf(detail),
          content: text,
          contentOffset: offset,
          nextContentOffset: nextOf(text),
        },
        cuts: (offset === 0 ? [contentCut, ...ASIDE_CUTS] : [...ASIDE_CUTS, contentCut]).map((cut) => ({
          most: cut.most,
          apply: (value, steps) => {
            const after = cut.apply(value, steps);
            return { ...after, nextContentOffset: nextOf(after.content) };
          },
        })),
        text: releaseText,
        unit: 'characters',
        truncation({ nextContentOffset: next }, cut) {
          if (!cut && next === null) return COMPLETE;
          return {
            truncated: true,
            reason: 'token_budget',
            omitted: next === null ? 0 : content.length - next,
            next: next === null ? null : { ...given, content_offset: next },
          };
        },
      },
      maxTokens,
    );
  },
});

// Cuts of everything besides the text. A caller who continues reading has already seen it, so then it is cut first.
const ASIDE_CUTS: Cut<ReleaseResult>[] = [
  {
    most: ({ release }) => release.media.length,
    apply: (value, steps) => {
      const media = value.release.media.slice(0, value.release.media.length - steps);
      return { ...value, release: { ...value.release, media } };
    },
  },
  excerptCut((value, length) => {
    const { migrationNotes } = value.release;
    const release = excerptItem(value.release, length);
    return { ...value, release: { ...release, migrationNotes: migrationNotes && shortened(migrationNotes, length) } };
  }),
];

function releaseOf(detail: ReleaseDetail): ReleaseResult['release'] {
  return {
    ...toListItem(detail),
    composition: detail.composition,
    migrationNotes: detail.migrationNotes,
    media: detail.media.map((item) => media.parse(item)),
    coverageOf: detail.coverageOf,
    derivedBy: detail.derivedBy,
  };
}

function releaseText({ release, content, contentOffset, nextContentOffset }: ReleaseResult): string {
  const { composition: parts, migrationNotes } = release;
  const range = `characters ${contentOffset} to ${contentOffset + content.length}${nextContentOffset === null ? ', the end' : ''}`;
  return blocks(
    '# Release',
    QUOTE_NOTE,
    releaseBlock(release),
    lines(
      parts && facts(`${parts.features} features`, `${parts.enhancements} enhancements`, `${parts.bugs} bugs`),
      `derived by ${release.derivedBy}`,
      release.coverageOf !== null && `further coverage of ${release.coverageOf}`,
    ),
    migrationNotes !== null && section('Before you upgrade', quoted(migrationNotes)),
    section('Media', bullets(release.media.map(({ type, url }) => facts(type, link(url))))),
    section(`Text (${range})`, quoted(content) || 'The release has no text.'),
  );
}

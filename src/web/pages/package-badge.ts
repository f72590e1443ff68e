// /packages/{ecosystem}/{name}/badge.svg: the newest version of a package as a picture for a README; with `from`, whether the
// update from that version breaks.
import type { Context } from '../../context.ts';
import { ANONYMOUS } from '../../contract/caller.ts';
import type { Breaking } from '../../contract/enums.ts';
import { ApiError } from '../../contract/errors.ts';
import type { PackageDetail } from '../../contract/package.ts';
import { text } from '../../contract/query.ts';
import { MAX_QUERY_CHARACTERS, type WhatsChanged } from '../../contract/whats-changed.ts';
import { isByVersionAlone } from '../../domain/upgrade/judgement.ts';
import { levelOf } from '../../domain/upgrade/report/answer.ts';
import { Reply } from '../../http/kernel/reply.ts';
import { route } from '../../http/kernel/route.ts';
import { packageDetail } from '../../packages/details/detail.ts';
import { whatsChanged } from '../../packages/whats-changed/index.ts';
import { escapeXml } from '../discovery/file.ts';
import { askedUpgrade } from './upgrades/asked.ts';
import { loadUpgrade, type UpgradeView } from './upgrades/load.ts';

const SECONDS = 3600;
const MAX_LENGTH = 40;

// Letters have no fixed width, and the picture must not load a font: the text is stretched to the width that is reserved.
const LETTER = 6.6;
const PADDING = 6;

export const badgeRoutes = [
  '/packages/{ecosystem}/{name}/badge.svg',
  '/packages/{ecosystem}/{scope}/{name}/badge.svg',
  '/packages/{ecosystem}/{scope}/{name}/{step}/badge.svg',
].map((path) =>
  route({
    method: 'GET',
    path,
    summary: 'The newest version of a package as a picture',
    tag: 'Pages',
    access: 'public',
    query: { from: text({ max: MAX_QUERY_CHARACTERS }) },
    answers: null,
    cache: [SECONDS, SECONDS],
    // A picture is the same for everybody, so a private package has none; and it orders no comparison.
    run: async (called, { params, query: { from } }) => {
      const ctx = { ...called, caller: { ...ANONYMOUS, passive: true as const } };
      const { ecosystem = '', scope, name = '' } = params;
      const upgrade = askedUpgrade(params);
      if (upgrade) {
        const view = await loadUpgrade(ctx, upgrade, { asker: 'api', suffix: '/badge.svg' });
        return view instanceof Reply ? view : picture(badgeOfUpgrade(view));
      }
      const asked = { ecosystem, name: scope === undefined ? name : `${scope}/${name}` };
      const detail = await packageDetail(ctx, asked);
      const shown = !from ? newest(detail) : await judged(ctx, detail, from);
      return picture(shown);
    },
  }),
);

function picture(shown: Badge): Reply {
  return new Reply(200, badge(shown), {
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  });
}

function badgeOfUpgrade({ answer, step: { labels } }: UpgradeView): Badge {
  const [value, color] = wordsOf(answer);
  return { label: `${labels.from} → ${labels.to}`, value, color };
}

interface Badge {
  label: string;
  value: string;
  color: string;
}

const BLUE = '#1f5fa8';

function newest({ ecosystem, latest }: PackageDetail): Badge {
  return { label: ecosystem, value: latest ?? 'not known', color: BLUE };
}

const LEVELS: Record<Breaking, [words: string, color: string]> = {
  major: ['breaks', '#a8321f'],
  minor: ['may break', '#8a5a00'],
  unknown: ['not known', '#5a5f67'],
  none: ['no sign of a break', '#2f6f3e'],
};

// Nothing but the number says that it breaks.
const NEW_MAJOR: [words: string, color: string] = ['new major version', LEVELS.major[1]];

function wordsOf(answer: WhatsChanged): [words: string, color: string] {
  return isByVersionAlone(answer) ? NEW_MAJOR : LEVELS[levelOf(answer)];
}

// A version that cannot be read, or that is newer than the latest, is not known.
async function judged(ctx: Context, { ecosystem, name }: PackageDetail, from: string): Promise<Badge> {
  const question = { package: name, ecosystem, from, to: 'latest' };
  // Nobody waits for what a badge would order, and every caller gets the same one, so it may be cached.
  const passive: Context = { ...ctx, caller: { ...ctx.caller, passive: true }, answer: { ...ctx.answer } };
  const answer = await whatsChanged(passive, question).catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  });
  const { containsHidden, showsRegistry } = passive.answer;
  Object.assign(ctx.answer, { containsHidden, showsRegistry });
  const [words, color] = answer === null ? LEVELS.unknown : wordsOf(answer);
  const isNothing = answer?.judgement === null && words === LEVELS.none[0];
  return { label: `from ${from}`, value: isNothing ? 'up to date' : words, color: isNothing ? BLUE : color };
}

function badge({ label, value, color }: Badge): string {
  const [left, right] = [label, value].map((word) =>
    word.length > MAX_LENGTH ? `${word.slice(0, MAX_LENGTH - 1)}…` : word,
  );
  const [leftWidth, rightWidth] = [left, right].map((word) => Math.round((word ?? '').length * LETTER) + 2 * PADDING);
  const width = (leftWidth ?? 0) + (rightWidth ?? 0);
  const part = (word: string | undefined, x: number, room: number) =>
    `<text x="${x + PADDING}" y="14" textLength="${room - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${escapeXml(word ?? '')}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${escapeXml(`${label}: ${value}`)}"><title>${escapeXml(`${label}: ${value}`)}</title><clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath><g clip-path="url(#r)"><rect width="${leftWidth}" height="20" fill="#4a4f57"/><rect x="${leftWidth}" width="${rightWidth}" height="20" fill="${color}"/></g><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${part(left, 0, leftWidth ?? 0)}${part(right, leftWidth ?? 0, rightWidth ?? 0)}</g></svg>\n`;
}

// /packages/{ecosystem}/{name}/badge.svg: the newest version of a package as a picture for a README.
import { ANONYMOUS } from '../../contract/caller.ts';
import { Reply } from '../../http/kernel/reply.ts';
import { route } from '../../http/kernel/route.ts';
import { packageDetail } from '../../insight/packages/detail.ts';
import { escapeXml } from '../discovery/file.ts';

const SECONDS = 3600;
const LONGEST = 40;

// Letters have no fixed width, and the picture must not load a font: the text is stretched to the width that is reserved.
const LETTER = 6.6;
const PADDING = 6;

export const badgeRoutes = [
  '/packages/{ecosystem}/{name}/badge.svg',
  '/packages/{ecosystem}/{scope}/{name}/badge.svg',
].map((path) =>
  route({
    method: 'GET',
    path,
    summary: 'The newest version of a package as a picture',
    tag: 'Pages',
    access: 'public',
    query: null,
    answers: null,
    cache: [SECONDS, SECONDS],
    // A picture is the same for everybody, so a private package has none.
    run: async (called, { params: { ecosystem = '', scope, name = '' } }) => {
      const ctx = { ...called, caller: ANONYMOUS };
      const { latest } = await packageDetail(ctx, { ecosystem, name: scope === undefined ? name : `${scope}/${name}` });
      return new Reply(200, badge(ecosystem, latest ?? 'not known'), {
        'Content-Type': 'image/svg+xml; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      });
    },
  }),
);

function badge(label: string, value: string): string {
  const [left, right] = [label, value].map((text) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text));
  const [leftWidth, rightWidth] = [left, right].map((text) => Math.round((text ?? '').length * LETTER) + 2 * PADDING);
  const width = (leftWidth ?? 0) + (rightWidth ?? 0);
  const part = (text: string | undefined, x: number, room: number) =>
    `<text x="${x + PADDING}" y="14" textLength="${room - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${escapeXml(text ?? '')}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${escapeXml(`${label}: ${value}`)}"><title>${escapeXml(`${label}: ${value}`)}</title><clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath><g clip-path="url(#r)"><rect width="${leftWidth}" height="20" fill="#4a4f57"/><rect x="${leftWidth}" width="${rightWidth}" height="20" fill="#1f5fa8"/></g><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${part(left, 0, leftWidth ?? 0)}${part(right, leftWidth ?? 0, rightWidth ?? 0)}</g></svg>\n`;
}

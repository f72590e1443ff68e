// The activity of thirty days as a line with a dot at its end; nothing where there was none.
import { type Html, html, plural, raw } from './html.ts';

const WIDTH = 80;
const TOP = 4;
const BASE = 21;
const EDGE = 2;

export function sparkline(counts: readonly number[]): Html {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return '';
  const most = Math.max(...counts, 1);
  const step = (WIDTH - 2 * EDGE) / Math.max(1, counts.length - 1);
  const points = counts.map((count, index) => ({
    x: (EDGE + index * step).toFixed(1),
    y: (BASE - (count / most) * (BASE - TOP)).toFixed(1),
  }));
  const last = points.at(-1) ?? { x: String(EDGE), y: String(BASE) };
  const words = `${plural(total, 'release')} in the last ${counts.length} days`;
  const line = raw(`<path d="M${points.map(({ x, y }) => `${x} ${y}`).join('L')}"/>`);
  return html`<svg class="spark" viewBox="0 0 80 24" role="img" aria-label="${words}"><title>${words}</title>${line}<circle cx="${last.x}" cy="${last.y}" r="2.25"/></svg>`;
}

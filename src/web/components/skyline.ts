// What is coming for a stack as a skyline, and the same in words.
import { skylineOf } from '../../domain/stacks/skyline.ts';
import type { ReportRow } from '../../domain/upgrade/report/row.ts';
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';

export function skylineFigure(rows: readonly ReportRow[]): Html {
  const picture = skylineOf(rows);
  if (picture === null) return '';
  const { width, height, outlines, words } = picture;
  return html`<figure class="skyline"><svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="What is coming, by risk. The words below say the same.">${outlines.map(({ level, path }) => html`<path class="p-${level}" d="${path}"/>`)}</svg><figcaption class="small muted">What is coming: a tower for each update, as high as the versions between.<details class="fold"><summary>${icon('chevron')}The same in words</summary><ul class="mini">${words.map((one) => html`<li>${one}</li>`)}</ul></details></figcaption></figure>`;
}

// The HTML part of a digest: tables and styles of its own, because mail programs know no stylesheets. Every text is escaped.
import {
  type DigestInfo,
  type DigestRow,
  followedLine,
  ledeOf,
  omittedWords,
  periodOf,
  rowFoot,
  rowReason,
  rowWord,
  sectionsOf,
  subjectOf,
  whyWords,
} from './content.ts';

const SANS = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const MONO = "font-family:SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace";
const TABLE = '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

const DARK = `@media (prefers-color-scheme: dark) { .bg { background:#0d1214 !important; } .ink { color:#e5ebec !important; } .txt { color:#b3bcbf !important; } .mut { color:#8e999c !important; } .acc { color:#6ccfde !important; } .line { border-color:#252d30 !important; } .bad { background:#401816 !important; color:#ff9285 !important; } .sec { background:#0e2c34 !important; color:#6ccfde !important; } .may { background:#38260c !important; color:#f0c16e !important; } .btn { background:#6ccfde !important; color:#061317 !important; } }
@media (max-width: 480px) { .pad { padding-left:16px !important; padding-right:16px !important; } }`;

export function digestHtml(facts: DigestInfo): string {
  const { urgent, urgentReleases, mayBreak, others, omitted } = sectionsOf(facts);
  const { links, followed, siteName } = facts;
  const subject = escaped(subjectOf(facts));
  const rows = [
    `<tr><td style="${SANS};font-size:13px;line-height:20px;"><span class="mut" style="color:#596468;">${escaped(siteName)}, ${escaped(periodOf(facts))}</span></td></tr>`,
    `<tr><td style="padding:6px 0 4px;${SANS};"><h1 class="ink" style="margin:0;font-size:24px;line-height:31px;font-weight:600;color:#131e21;">${subject}</h1></td></tr>`,
    `<tr><td class="txt" style="${SANS};font-size:15px;line-height:23px;color:#3b464a;">${escaped(ledeOf(facts))}</td></tr>`,
    ...(urgent.length + urgentReleases.length > 0
      ? [
          heading('Breaks or fixes a security problem'),
          ...urgent.map(rowOf),
          ...urgentReleases.map((one) =>
            cell({
              name: one.title,
              range: '',
              url: one.url,
              mark: one.breaks ? 'bad' : 'sec',
              word: one.breaks ? 'Breaks' : 'Security',
              reason: '',
              foot: one.from,
            }),
          ),
        ]
      : []),
    ...(mayBreak.length > 0 ? [heading('May break'), ...mayBreak.map(rowOf)] : []),
    ...(others.length > 0 ? [heading('Other updates in your stacks'), shortList(others)] : []),
    ...(omitted > 0
      ? [note(`${omittedWords(omitted, facts)}. `, { url: links.stack ?? links.stacks, words: 'See all of them' })]
      : []),
    ...(followed.length > 0
      ? [heading('From what you follow'), note(`${followedLine(facts)}. `, { url: links.following, words: 'See them' })]
      : []),
    ...(facts.rows.length > 0
      ? [button(links.stack ?? links.stacks, links.stack ? 'Open the stack' : 'Open your stacks')]
      : []),
    `<tr><td class="mut line" style="padding:18px 0 0;${SANS};font-size:12px;line-height:19px;color:#596468;">${escaped(whyWords(facts))} ${link(links.settings, 'Change day, hour or contents')} or ${link(links.off, 'stop this mail')}.</td></tr>`,
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${subject}</title><style>
${DARK}
</style></head>
<body class="bg" style="margin:0;padding:0;background:#fafcfd;"><div role="main">${TABLE} class="bg" style="background:#fafcfd;"><tr><td align="center" class="pad" style="padding:24px;">${TABLE} style="max-width:600px;text-align:left;">
${rows.join('\n')}
</table></td></tr></table></div></body></html>
`;
}

const COLORS = { bad: '#ffeae8;color:#ae241f', sec: '#dff3f7;color:#00617b', may: '#fdf0d3;color:#7b4a07' };

interface Cell {
  name: string;
  range: string;
  url: string;
  mark: keyof typeof COLORS;
  word: string;
  reason: string;
  foot: string;
}

function rowOf(row: DigestRow): string {
  const mark = row.judgement === 'breaks' ? 'bad' : row.security ? 'sec' : 'may';
  const range = `${row.from} \u2192 ${row.to}`;
  return cell({
    name: row.package,
    range,
    url: row.url,
    mark,
    word: rowWord(row),
    reason: rowReason(row),
    foot: rowFoot(row),
  });
}

function cell({ name, range, url, mark, word, reason, foot }: Cell): string {
  const title = `<a class="ink" href="${escaped(url)}" style="color:#131e21;font-weight:600;text-decoration:underline;">${escaped(name)}</a> <span class="mut" style="${MONO};font-size:13px;color:#596468;">${escaped(range)}</span>`;
  const badge = `<span class="${mark}" style="display:inline-block;padding:1px 7px;border-radius:3px;background:${COLORS[mark]};${SANS};font-size:12px;line-height:18px;font-weight:600;">${escaped(word)}</span>`;
  const why = reason
    ? `<div class="txt" style="color:#3b464a;font-size:14px;line-height:21px;">${coded(reason)}</div>`
    : '';
  const under = foot
    ? `<div class="mut" style="color:#596468;font-size:13px;line-height:20px;">${escaped(foot)}</div>`
    : '';
  return `<tr><td class="line" style="padding:14px 0;border-top:1px solid #dce2e3;${SANS};font-size:15px;line-height:22px;color:#131e21;">${TABLE}><tr><td style="${SANS};font-size:15px;line-height:22px;">${title}</td><td align="right" valign="top" style="white-space:nowrap;padding-left:12px;">${badge}</td></tr></table>${why}${under}</td></tr>`;
}

function heading(words: string): string {
  return `<tr><td style="padding:26px 0 8px;${SANS};"><h2 class="ink" style="margin:0;font-size:17px;line-height:24px;font-weight:600;color:#131e21;">${escaped(words)}</h2></td></tr>`;
}

function shortList(rows: readonly DigestRow[]): string {
  const lines = rows.map(
    (row) =>
      `${escaped(row.package)} <span class="mut" style="${MONO};font-size:13px;color:#596468;">${escaped(`${row.from} \u2192 ${row.to}`)}</span>`,
  );
  return `<tr><td class="txt line" style="padding:10px 0;border-top:1px solid #dce2e3;${SANS};font-size:14px;line-height:24px;color:#3b464a;">${lines.join('<br>')}</td></tr>`;
}

function note(words: string, more?: { url: string; words: string }): string {
  return `<tr><td class="txt line" style="padding:10px 0;border-top:1px solid #dce2e3;${SANS};font-size:14px;line-height:22px;color:#3b464a;">${escaped(words)}${more ? link(more.url, more.words) : ''}</td></tr>`;
}

function button(url: string, words: string): string {
  return `<tr><td style="padding:26px 0 8px;"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="btn" style="border-radius:5px;background:#00617b;"><a class="btn" href="${escaped(url)}" style="display:inline-block;padding:10px 18px;${SANS};font-size:14px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none;border-radius:5px;">${escaped(words)}</a></td></tr></table></td></tr>`;
}

function link(url: string, words: string): string {
  return `<a class="acc" href="${escaped(url)}" style="color:#00617b;">${escaped(words)}</a>`;
}

// Parts between code marks in the letters of code.
function coded(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      /^`.+`$/.test(part)
        ? `<code style="${MONO};font-size:13px;">${escaped(part.slice(1, -1))}</code>`
        : escaped(part),
    )
    .join('');
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => ESCAPES[one] ?? one);
}

// Turns the lockfiles of a project, pasted or uploaded, into a report with an address. With `format=md` or `json` a program
// gets the answer at once, and nothing is stored.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { ANONYMOUS } from '../../contract/caller.ts';
import { badRequest } from '../../contract/errors.ts';
import {
  isProposal,
  MAX_FILE_CHARACTERS,
  type ProjectUpgrades,
  type UnreadableFiles,
} from '../../domain/upgrade/lockfiles/upgrades.ts';
import { reportMarkdown } from '../../domain/upgrade/report/markdown.ts';
import { originOf } from '../../http/kernel/forms.ts';
import { JSON_TYPE, longHtml, MARKDOWN_TYPE, Reply, redirect } from '../../http/kernel/reply.ts';
import { type RequestInfo, route } from '../../http/kernel/route.ts';
import { makeReport } from '../../packages/reports/make.ts';
import { newDeletionToken, readForReport } from '../../packages/reports/of-files.ts';
import { projectReport } from '../../packages/whats-changed/project.ts';
import { readProject } from '../../packages/whats-changed/project-files.ts';
import { shownRows } from '../../packages/whats-changed/report.ts';
import { FILE_MODES, type FileField, type FileMode, type FilesFormState } from '../components/files-form.ts';
import { AreaTexts } from '../components/html.ts';
import { documentHtml } from '../frame/document.ts';
import { readShell } from '../frame/read-shell.ts';
import { FILES_PATH } from '../links.ts';
import { showFilesProblem } from '../pages/upgrade-report.ts';
import { makerCookie, makerSecret } from './maker-cookie.ts';

// A form adds little to a file; in a URL-encoded body a lockfile becomes up to twice as long.
const BODY_LIMIT = MAX_FILE_CHARACTERS + 1024 * 1024;

const text = z.string().optional();
const fields = z
  .object({
    text,
    file: text,
    old: text,
    new: text,
    old_text: text,
    new_text: text,
    diff: text,
    'file.filename': text,
    'old.filename': text,
    'new.filename': text,
    read: text,
  })
  .extend({
    // Without a mode, as programs send it, every field counts.
    mode: z.enum(FILE_MODES).optional().catch(undefined),
    format: z.enum(['html', 'md', 'json']).catch('html'),
    breaking: text,
  })
  .loose();

export const upgradeFilesForm = route({
  method: 'POST',
  path: FILES_PATH,
  summary: 'What changed in the files of a project',
  tag: 'Pages',
  access: 'visitor',
  query: null,
  accepts: 'any',
  body: fields,
  bodyLimit: BODY_LIMIT,
  limiters: ['project-files'],
  answers: null,
  cache: 'never',
  run: async (ctx, { body }, request) => {
    // The kernel does not validate a JSON body of this route.
    const sent = fields.safeParse(body);
    if (!sent.success) throw badRequest('text', 'must be a form with text fields');
    const { format, breaking } = sent.data;
    const given = filesOf(sent.data);
    const asked = { ...(sent.data.read && { readBefore: sent.data.read }), files: given };
    const read = format === 'html' ? await readForReport(ctx, asked) : await readProject(asked);
    if ('problem' in read) {
      if (format !== 'html') return new Reply(422, badRequest('text', read.problem).toBody());
      const areas = new AreaTexts();
      const shell = await readShell(ctx, request);
      const page = showFilesProblem(stateOf(sent.data, { given, areas }, read));
      return longHtml(areas.partsOf(documentHtml(shell, page)), 422);
    }
    if (format === 'html') return keptAsReport(ctx, read, request);
    const report = await projectReport(ctx, read);
    const breakingOnly = Boolean(breaking);
    if (format === 'md') {
      const options = { breakingOnly, isProposal: isProposal(report.kind) };
      return new Reply(200, reportMarkdown(await shownRows(report), options), { 'Content-Type': MARKDOWN_TYPE });
    }
    const rows = breakingOnly ? report.rows.filter(({ risk }) => risk === 'major' || risk === 'minor') : report.rows;
    return new Reply(200, JSON.stringify({ ...report, rows }), { 'Content-Type': JSON_TYPE });
  },
});

// A form that another site sent makes a report of nobody.
async function keptAsReport(ctx: Context, read: ProjectUpgrades, { headers, client }: RequestInfo): Promise<Reply> {
  const origin = originOf(headers);
  const isOwn = origin !== null && ctx.config.trustedOrigins.includes(origin);
  const maker = isOwn ? ctx.caller : { ...ANONYMOUS, ip: client.ip };
  const secret = (isOwn ? makerSecret(headers) : null) ?? newDeletionToken(ctx);
  const { id } = await makeReport({ ...ctx, caller: maker }, read, secret);
  const reply = redirect(`/reports/${id}`);
  return isOwn ? reply.withCookies([makerCookie(ctx, secret)]) : reply;
}

type Fields = z.output<typeof fields>;

interface GivenFile {
  field: FileField;
  filename?: string | undefined;
  text: string;
}

const MODES_OF: Record<FileField, FileMode> = { text: 'one', old_text: 'both', new_text: 'both', diff: 'diff' };

// A file counts before a pasted text. Texts of the other modes are kept by the form, but not compared.
function filesOf(sent: Fields): GivenFile[] {
  const given: GivenFile[] = [
    { field: 'old_text', filename: sent['old.filename'], text: sent.old || sent.old_text || '' },
    { field: 'new_text', filename: sent['new.filename'], text: sent.new || sent.new_text || '' },
    { field: 'text', filename: sent['file.filename'], text: sent.file || sent.text || '' },
    { field: 'diff', text: sent.diff ?? '' },
  ];
  return given.filter(({ field }) => sent.mode === undefined || MODES_OF[field] === sent.mode);
}

// The form as it was sent, with what is wrong: the text of a file that cannot be read takes the place of its field.
function stateOf(
  sent: Fields,
  { given, areas }: { given: readonly GivenFile[]; areas: AreaTexts },
  { problem, file, fault }: UnreadableFiles,
): FilesFormState {
  const wrong = file === undefined ? undefined : given[file];
  const texts: FilesFormState['texts'] = {};
  for (const field of ['text', 'old_text', 'new_text', 'diff'] as const) {
    const shown = given.find((one) => one.field === field)?.text || sent[field];
    if (shown) texts[field] = areas.mark(shown);
  }
  const line = fault && wrong ? { number: fault.line, text: lineOf(wrong.text, fault.line) } : undefined;
  return {
    mode: sent.mode ?? (wrong ? MODES_OF[wrong.field] : 'one'),
    texts,
    problem: { words: problem, field: wrong?.field ?? null, ...(line ? { line } : {}) },
  };
}

function lineOf(whole: string, number: number): string {
  const line = (whole.split('\n', number)[number - 1] ?? '').trim();
  return line.slice(0, (line.codePointAt(119) ?? 0) > 0xffff ? 121 : 120);
}

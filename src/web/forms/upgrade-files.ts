// Turns the lockfiles of a project, pasted or uploaded, into a report on its upgrades: a page, or `format=md` or
// `json`. Nothing is stored and the reader is not identified, so that programs may send the form too.
import { z } from 'zod';
import { badRequest } from '../../contract/errors.ts';
import { MOST_FILE_CHARACTERS } from '../../domain/upgrade/lockfiles/upgrades.ts';
import { html as htmlReply, JSON_TYPE, MARKDOWN_TYPE, Reply } from '../../http/kernel/reply.ts';
import { type RouteDeclaration, route } from '../../http/kernel/route.ts';
import { projectReport } from '../../insight/whats-changed/project.ts';
import { readProject } from '../../insight/whats-changed/project-files.ts';
import { breaks, upgradeMarkdown } from '../../insight/whats-changed/report-markdown.ts';
import { FILES_PATH } from '../components/files-form.ts';
import { documentHtml, type WebPage } from '../frame/document.ts';
import { readShell } from '../frame/read-shell.ts';
import { showFilesProblem, showReport } from '../pages/upgrade-report.ts';

// In a URL-encoded body text can become three times as long.
const BODY_LIMIT = 3 * MOST_FILE_CHARACTERS + 64 * 1024;

const text = z.string().optional();
const fields = z
  .object({
    text,
    old: text,
    new: text,
    old_text: text,
    new_text: text,
    'old.filename': text,
    'new.filename': text,
    read: text,
  })
  .extend({ format: z.enum(['html', 'md', 'json']).catch('html'), breaking: text })
  .loose();

export const upgradeFilesForm: RouteDeclaration = route({
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
    const read = await readProject(filesOf(sent.data));
    const draw = async (page: WebPage, status: number) =>
      htmlReply(String(documentHtml(await readShell(ctx, request), page)), status);
    if ('problem' in read) {
      if (format === 'html') return draw(showFilesProblem(read.problem), 422);
      return new Reply(422, badRequest('text', read.problem).toBody());
    }
    const report = await projectReport(ctx, read);
    const breakingOnly = Boolean(breaking);
    if (format === 'md') {
      return new Reply(200, upgradeMarkdown(report, { breakingOnly }), { 'Content-Type': MARKDOWN_TYPE });
    }
    if (format === 'json') {
      const rows = breakingOnly ? report.rows.filter(breaks) : report.rows;
      return new Reply(200, JSON.stringify({ ...report, rows }), { 'Content-Type': JSON_TYPE });
    }
    return draw(showReport({ report, read, breakingOnly }), 200);
  },
});

type Fields = z.output<typeof fields>;

function filesOf(sent: Fields): Parameters<typeof readProject>[0] {
  return {
    readBefore: sent.read,
    files: [
      { filename: sent['old.filename'], text: sent.old || sent.old_text || '' },
      { filename: sent['new.filename'], text: sent.new || sent.new_text || '' },
      { text: sent.text ?? '' },
    ],
  };
}

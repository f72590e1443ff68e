// Turns the lockfiles of a project, pasted or uploaded, into a report on its upgrades: a page, or `format=md` or
// `json`. Nothing is stored and the reader is not identified, so that programs may send the form too.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { badRequest } from '../../contract/errors.ts';
import { packageKey } from '../../domain/published-package.ts';
import {
  isProposal,
  MAX_FILE_CHARACTERS,
  MAX_UPGRADES,
  type UnreadableFiles,
} from '../../domain/upgrade/lockfiles/upgrades.ts';
import { reportMarkdown } from '../../domain/upgrade/report/markdown.ts';
import { requireOwnForm, requireTrustedOrigin } from '../../http/kernel/forms.ts';
import { JSON_TYPE, longHtml, MARKDOWN_TYPE, Reply } from '../../http/kernel/reply.ts';
import { type RequestInfo, type RouteDeclaration, route } from '../../http/kernel/route.ts';
import { projectReport } from '../../insight/whats-changed/project.ts';
import { readProject } from '../../insight/whats-changed/project-files.ts';
import { shownRows, type UpgradeReport } from '../../insight/whats-changed/report.ts';
import { FILE_MODES, type FileField, type FileMode, type FilesFormState } from '../components/files-form.ts';
import { AreaTexts } from '../components/html.ts';
import { type TrackTally, untrackedRows } from '../components/track-all.ts';
import { documentHtml, type WebPage } from '../frame/document.ts';
import { readShell } from '../frame/read-shell.ts';
import type { Shell } from '../frame/shell.ts';
import { FILES_PATH } from '../links.ts';
import { showFilesProblem, showReport } from '../pages/upgrade-report.ts';
import { trackOutcome } from './track.ts';

// In a URL-encoded body a lockfile becomes up to twice as long.
const BODY_LIMIT = 2 * MAX_FILE_CHARACTERS + 64 * 1024;

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
    // Has the packages read whose notes nobody tracks.
    track: text,
    tried: text,
  })
  .loose();

export const upgradeFilesForm = (api: readonly RouteDeclaration[]): RouteDeclaration =>
  route({
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
      const read = await readProject({ readBefore: sent.data.read, files: given });
      const areas = new AreaTexts();
      const draw = async (status: number, show: (shell: Shell) => WebPage | Promise<WebPage>) => {
        const shell = await readShell(ctx, request);
        return longHtml(areas.partsOf(documentHtml(shell, await show(shell))), status);
      };
      if ('problem' in read) {
        if (format === 'html') return draw(422, () => showFilesProblem(stateOf(sent.data, { given, areas }, read)));
        return new Reply(422, badRequest('text', read.problem).toBody());
      }
      const before = await projectReport(ctx, read);
      const tried = (sent.data.tried ?? '').split(/\s+/, MAX_UPGRADES).filter(Boolean);
      const tracked = sent.data.track ? await trackAll(ctx, { api, request }, { report: before, tried }) : null;
      const report = tracked ? await projectReport(ctx, read) : before;
      const breakingOnly = Boolean(breaking);
      if (format === 'md') {
        const options = { breakingOnly, isProposal: isProposal(report.kind) };
        return new Reply(200, reportMarkdown(await shownRows(report), options), { 'Content-Type': MARKDOWN_TYPE });
      }
      if (format === 'json') {
        const rows = breakingOnly
          ? report.rows.filter(({ risk }) => risk === 'major' || risk === 'minor')
          : report.rows;
        return new Reply(200, JSON.stringify({ ...report, rows }), { 'Content-Type': JSON_TYPE });
      }
      const isOpen = ctx.config.lookups.access === 'public';
      return draw(200, (shell) => showReport({ report, read, breakingOnly, tracked }, shell, isOpen));
    },
  });

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

// Has the packages of a report read whose notes nobody tracks, as far as the reader's limit goes.

// The limit of the call is ten in a minute.
const AT_ONCE = 10;
const REFUSED: ReadonlySet<string> = new Set(['wait', 'full', 'closed']);

async function trackAll(
  ctx: Context,
  { api, request }: { api: readonly RouteDeclaration[]; request: RequestInfo },
  { report, tried }: { report: UpgradeReport; tried: readonly string[] },
): Promise<TrackTally> {
  // The form of a reader who is not signed in carries no CSRF token.
  if (ctx.caller.kind === 'session') requireOwnForm(ctx, { ...request, form: request.form ?? new URLSearchParams() });
  else requireTrustedOrigin(ctx.config, request.headers);
  const rows = untrackedRows(report, tried);
  const asked = rows.slice(0, AT_ONCE);
  const outcomes = await Promise.all(
    asked.map(({ ecosystem, name }) => trackOutcome(ctx, { api, request }, { ecosystem, package: name })),
  );
  const answered = asked.filter((_, index) => !REFUSED.has(outcomes[index] ?? ''));
  const count = (...wanted: string[]) => outcomes.filter((outcome) => wanted.includes(outcome)).length;
  return {
    read: count('read', 'known', 'again'),
    later: count('later', 'silent'),
    without: count('empty', 'missing', 'unclear'),
    left: rows.length - asked.length + count('wait'),
    isFull: count('full') > 0,
    isClosed: count('closed') > 0,
    tried: [...tried, ...answered.map(packageKey)],
  };
}

// The form for the files of a project: one lockfile, two of them, or a diff. What was pasted is kept when it cannot be
// read. Of the files only names and versions are stored, in a report with an address.
import { FILE_KINDS, MAX_UPGRADES } from '../../domain/upgrade/lockfiles/upgrades.ts';
import { FILES_PATH } from '../links.ts';
import { formatCount, type Html, html } from './html.ts';
import { icon } from './icon.ts';
import { command } from './parts.ts';

export const FILE_MODES = ['one', 'both', 'diff'] as const;
export type FileMode = (typeof FILE_MODES)[number];
export type FileField = 'text' | 'old_text' | 'new_text' | 'diff';

interface FilesProblem {
  words: string;
  // The field whose text is meant; null when it is none of them.
  field: FileField | null;
  // The line that is meant, with its text.
  line?: { number: number; text: string };
}

export interface FilesFormState {
  mode: FileMode;
  // The contents of the fields.
  texts: Partial<Record<FileField, Html>>;
  problem: FilesProblem | null;
}

const EMPTY: FilesFormState = { mode: 'one', texts: {}, problem: null };

export function filesForm(state: FilesFormState = EMPTY): Html {
  const area = (field: FileField, label: string, more: { help?: string; tall?: boolean } = {}) =>
    textArea(state, { field, label, ...more });
  return html`<div class="cols"><div>
<form class="modes" data-form="whats-changed-files" method="post" action="${FILES_PATH}" enctype="multipart/form-data">${problemBox(state.problem)}
<div class="segmented" role="radiogroup" aria-label="What do you have?">${modeChoice(state, 'one', 'One lockfile')}${modeChoice(state, 'both', 'Two lockfiles')}${modeChoice(state, 'diff', 'A diff')}</div>
<section class="mode one" aria-labelledby="wf-one-h"><div><h2 class="sub-head" id="wf-one-h">What would an update bring?</h2><p class="section-note">Your versions are compared with the newest ones stored here.</p></div>
${area('text', 'Lockfile or package.json', { help: `The kind is seen from the text: ${FILE_KINDS}.`, tall: true })}
${fileInput('file', 'or a file')}</section>
<section class="mode both" aria-labelledby="wf-both-h"><div><h2 class="sub-head" id="wf-both-h">What does this change bring?</h2><p class="section-note">The lockfile before and after, for example of the main branch and of yours.</p></div>
<div class="two">${area('old_text', 'Before')}${area('new_text', 'After')}</div>
<div class="two">${fileInput('old', 'Before, as a file')}${fileInput('new', 'After, as a file')}</div></section>
<section class="mode diff" aria-labelledby="wf-diff-h"><div><h2 class="sub-head" id="wf-diff-h">What does this diff bring?</h2><p class="section-note">The output of <code>git diff main -- package-lock.json</code>, or the diff of a pull request. It shows less than two lockfiles do.</p></div>
${area('diff', 'Diff', { tall: true })}</section>
<div class="actions"><button class="btn primary" type="submit">Compare</button><span class="small muted">Names and versions are stored for 30 days, under an address that only you know. At most 16 MB and ${formatCount(MAX_UPGRADES)} packages.</span></div></form></div>
<aside class="panel" aria-label="Other ways"><section><h2>Without pasting</h2>${command('registry whats-changed \\\n  --lockfile old.json package-lock.json', 'Compare two lockfiles in a terminal')}<p class="small muted sp-top">Reads the files where they are. Only names and versions are sent.</p></section><section><h2>On each pull request</h2>${command('registry whats-changed \\\n  --lockfile base.json package-lock.json --md', 'Write a comment for a pull request')}<p class="small muted sp-top">Writes a comment with what breaks, and what to do about it.</p></section></aside></div>`;
}

function modeChoice({ mode }: FilesFormState, value: FileMode, words: string): Html {
  return html`<label><input type="radio" name="mode" value="${value}" id="wf-m-${value}"${mode === value ? html` checked` : ''}>${words}</label>`;
}

interface TextArea {
  field: FileField;
  label: string;
  help?: string;
  tall?: boolean;
}

function textArea({ texts, problem }: FilesFormState, { field, label, help, tall }: TextArea): Html {
  const id = idOf(field);
  const own = problem?.field === field ? problem : null;
  const described = [help ? `${id}-h` : '', own ? `${id}-e` : ''].filter(Boolean).join(' ');
  // The first line break behind the tag is not part of the text.
  return html`<div class="field${own ? ' bad' : ''}"><label for="${id}">${label}</label><textarea class="textarea mono${tall ? ' tall' : ''}" id="${id}" name="${field}" spellcheck="false" autocapitalize="off" autocomplete="off"${described ? html` aria-describedby="${described}"` : ''}${own ? html` aria-invalid="true"` : ''}>
${texts[field] ?? ''}</textarea>${help ? html`<span class="help" id="${id}-h">${help}</span>` : ''}${own ? html`<span class="error" id="${id}-e">${icon('warning')}<span>${own.words}${shownLine(own)}</span></span>` : ''}</div>`;
}

function shownLine({ line }: FilesProblem): Html {
  return line && line.text.trim() !== '' ? html` <code class="at-line">${line.number}: ${line.text}</code>` : '';
}

function fileInput(name: string, label: string): Html {
  return html`<p class="upload"><label for="wf-${name}">${label}</label><input type="file" id="wf-${name}" name="${name}"></p>`;
}

function problemBox(problem: FilesProblem | null): Html {
  if (problem === null) return '';
  const words = html`${problem.words}${problem.field ? ' Your text is kept below.' : ''}`;
  return html`<div class="errors" id="errors" role="alert" tabindex="-1" autofocus><h2>This could not be compared</h2><ul><li>${problem.field ? html`<a href="#${idOf(problem.field)}">${words}</a>` : words}</li></ul></div>`;
}

function idOf(field: FileField): string {
  return `wf-${field.replace('_', '-')}`;
}

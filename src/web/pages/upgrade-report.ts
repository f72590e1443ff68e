// The form for the files of a project with what is wrong with them.
import { type FilesFormState, filesForm } from '../components/files-form.ts';
import { html } from '../components/html.ts';
import { inputTabs } from '../components/input-tabs.ts';
import type { WebPage } from '../frame/document.ts';

const head = {
  title: 'What’s changed',
  description: 'What changed in the packages of a project, by risk.',
  robots: 'noindex, follow',
} as const;

export function showFilesProblem(state: FilesFormState): WebPage {
  return {
    name: 'whats-changed',
    head,
    body: html`<h1>What’s changed</h1>${inputTabs('files')}<div class="sp-top">${filesForm(state)}</div>`,
  };
}

// The form for the lockfiles of a project. The files are analysed in memory and not stored.
import { MOST_UPGRADES } from '../../domain/upgrade/lockfiles/upgrades.ts';
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';

export const FILES_PATH = '/whats-changed';

export function filesForm(problem?: string): Html {
  const error = problem
    ? html`<div class="errors" id="errors" role="alert" tabindex="-1" autofocus><h2>${problem}</h2></div>`
    : '';
  return html`${error}<form class="form" data-form="whats-changed-files" method="post" action="${FILES_PATH}" enctype="multipart/form-data">
<div class="field full${problem ? ' bad' : ''}"><label for="wf-text">A diff, or a package.json</label><textarea class="textarea mono" id="wf-text" name="text" rows="8" spellcheck="false" aria-describedby="wf-h${problem ? ' errors' : ''}"></textarea><p class="help" id="wf-h">Unified diff of package.json, package-lock.json, pnpm-lock.yaml, yarn.lock, bun.lock, requirements.txt, poetry.lock or uv.lock. A package.json alone is compared with the newest versions. Nothing is stored; at most 1 MB and ${MOST_UPGRADES} changed packages.</p></div>
<div class="field"><label for="wf-old">Or a file: before</label><input class="input" id="wf-old" name="old" type="file"></div>
<div class="field"><label for="wf-new">And the same file after</label><input class="input" id="wf-new" name="new" type="file"></div>
<details class="fold full"><summary>${icon('chevron')}Paste both states instead</summary><div class="field"><label for="wf-old-text">Before</label><textarea class="textarea mono" id="wf-old-text" name="old_text" rows="6" spellcheck="false"></textarea></div><div class="field"><label for="wf-new-text">After</label><textarea class="textarea mono" id="wf-new-text" name="new_text" rows="6" spellcheck="false"></textarea></div></details>
<div class="field full"><label class="check"><input type="checkbox" name="breaking" value="1"> Breaking only</label></div>
<div class="actions full"><button class="btn" type="submit">Compare files</button><button class="btn" type="submit" name="format" value="md">${icon('page')}Markdown</button><button class="btn" type="submit" name="format" value="json">JSON</button></div></form>`;
}

// /account/stacks: the stacks of the account, and three ways to add one: paste, upload, push from CI.
import { listStacks } from '../../../accounts/stacks/manage.ts';
import { MAX_STACK_PACKAGES, type StackList, type StackSummary } from '../../../contract/stack.ts';
import { FILE_KINDS } from '../../../domain/upgrade/lockfiles/upgrades.ts';
import type { Reply } from '../../../http/kernel/reply.ts';
import { accountFrame, doneNotice } from '../../components/account-frame.ts';
import { errorSummary, textField } from '../../components/form.ts';
import { formatCount, type Html, html, plural } from '../../components/html.ts';
import { type IconName, icon } from '../../components/icon.ts';
import { command, empty } from '../../components/parts.ts';
import { ago } from '../../components/time.ts';
import type { Refusal } from '../../forms/refusal.ts';
import type { Shell } from '../../frame/shell.ts';
import { accountPage, answerPage, type Visit } from '../../visit.ts';

export const stacksPage = accountPage({
  path: '/account/stacks',
  summary: 'Stacks',
  answer: (visit) => showStacks(visit),
});

export async function showStacks(visit: Visit, refusal?: Refusal): Promise<Reply> {
  const { ctx, shell } = visit;
  const { stacks, limit } = await listStacks(ctx);
  const body = html`<div class="spread"><h1>Stacks</h1><span class="muted small">${stacks.length} of ${limit}</span></div>
${errorSummary(refusal)}${doneNotice(shell, { removed: 'The stack was removed, with its feed and its webhooks.' })}
<p class="lede">The packages that a project runs on. You hear of updates that break, and of security fixes, for what you have installed.</p>
${stacks.length > 0 ? table(stacks, shell) : empty({ title: 'No stacks yet', text: 'Paste a lockfile below, or push one from CI.' })}
<section class="block"><h2>Add a stack</h2><div class="two-ways">${addForm(visit, refusal)}${fromCi(ctx.config.baseUrl)}</div></section>`;
  return answerPage(
    visit,
    { name: 'stacks', head: { title: 'Stacks' }, body: accountFrame(shell, body) },
    { status: refusal?.status },
  );
}

function addForm({ shell, form }: Visit, refusal?: Refusal): Html {
  const errors = refusal?.fields ?? {};
  const problem = errors.lock ?? errors.lockfile ?? errors.packages;
  const text = refusal ? (form.get('lock') ?? '') : '';
  return html`<form class="form" data-form="stack" method="post" action="/account/stacks" enctype="multipart/form-data"><input type="hidden" name="csrf" value="${shell.csrf('/account/stacks')}"><h3>Paste or upload</h3>
${textField({ name: 'name', label: 'Name', value: refusal ? form.get('name') : '', help: 'Letters, digits and dashes. It is part of the address.', error: errors.name, more: html`maxlength="64"` })}<div class="field${problem ? ' bad' : ''}"><label for="lock">Lockfile or manifest</label><textarea class="textarea mono" id="lock" name="lock" spellcheck="false" aria-describedby="lock-h${problem ? ' lock-e' : ''}"${problem ? html` aria-invalid="true"` : ''}>
${text}</textarea><p class="help" id="lock-h">The kind is seen from the text: ${FILE_KINDS}.</p>${problem ? html`<p class="error" id="lock-e">${icon('warning')}${problem}</p>` : ''}</div>
<p class="upload"><label for="s-file">or a file</label><input type="file" id="s-file" name="file"></p><div class="actions"><button class="btn primary" type="submit">Add the stack</button></div><p class="small muted">Only names and versions are stored, at most ${formatCount(MAX_STACK_PACKAGES)}. Adding one under a name that you have replaces its list.</p></form>`;
}

function fromCi(server: string): Html {
  const workflow = `- run: registry stack push --name web-shop\n  env:\n    REGISTRY_API_URL: ${server}\n    REGISTRY_API_KEY: \${{ secrets.REGISTRY_KEY }}`;
  return html`<div class="stack"><h3>Push from CI</h3><p class="section-note">Best, because it stays true. Runs after each merge.</p>${command(workflow, 'the workflow step')}<p class="small">Sends names and versions only. <a href="/account/keys?scope=stacks">Make a key that can do nothing else</a></p></div>`;
}

function table(stacks: StackList['stacks'], shell: Shell): Html {
  return html`<div class="table-wrap" tabindex="0" role="region" aria-label="Stacks"><table class="table mid stacked risk"><thead><tr><th scope="col">Stack</th><th scope="col">Updates</th><th scope="col" class="num">Packages</th><th scope="col">New</th><th scope="col">Last push</th></tr></thead><tbody>${stacks.map((stack) => row(stack, shell))}</tbody></table></div>`;
}

const STALE_DAYS = 60;
const DAY_MS = 86_400_000;

function row(stack: StackSummary, shell: Shell): Html {
  const { name, source, counts, packageCount, pushedAt, pushedBy } = stack;
  const level = counts.breaks > 0 ? 'major' : counts.mayBreak > 0 ? 'minor' : '';
  const days = Math.floor((shell.now - Date.parse(pushedAt)) / DAY_MS);
  const fresh = counts.fresh > 0 ? `${formatCount(counts.fresh)} since the last push` : 'nothing';
  return html`<tr${level ? html` data-level="${level}"` : ''}><th scope="row"><a class="plain" href="/account/stacks/${name}">${name}</a>${source ? html`<span class="muted small under">${source}</span>` : ''}</th><td data-th="Updates">${days >= STALE_DAYS ? html`<span class="health stale">Pushed ${days} days ago, so the answer may be old</span>` : updates(stack)}</td><td data-th="Packages" class="num">${formatCount(packageCount)}</td><td data-th="New">${fresh}</td><td data-th="Last push" class="when"><span>${ago(pushedAt, shell.now)}, ${pushedBy === 'key' ? 'CI' : 'by you'}</span></td></tr>`;
}

function updates({ counts }: StackSummary): Html {
  const badge = (kind: string, glyph: IconName, words: string) =>
    html`<span class="badge ${kind}">${icon(glyph)}${words}</span>`;
  const shown = [
    counts.breaks > 0 ? badge('major', 'v-major', plural(counts.breaks, 'breaks', 'break')) : '',
    counts.mayBreak > 0 ? badge('minor', 'v-minor', `${formatCount(counts.mayBreak)} may break`) : '',
    counts.security > 0 ? badge('key', 'warning', `${formatCount(counts.security)} security`) : '',
    counts.pending > 0 ? badge('line', 'v-unknown', `${formatCount(counts.pending)} not looked at yet`) : '',
    counts.notKnown > 0 ? badge('line', 'v-unknown', `${formatCount(counts.notKnown)} not known`) : '',
  ].filter((one) => one !== '');
  return shown.length > 0
    ? html`<span class="cluster">${shown}</span>`
    : html`<span class="muted">No sign of a break</span>`;
}

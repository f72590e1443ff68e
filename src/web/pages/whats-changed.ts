// /whats-changed: whether an upgrade breaks, what to do about it, and how that is known.

import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { oneOf, text } from '../../contract/query.ts';
import { UPGRADE_ECOSYSTEMS, type WhatsChanged } from '../../contract/whats-changed.ts';
import { ECOSYSTEM_WORDS, ECOSYSTEMS, isEcosystem } from '../../domain/ecosystems/index.ts';
import { stepAddressOf } from '../../domain/upgrade/step-address.ts';
import { redirect } from '../../http/kernel/reply.ts';
import { findPackage } from '../../packages/details/known-package.ts';
import { whatsChanged } from '../../packages/whats-changed/index.ts';
import { filesForm } from '../components/files-form.ts';
import { selectField } from '../components/form.ts';
import { type Html, html } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import { inputTabs } from '../components/input-tabs.ts';
import { packageFindings } from '../components/package-evidence.ts';
import { noticeBox } from '../components/parts.ts';
import { isBeingRead, readingBox, renewed } from '../components/reading.ts';
import { readingHelp, TRACK_OUTCOMES, trackNote } from '../components/track.ts';
import { upgradeAnswer } from '../components/upgrade-answer.ts';
import { askAgain } from '../components/upgrade-help.ts';
import { upgradePanel } from '../components/upgrade-panel.ts';
import { allVersions, breakingVersions, leftOut, minorBreaks, notKnown } from '../components/upgrade-versions.ts';
import { apiAnswer } from '../formats/api.ts';
import type { Shell } from '../frame/shell.ts';
import { upgradePath } from '../links.ts';
import { page } from '../page.ts';

const textLimit = { max: 200 };

interface Question {
  package?: string;
  from?: string;
  to?: string;
  ecosystem?: (typeof UPGRADE_ECOSYSTEMS)[number];
  org?: string;
}

export const whatsChangedPage = page({
  path: '/whats-changed',
  summary: 'What changed between two versions',
  query: {
    package: text(textLimit),
    from: text(textLimit),
    to: text(textLimit),
    ecosystem: oneOf(UPGRADE_ECOSYSTEMS),
    org: text(textLimit),
    input: oneOf(['files'] as const),
    track: oneOf(TRACK_OUTCOMES),
  },
  formats: { json: apiAnswer(() => '/whats-changed'), md: apiAnswer(() => '/whats-changed') },
  load: async (ctx, { query: { package: name, from, to, ecosystem, org, track } }) => {
    const isOpen = ctx.config.lookups.access === 'public';
    const check = ctx.config.packages.checkCommand;
    if (!name || !from) return { answer: null, problem: null, isOpen, check };
    const address =
      org || track
        ? null
        : await addressOfUpgrade(ctx, { package: name.trim(), ecosystem: ecosystem ?? null, from, to: to || 'latest' });
    if (address !== null) return redirect(address, 303);
    try {
      const answer = await whatsChanged(
        ctx,
        { package: name.trim(), from, to: to || 'latest', ecosystem, org },
        'person',
      );
      return { answer, problem: null, isOpen, check };
    } catch (error) {
      // The error about an invalid version is shown beside the form.
      if (error instanceof ApiError && error.status < 500)
        return { answer: null, problem: error.message, isOpen, check };
      throw error;
    }
  },
  show: ({ answer, problem, isOpen, check }, shell, { query }) => ({
    name: 'whats-changed',
    head: {
      title: answer ? `${answer.package} ${answer.from} to ${answer.to}` : 'What’s changed',
      description: 'Whether an update of a package breaks your code, and what to do about it.',
      canonical: shell.query.size === 0 ? '/whats-changed' : undefined,
      robots: shell.query.size > 0 ? 'noindex, follow' : undefined,
    },
    body: html`<h1>What’s changed</h1>
${query.input === 'files' ? html`${inputTabs('files')}<div class="sp-top">${filesForm()}</div>` : html`${inputTabs('package')}${questionForm(query, answer)}${trackNote(query.track, { name: query.package ?? '', ecosystem: query.ecosystem, answer })}${problem === null ? onePackage(answer, shell, { isOpen, check }) : noticeBox('warning', problemWords(problem))}`}`,
  }),
});

// The page of its own that a question about a known package has; null for other questions.
async function addressOfUpgrade(
  ctx: Context,
  { package: asked, ecosystem, from, to }: Pick<WhatsChanged, 'package' | 'ecosystem' | 'from' | 'to'>,
): Promise<string | null> {
  const address = stepAddressOf(from, to);
  if (address === null || (ecosystem !== null && !isEcosystem(ecosystem))) return null;
  const names = (ecosystem === null ? ECOSYSTEMS : [ecosystem]).map((one) => ({ ecosystem: one, name: asked }));
  const found = (await Promise.all(names.map((named) => findPackage(ctx, named)))).filter((one) => one !== null);
  const [known, ...others] = found;
  if (!known || others.length > 0) return null;
  return upgradePath(known, address);
}

// On a phone the form of an answered question is one line, so that the answer comes first.
function questionForm(query: Question, answer: WhatsChanged | null): Html {
  const { package: name = '', from = '', to = 'latest', ecosystem } = query;
  const form = html`<form class="filter-row lead-form" data-form="whats-changed" method="get">${query.org ? html`<input type="hidden" name="org" value="${query.org}">` : ''}<div class="field grow"><label for="w-p">Package</label><input class="input mono" id="w-p" name="package" value="${name}" required></div>${selectField({ name: 'ecosystem', id: 'w-e', label: 'Ecosystem', value: ecosystem ?? '', options: { '': 'Any', ...ECOSYSTEM_WORDS } })}<div class="field"><label for="w-f">You have</label><input class="input mono" id="w-f" name="from" value="${from}" size="9" required></div><div class="field"><label for="w-t">Update to</label><input class="input mono" id="w-t" name="to" value="${to}" size="9"></div><div class="field go-field"><button class="btn primary" type="submit">Compare</button></div></form>`;
  if (answer === null) return form;
  const where = ecosystem ? ` on ${ECOSYSTEM_WORDS[ecosystem]}` : '';
  return html`<details class="filters lead"><summary>${icon('filter')}${name}${where}, ${from} to ${to}. Change</summary>${form}</details>`;
}

function onePackage(
  answer: WhatsChanged | null,
  shell: Shell,
  { isOpen: mayRead, check }: { isOpen: boolean; check: string },
): Html {
  const { now } = shell;
  if (answer === null) {
    return html`<p class="lede">Name a package and the version that you have. The answer says whether the update breaks anything, what to do about it, and what nobody knows.</p>`;
  }
  const found = answer.entries.length > 0;
  const detail = found
    ? html`${breakingVersions(answer)}${packageFindings(answer)}${leftOut(answer)}${minorBreaks(answer.entries)}${notKnown(answer, now)}${allVersions(answer)}`
    : packageFindings(answer);
  const { reading } = answer;
  // While it is read by itself, there is no button for it.
  const button = isBeingRead(reading?.state) ? '' : readingHelp(answer, shell, mayRead);
  const help = [reading ? readingBox(reading, askAgain(answer, {}), now) : '', button];
  return renewed(
    reading,
    html`${upgradeAnswer(answer, now, help, check)}<div class="cols broad"><div>${detail}</div>${upgradePanel(answer, now)}</div>`,
  );
}

const AFTER = /^from: (?<from>.+) comes after (?<to>.+)$/;

function problemWords(problem: string): string {
  const { from, to } = AFTER.exec(problem)?.groups ?? {};
  if (from && to)
    return `${from} comes after ${to}. This page compares with a higher version; swap the two to see what lies between them.`;
  const words = problem.replace(/^(?:from|to|package|ecosystem|org): /, '');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

// Filters by meaning in a form, and read back as a sentence.
import type { MeaningFilter } from '../../domain/meaning/passes-meaning.ts';
import { selectField } from './form.ts';
import { type Html, html, plural } from './html.ts';

const IMPORTANCES = { '': 'Does not matter', 5: '5, must know', 4: '4, important', 3: '3, notable', 2: '2', 1: '1' };

export function meaningFields({ minBreaking, security }: MeaningFilter): Html {
  const box = (name: string, label: string, checked: boolean, help?: string) =>
    html`<label class="check block-check"><input type="checkbox" name="${name}" value="true"${checked ? html` checked` : ''}><span>${label}${help ? html` <span class="sub">${help}</span>` : ''}</span></label>`;
  return html`<fieldset class="field full"><legend>Send a release when it</legend><div class="radios">${box('breaks', 'breaks', Boolean(minBreaking), 'by its notes, or proven by the package itself')}${box('mayBreak', 'may break', minBreaking === 'minor', 'by its notes; those that break come too')}${box('security', 'fixes a security problem', security === true)}</div><p class="help">None of them: every release.</p></fieldset>`;
}

export function importanceField({ minImportance }: MeaningFilter): Html {
  return selectField({
    name: 'minImportance',
    label: 'Or at least this important',
    value: minImportance ? String(minImportance) : '',
    options: IMPORTANCES,
  });
}

export function meaningIn(form: URLSearchParams): Required<MeaningFilter> {
  const importance = Number(form.get('minImportance') || Number.NaN);
  return {
    minBreaking: form.has('mayBreak') ? 'minor' : form.has('breaks') ? 'major' : null,
    minImportance: [1, 2, 3, 4, 5].includes(importance) ? importance : null,
    security: form.has('security'),
  };
}

// "break or fix a security problem"; empty where nothing is set.
export function meaningWords({ minBreaking, minImportance, security }: MeaningFilter): string {
  const words = [
    minBreaking === 'major' ? 'break' : '',
    minBreaking === 'minor' ? 'break or may break' : '',
    security ? 'fix a security problem' : '',
    minImportance ? `are at least ${minImportance} of 5 in importance` : '',
  ];
  return words.filter(Boolean).join(' or ');
}

interface Readback {
  // "Brackenform", or "everything you follow".
  subject: string;
  meaning: MeaningFilter;
  // Null where it was not counted.
  count: number | null;
  days?: number;
}

// What comes for a stack depends on the versions that it has when a release is published.
export function stackSubject(name: string): string {
  return `the packages of ${name ? `the stack ${name}` : 'a stack'} above its versions`;
}

export function readback({ subject, meaning, count, days = 0 }: Readback): Html {
  const words = meaningWords(meaning);
  const seen = count === null ? '' : `: ${plural(count, 'release')} in the last ${days} days`;
  const later = words ? ' A release that is judged later is sent then, once.' : '';
  return html`<div class="full readback" role="status"><p><b>You get:</b> ${words ? `releases of ${subject} that ${words}` : `every release of ${subject}`}${seen}.${later}</p></div>`;
}

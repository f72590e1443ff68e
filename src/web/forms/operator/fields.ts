// What the forms of the operator area share: reading fields, the typed confirmation, the redirect afterwards.
import { nextPath } from '../../../accounts/auth/next-path.ts';
import type { EditedField } from '../../../contract/edited-fields.ts';
import { badRequest } from '../../../contract/errors.ts';
import type { OperatorVisit } from '../../operator/visit.ts';

// The fields of a created or deleted entity that forms need.
export interface Named {
  id: string;
  slug: string;
}

// Redirects to the page of the form; `done` names what was done.
export function back({ form }: OperatorVisit, fallback: string, done: string): { to: string } {
  const wanted = nextPath(form.get('next'));
  const path = wanted.startsWith('/admin') ? wanted : fallback;
  return { to: `${path}${path.includes('?') ? '&' : '?'}done=${done}` };
}

export const given = (form: URLSearchParams, name: string) => form.get(name)?.trim() || undefined;
// The entries of a field that takes several, separated by commas or line breaks.
export const words = (form: URLSearchParams, name: string) =>
  (form.get(name) ?? '')
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter(Boolean);

// The fields of a form that shows all of them: what is empty is set to nothing, a switch that is missing is off.
export function editedBody(form: URLSearchParams, fields: readonly EditedField[]): Record<string, unknown> {
  const value = ({ name, kind, clears }: EditedField) => {
    if (kind === 'switch') return form.has(name);
    if (kind === 'list') return words(form, name);
    return given(form, name) ?? (clears ? null : undefined);
  };
  return Object.fromEntries(fields.map((field) => [field.name, value(field)]));
}

export function requireConfirmed({ form }: OperatorVisit, slug: string): void {
  if (form.get('confirm') === slug) return;
  throw badRequest('confirm', `type ${slug} to confirm`);
}

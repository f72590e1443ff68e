// Turns form fields into the input of registry functions.
import type { z } from 'zod';
import { validationFailed } from '../../contract/errors.ts';
import { bodyIssues } from '../../http/kernel/body-input.ts';

// The given fields without empty ones.
export function textsIn<N extends string>(form: URLSearchParams, names: readonly N[]): Partial<Record<N, string>> {
  const filled = names.flatMap((name) => {
    const text = form.get(name)?.trim();
    return text ? [[name, text]] : [];
  });
  return Object.fromEntries(filled) as Partial<Record<N, string>>;
}

export const isTicked = (form: URLSearchParams, name: string): boolean => form.get(name) === 'true';

// Throws the same error as the API.
export function parsed<S extends z.ZodType>(schema: S, fields: unknown): z.output<S> {
  const result = schema.safeParse(fields);
  if (!result.success) throw validationFailed(bodyIssues(result.error));
  return result.data;
}

// Why a form was refused, in words for the person who sent it.
import { ApiError, type Issue } from '../../contract/errors.ts';

export interface Refusal {
  status: number;
  // What is wrong with the form as a whole; null where its fields say it all.
  message: string | null;
  // By the name of the field.
  fields: Readonly<Record<string, string>>;
}

export const TOO_MANY = 'Too many attempts. Wait a while.';

export function refused(message: string, status = 422): Refusal {
  return { status, message, fields: {} };
}

export function refusedField(field: string, message: string): Refusal {
  return { status: 422, message: null, fields: { [field]: sentence(message) } };
}

// The functions of the registry speak to programs.
export function sentence(text: string): string {
  const begun = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

interface RefusalDetails {
  field?: string;
  parameter?: string;
  reason?: string;
  issues?: Issue[];
}

// What the errors of the API that a form can meet say of themselves.
export function detailsOf({ details }: ApiError): RefusalDetails {
  return (details ?? {}) as RefusalDetails;
}

type Labels = Readonly<Record<string, string>>;

// What the form can show of an error; any other belongs on an error page. Labels name the fields of the form.
export function refusalOf(error: unknown, labels: Labels): Refusal {
  if (!(error instanceof ApiError)) throw error;
  const { code, message, status } = error;
  const details = detailsOf(error);
  if (code === 'rate_limited') return refused(TOO_MANY, 429);
  if (status === 503) return refused(sentence(message), 503);
  const issues = details.issues ?? issueOf(details, message);
  const placed = issues.filter(({ path }) => path in labels);
  if (placed.length > 0) {
    const fields = placed.map(({ path, reason }) => [path, sentence(`${labels[path]} ${words(reason)}`)]);
    return { status: 422, message: null, fields: Object.fromEntries(fields) };
  }
  if (status === 404 || status === 403 || status >= 500) throw error;
  return refused(sentence(message));
}

function issueOf({ field, parameter }: { field?: string; parameter?: string }, message: string): Issue[] {
  const path = field ?? parameter;
  if (path === undefined) return [];
  return [{ path, reason: message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message }];
}

// Checks of form say what they expected; a person wants to know what to change.
function words(reason: string): string {
  if (/not found: /.test(reason)) return 'is not known here';
  if (/takes no org/.test(reason)) return 'must be empty for everything that you follow';
  if (/\bis required/.test(reason)) return 'is needed';
  if (/^(?:Too small|.*>=1 )/.test(reason)) return 'is needed';
  if (/^Too big/.test(reason)) return `is too long or too large${limitIn(reason)}`;
  if (/^Invalid/.test(reason)) return 'is not one of the choices';
  return reason;
}

function limitIn(reason: string): string {
  const limit = /<=(\d+)/.exec(reason)?.[1];
  return limit ? `: at most ${limit}` : '';
}

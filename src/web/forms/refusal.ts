// The reason why a form was refused, in words for the person who sent it.
import { ApiError, type Issue } from '../../contract/errors.ts';

export interface Refusal {
  status: number;
  // The error of the form as a whole; null where the errors of its fields are enough.
  message: string | null;
  // The errors by field name.
  fields: Readonly<Record<string, string>>;
}

export const TOO_MANY = 'Too many attempts. Wait a while.';

export function tooMany(seconds: number | null): string {
  return seconds === null ? TOO_MANY : `Too many attempts. Try again in ${duration(seconds)}.`;
}

function duration(seconds: number): string {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

// For a page that was refused because too many were read; undefined for every other error.
export function waitWords({ status, headers }: ApiError): string | undefined {
  const seconds = Number(headers['Retry-After']);
  if (status !== 429 || !(seconds > 0)) return undefined;
  return `You have opened very many pages in a short time. Try again in ${duration(seconds)}.`;
}

export function refused(message: string, status = 422): Refusal {
  return { status, message, fields: {} };
}

export function refusedField(field: string, message: string): Refusal {
  return { status: 422, message: null, fields: { [field]: sentence(message) } };
}

// Error messages of the API begin in lower case and have no full stop; on a page they are sentences.
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

// The details of API errors, as far as forms use them.
export function detailsOf({ details }: ApiError): RefusalDetails {
  return (details ?? {}) as RefusalDetails;
}

type Labels = Readonly<Record<string, string>>;

// Turns an error into what the form can show; any other error belongs on an error page. `labels` are the names of the
// form's fields.
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

// Validation messages describe the expected value; a reader needs to know what to change.
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

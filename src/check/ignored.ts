// What a project ignores, with the reason and the day until which it does: `.registry-check.json`.
import { join } from 'node:path';
import { isRecord } from '../domain/records.ts';
import type { ReportRow } from '../domain/upgrade/report/row.ts';
import { boundaryOf } from './git/repository.ts';
import { ProjectFault, projectFileAt } from './local-file.ts';

const IGNORE_FILE = '.registry-check.json';
const MAX_LENGTH = 4 * 1024 * 1024;

export interface Ignored {
  package: string;
  // The version to go to; any when absent.
  version: string | null;
  // The changed name; the whole package when absent.
  finding: string | null;
  reason: string;
  // The last day, `2026-12-31`.
  until: string | null;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function readIgnored(folder: string): Ignored[] {
  const text = projectFileAt(join(folder, IGNORE_FILE), { most: MAX_LENGTH, inside: boundaryOf(folder) });
  if (text === null) return [];
  const list = listIn(text);
  if (list === null) throw new ProjectFault(`${IGNORE_FILE} is not {"ignore": [{"package", "reason", …}]}`);
  return list.map(entryOf);
}

function listIn(text: string): unknown[] | null {
  try {
    const json: unknown = JSON.parse(text);
    return isRecord(json) && Array.isArray(json.ignore) ? json.ignore : null;
  } catch {
    return null;
  }
}

function entryOf(value: unknown, index: number): Ignored {
  const entry = isRecord(value) ? value : {};
  const text = (name: string) => {
    const found = entry[name];
    return typeof found === 'string' && found.trim() !== '' ? found.trim().slice(0, 300) : null;
  };
  const [name, reason, until] = [text('package'), text('reason'), text('until')];
  const place = `entry ${index + 1} of ${IGNORE_FILE}`;
  if (name === null || reason === null) throw new ProjectFault(`${place} needs a package and a reason`);
  if (entry.until !== undefined && !DAY.test(until ?? '')) {
    throw new ProjectFault(`${place}: until is a day such as 2026-12-31`);
  }
  return { package: name, version: text('version'), finding: text('finding'), reason, until };
}

// `acme`, `acme@2.0.0`, several with commas between them.
export function ignoredByFlag(value: string): Ignored[] {
  return value.split(',').flatMap((one) => {
    const [, name, version] = /^(@?[^@\s]+)(?:@(\S+))?$/.exec(one.trim()) ?? [];
    if (name === undefined) return [];
    return [{ package: name, version: version ?? null, finding: null, reason: 'by --ignore', until: null }];
  });
}

// A row without the findings that are ignored. It is ignored as a whole when nothing else speaks of a break.
export function withIgnored(row: ReportRow, ignored: readonly Ignored[], today: string): ReportRow {
  const fitting = ignored.filter(
    (one) =>
      one.package === row.package &&
      (one.version === null || one.version === row.to) &&
      (one.until === null || one.until >= today),
  );
  const whole = fitting.find(({ finding }) => finding === null);
  if (whole) return { ...row, ignored: { reason: whole.reason, until: whole.until } };
  const findings = row.findings.filter(({ name }) => !fitting.some(({ finding }) => finding === name));
  const [first] = fitting;
  if (first === undefined || findings.length === row.findings.length) return row;
  const isByPackageAlone = row.verdict !== 'major' && row.verdict !== 'minor';
  if (findings.length > 0 || !isByPackageAlone) return { ...row, findings };
  return { ...row, findings, ignored: { reason: first.reason, until: first.until } };
}

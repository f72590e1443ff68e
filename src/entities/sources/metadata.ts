// Source settings are typed columns; `metadata` on the wire is a JSON rendering of them and of unknown keys.
import type { z } from 'zod';
import { type Issue, validationFailed } from '../../contract/errors.ts';
import { SETTINGS, SETTINGS_WITH_COLUMN } from '../../contract/source-settings.ts';
import { isRecord } from '../../domain/records.ts';
import { parseJson, toJson } from '../../store/json-text.ts';
import type { SourceRow } from '../../store/schema/sources.ts';

const MAX_METADATA = 32 * 1024;
const NOTHING = toJson({});

type SettingColumn = (typeof SETTINGS_WITH_COLUMN)[keyof typeof SETTINGS_WITH_COLUMN][0];

const COLUMNS = new Map<string, readonly [column: SettingColumn, schema: z.ZodType]>(
  Object.entries(SETTINGS_WITH_COLUMN),
);
const SCHEMAS = new Map<string, z.ZodType>(Object.entries(SETTINGS));

type SettingColumns = Pick<SourceRow, SettingColumn | 'settings' | 'extra'>;

export type Metadata = Record<string, unknown>;

export function renderMetadata(source: SettingColumns): string {
  return JSON.stringify(metadataOf(source));
}

export function metadataOf(source: SettingColumns): Metadata {
  const result: Metadata = {};
  for (const [key, [column]] of COLUMNS) {
    const value = source[column];
    if (value !== null) result[key] = key === 'githubUrl' ? `https://github.com/${value}` : value;
  }
  if (source.settings !== NOTHING) Object.assign(result, parseJson(source.settings));
  if (source.extra !== NOTHING) Object.assign(result, parseJson(source.extra));
  return result;
}

// A body may contain the object or its JSON text.
export function readMetadata(value: string | Metadata): Metadata {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (Buffer.byteLength(text) > MAX_METADATA) throw validationFailed([{ path: 'metadata', reason: 'at most 32 KiB' }]);
  try {
    const parsed: unknown = JSON.parse(text);
    if (isRecord(parsed) && !Array.isArray(parsed)) return parsed;
  } catch {
    // Invalid JSON gets the same error as a value that is not an object.
  }
  throw validationFailed([{ path: 'metadata', reason: 'must be an object or the JSON text of one' }]);
}

export function settingColumns(metadata: Metadata): SettingColumns {
  const issues: Issue[] = [];
  const columns: Record<string, unknown> = {};
  const settings: Metadata = {};
  const extra: Metadata = {};
  for (const [column] of COLUMNS.values()) columns[column] = null;
  for (const [key, value] of Object.entries(metadata)) {
    if (value === null || (key === 'feedType' && value === 'unknown')) continue;
    const [column, schema] = COLUMNS.get(key) ?? [null, SCHEMAS.get(key)];
    if (!schema) {
      extra[key] = value;
      continue;
    }
    const checked = schema.safeParse(value);
    if (!checked.success) {
      issues.push({ path: `metadata.${key}`, reason: checked.error.issues[0]?.message ?? 'is not valid' });
    } else if (column) columns[column] = checked.data;
    else settings[key] = checked.data;
  }
  if (issues.length > 0) throw validationFailed(issues);
  return { ...columns, settings: toJson(settings), extra: toJson(extra) } as SettingColumns;
}

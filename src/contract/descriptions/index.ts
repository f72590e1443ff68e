// What the names of parameters and fields mean, one table a subject. A schema that says more about a field than these tables
// does so at its declaration (`.describe`), and that text wins. A field may be narrowed by its JSON type or by its shared
// schema (`releases:integer`, `type:SourceType`).
import { ACCOUNT_FIELDS } from './account-fields.ts';
import { OPERATION_FIELDS } from './operation-fields.ts';
import { ORG_FIELDS } from './org-fields.ts';
import { PATH_PARAMETERS, QUERY_PARAMETERS } from './parameters.ts';
import { RELEASE_FIELDS } from './release-fields.ts';
import { SEARCH_FIELDS } from './search-fields.ts';
import { SHARED_FIELDS } from './shared-fields.ts';
import { SOURCE_FIELDS } from './source-fields.ts';
import { WEBHOOK_FIELDS } from './webhook-fields.ts';

export const FIELD_TABLES = [
  SHARED_FIELDS,
  ORG_FIELDS,
  SOURCE_FIELDS,
  RELEASE_FIELDS,
  SEARCH_FIELDS,
  WEBHOOK_FIELDS,
  ACCOUNT_FIELDS,
  OPERATION_FIELDS,
];

const FIELDS: Record<string, string> = Object.assign({}, ...FIELD_TABLES);

// `before` is the segment of the path in front of the parameter, without braces.
export function pathParameterText(name: string, before: string): string | undefined {
  return PATH_PARAMETERS[`${before}/${name}`] ?? PATH_PARAMETERS[name];
}

export function queryParameterText(name: string): string | undefined {
  return QUERY_PARAMETERS[name];
}

export function fieldText(name: string, narrowing: readonly string[]): string | undefined {
  const key = narrowing.map((each) => `${name}:${each}`).find((each) => each in FIELDS);
  return FIELDS[key ?? name];
}

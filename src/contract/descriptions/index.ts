// What the names of parameters mean. A query that says more about one does so at its declaration, and that text wins.
import { PATH_PARAMETERS, QUERY_PARAMETERS } from './parameters.ts';

// `before` is the segment of the path in front of the parameter, without braces.
export function pathParameterText(name: string, before: string): string | undefined {
  return PATH_PARAMETERS[`${before}/${name}`] ?? PATH_PARAMETERS[name];
}

export function queryParameterText(name: string): string | undefined {
  return QUERY_PARAMETERS[name];
}

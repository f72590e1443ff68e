// A request as a command line and as JavaScript, with sample values for its parameters.
import type { Operation } from './document-types.ts';

export interface ExampleCall {
  baseUrl: string;
  method: string;
  path: string;
  operation: Operation;
}

// The body that the reference shows and prefills; undefined for operations without one.
export function sampleBody({ requestBody }: Operation): unknown {
  const sample = requestBody?.content['application/json']?.examples?.sample;
  return sample && 'value' in sample ? sample.value : undefined;
}

export function curlExample(call: ExampleCall): string {
  const body = sampleBody(call.operation);
  const method = call.method.toUpperCase();
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(addressOf(call))}`,
    ...(call.operation['x-scope'] ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

export function scriptExample(call: ExampleCall): string {
  const body = sampleBody(call.operation);
  const method = call.method.toUpperCase();
  const headers = [
    ...(call.operation['x-scope'] ? [`Authorization: 'Bearer ' + key`] : []),
    ...(body === undefined ? [] : [`'Content-Type': 'application/json'`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`]),
  ];
  const given = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
  const lines = [
    `const response = await fetch(${JSON.stringify(addressOf(call))}${given});`,
    'if (!response.ok) throw new Error(await response.text());',
    ...readingOf(call.operation),
  ];
  return lines.join('\n');
}

function readingOf({ responses }: Operation): string[] {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const [type] = Object.keys(answer?.content ?? {});
  if (type === undefined) return [];
  if (type === 'text/event-stream')
    return ['for await (const chunk of response.body) console.log(new TextDecoder().decode(chunk));'];
  return [`const answer = await response.${type === 'application/json' ? 'json' : 'text'}();`];
}

function addressOf({ baseUrl, path, operation }: ExampleCall): string {
  const given = operation.parameters.filter(({ required }) => required);
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: location, example = 'text' } of given) {
    if (location === 'query') query.set(name, String(example));
    else filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)));
  }
  return `${baseUrl}${filled}${query.size > 0 ? `?${query}` : ''}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

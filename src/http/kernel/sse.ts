// The frames of an event stream.

export const RETRY_FRAME = 'retry: 3000\n\n';
export const KEEP_ALIVE_FRAME = ': keep-alive\n\n';

/** `data` is one line, as JSON is. */
export function frame(event: string, data: string, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

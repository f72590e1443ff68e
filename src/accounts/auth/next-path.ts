// Where a browser is sent after it has signed in: a path of this service and nothing else.
const AFTER_SIGN_IN = '/following';

// One slash, then anything but what a browser would read as a second one.
const LOCAL = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

export function nextPath(wanted: unknown): string {
  return typeof wanted === 'string' && LOCAL.test(wanted) ? wanted : AFTER_SIGN_IN;
}

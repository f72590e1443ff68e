// Where a browser is sent after it has signed in: a path of this service and nothing else.
const AFTER_SIGN_IN = '/following';

// One slash, then anything but what a browser would read as a second one.
const LOCAL = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

export function nextPath(wanted: unknown): string {
  return typeof wanted === 'string' && LOCAL.test(wanted) ? asciiOf(wanted) : AFTER_SIGN_IN;
}

// A header holds no other letters. What is encoded already stays as it is.
function asciiOf(path: string): string {
  return path.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, (letters) => encodeURIComponent(letters));
}

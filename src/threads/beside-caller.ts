// The file of a thread: it lies beside its caller's and has the same ending, because the packed program is JavaScript. The
// name is written out where this is called, `besideCaller(import.meta.url, 'read-thread')`: the build looks for it.
export function besideCaller(callerUrl: string, name: string): URL {
  return new URL(`./${name}${callerUrl.slice(callerUrl.lastIndexOf('.'))}`, callerUrl);
}

// The file of a thread, in the folder of its caller and with the same extension, because the packed program is JavaScript.
// Callers write the name literally, `besideCaller(import.meta.url, 'read-thread')`, because the build searches for it.
export function besideCaller(callerUrl: string, name: string): URL {
  return new URL(`./${name}${callerUrl.slice(callerUrl.lastIndexOf('.'))}`, callerUrl);
}

// Finds the module of a task by its address. In the packed program no module has a file of its own: there the build puts a
// table of all modules with tasks in the place of this file.
export function loadModule(url: string): Promise<unknown> {
  return import(url);
}

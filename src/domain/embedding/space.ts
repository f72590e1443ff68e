// Vectors can be compared only inside one space: one embedder, one number of values, one recipe of texts.

// Rises with every change of a text in `document-text.ts`. It is defined here because the threads that hold
// the indexes need nothing else of the texts.
export const RECIPE = 3;

interface Space {
  embedder: string;
  dims: number;
  recipe: number;
}

export function spaceName({ embedder, dims, recipe = RECIPE }: Omit<Space, 'recipe'> & { recipe?: number }): string {
  return `${embedder}|${dims}|${recipe}`;
}

export function readSpace(name: string): Space | null {
  const match = /^(?<embedder>.+)\|(?<dims>\d+)\|(?<recipe>\d+)$/s.exec(name);
  if (!match?.groups) return null;
  const { embedder = '', dims, recipe } = match.groups;
  return { embedder, dims: Number(dims), recipe: Number(recipe) };
}

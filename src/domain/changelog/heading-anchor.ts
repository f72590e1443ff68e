// Names the headings of one document in order, as code hosts do: repeats get `-1`, `-2`, …
export function anchorNamer(): (rendered: string) => string {
  const taken = new Map<string, number>();
  return (rendered) => {
    const base = slug(rendered);
    let name = base;
    let repeats = taken.get(base) ?? 0;
    while (taken.has(name)) name = `${base}-${++repeats}`;
    taken.set(base, repeats);
    taken.set(name, taken.get(name) ?? 0);
    return name;
  };
}

// Marks stay because hosts keep them: the variation selector of an emoji is part of its anchor.
function slug(rendered: string): string {
  return rendered
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{Nd}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

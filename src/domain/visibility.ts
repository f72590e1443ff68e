// Whether the public may see a source: it is neither deleted nor hidden, and neither is what it belongs to.
interface Hideable {
  is_hidden: number;
}

interface Deletable extends Hideable {
  deleted_at: string | null;
}

export function isVisibleSource(source: Deletable, org: Deletable | null, product: Hideable | null): boolean {
  return !source.deleted_at && !source.is_hidden && !org?.is_hidden && !org?.deleted_at && !product?.is_hidden;
}

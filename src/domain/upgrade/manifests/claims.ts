// Which source owns a package name when several repositories claim it.

export interface PackageClaim {
  sourceId: string;
  packagePart: string | null;
  // The manifest names this very repository as its own.
  isOwn: boolean;
  isVisible: boolean;
  isFork: boolean;
  stars: number;
  createdAt: string;
}

// Sorts the better claim first. A hidden source does not take a name from a visible one.
export function compareClaims(a: PackageClaim, b: PackageClaim): number {
  return (
    Number(b.isVisible) - Number(a.isVisible) ||
    Number(b.isOwn) - Number(a.isOwn) ||
    Number(a.isFork) - Number(b.isFork) ||
    b.stars - a.stars ||
    compareText(a.createdAt, b.createdAt) ||
    compareText(a.sourceId, b.sourceId)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface ArchiveLimits {
  // Bytes of the archive as downloaded.
  packed: number;
  // Bytes of everything in it, padding and headers too.
  unpacked: number;
  // Unpacked bytes for each packed one.
  ratio: number;
  // Headers of every kind, so that an archive of nothing but long names ends too.
  entries: number;
  // Bytes of all files that are kept.
  kept: number;
}

const MB = 1_000_000;

export const ARCHIVE_LIMITS: ArchiveLimits = {
  packed: 200 * MB,
  unpacked: 200 * MB,
  ratio: 200,
  entries: 50_000,
  kept: 100 * MB,
};

// A long name or a set of attributes; the readers of installers take at most 1 MiB as well.
export const EXTRA_HEADER_BYTES = 1024 * 1024;

// Longer than any path that a file system takes.
export const NAME_BYTES = 4096;

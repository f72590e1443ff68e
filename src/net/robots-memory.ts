// What is remembered of a host's robots.txt.
export interface RobotsEntry {
  // Null when there was no answer, so nothing is allowed. An absent file is the empty text, which allows everything.
  text: string | null;
  // Milliseconds of the clock.
  until: number;
}

// Storage of entries; a store that several processes share can replace the memory of this process.
export interface RobotsMemory {
  get(origin: string): RobotsEntry | undefined | Promise<RobotsEntry | undefined>;
  set(origin: string, entry: RobotsEntry): void | Promise<void>;
}

// Files may be large, so characters are counted as well as hosts.
const MAX_CHARACTERS = 16 * 1024 * 1024;
const MAX_ORIGINS = 10_000;

export function createRobotsMemory(maxCharacters = MAX_CHARACTERS, maxOrigins = MAX_ORIGINS): RobotsMemory {
  const entries = new Map<string, RobotsEntry>();
  let characters = 0;
  const forget = (origin: string) => {
    characters -= entries.get(origin)?.text?.length ?? 0;
    entries.delete(origin);
  };
  return {
    get: (origin) => entries.get(origin),
    set: (origin, entry) => {
      forget(origin);
      entries.set(origin, entry);
      characters += entry.text?.length ?? 0;
      // The oldest entry expires first.
      for (const oldest of entries.keys()) {
        if (characters <= maxCharacters && entries.size <= maxOrigins) return;
        if (oldest !== origin) forget(oldest);
      }
    },
  };
}

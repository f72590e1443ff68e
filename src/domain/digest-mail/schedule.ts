// When a digest is due: at a chosen hour of a zone, each day or each week.

export const CADENCES = ['off', 'daily', 'weekly'] as const;
export type Cadence = (typeof CADENCES)[number];

interface DigestTimes {
  cadence: Cadence;
  // 0 is Sunday.
  weekday: number;
  hour: number;
  zone: string;
}

const STEP_MS = 15 * 60_000;
const MAX_STEPS = 8 * 24 * 4 + 8;

export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
    return zone.length <= 64;
  } catch {
    return false;
  }
}

// The first moment after this one at which the clock of the zone passes the hour. An hour that a change of clocks skips is
// passed at its end. Null when it is off.
export function nextDigest({ cadence, weekday, hour, zone }: DigestTimes, after: Date): Date | null {
  if (cadence === 'off') return null;
  const read = localReader(zone);
  const start = Math.floor(after.getTime() / STEP_MS) * STEP_MS;
  let before = read(start);
  for (let step = 1; step <= MAX_STEPS; step += 1) {
    const at = start + step * STEP_MS;
    const here = read(at);
    const passes = here.minutes >= hour * 60 && (here.day !== before.day || before.minutes < hour * 60);
    if (passes && (cadence === 'daily' || here.weekday === weekday)) return new Date(at);
    before = here;
  }
  return null;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function localReader(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  return (at: number) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
    return {
      day: parts.get('day'),
      weekday: WEEKDAYS.indexOf(parts.get('weekday') ?? ''),
      minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
    };
  };
}

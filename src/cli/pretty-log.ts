// A log line for a person at a terminal: time, level, message, then the fields.

interface LogLine {
  level: number;
  time?: number;
  msg?: string;
  err?: { message?: string; stack?: string };
  [fact: string]: unknown;
}

const LEVELS: Readonly<Record<number, [name: string, colour: number]>> = {
  10: ['TRACE', 90],
  20: ['DEBUG', 36],
  30: ['INFO', 32],
  40: ['WARN', 33],
  50: ['ERROR', 31],
  60: ['FATAL', 35],
};
const NAME_WIDTH = 5;
// C0 and C1 control characters, delete, and bidirectional marks, which a terminal would obey.
const CONTROLS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const STACK_CONTROLS = /[^\P{Cc}\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

interface PrettyOptions {
  colour: boolean;
}

// Lines that are not ours are printed unchanged, without control characters.
export function prettyLine(json: string, { colour }: PrettyOptions): string {
  const line = parse(json);
  if (line === null) return `${json.replace(CONTROLS, ' ').trim()}\n`;
  const { level, time, msg = '', err, ...facts } = line;
  const [name, code] = LEVELS[level] ?? [String(level), 0];
  const paint = (text: string, shade: number) => (colour ? `\x1b[${shade}m${text}\x1b[0m` : text);
  const parts = [
    ...(time === undefined ? [] : [paint(clockTime(time), 90)]),
    paint(name.padEnd(NAME_WIDTH), code),
    msg.replace(CONTROLS, ' '),
    ...Object.entries(facts).map(([key, value]) => paint(`${plain(key)}=${plain(value)}`, 90)),
    ...(err?.message === undefined ? [] : [paint(`err=${plain(err.message)}`, 31)]),
  ];
  const stack = level >= 50 && err?.stack ? `${stackOf(err.stack)}\n` : '';
  return `${parts.join(' ')}\n${stack}`;
}

function parse(json: string): LogLine | null {
  try {
    const value: LogLine | null = JSON.parse(json);
    return typeof value?.level === 'number' ? value : null;
  } catch {
    return null;
  }
}

function clockTime(time: number): string {
  return new Date(time).toISOString().slice(11, 19);
}

function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const shown = text.replace(CONTROLS, ' ');
  return typeof value === 'string' && /[\s"=]/.test(shown) ? JSON.stringify(shown) : shown;
}

// The message is in the line already, so it is removed from the stack.
function stackOf(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.map((frame) => `    ${frame.trim().replace(STACK_CONTROLS, ' ')}`).join('\n');
}

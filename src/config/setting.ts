// The declaration of a setting: its meaning, its schema with the default, and what applies when it is absent.
import { z } from 'zod';

export const flag = z.enum(['true', 'false'], 'must be true or false');

// `absent` says what applies when a setting without a default is left out.
export function setting<T extends z.ZodType>(meaning: string, schema: T, absent?: string): T {
  return schema.meta({ description: meaning, absent }) as T;
}

// How far the well-known packages of a new registry are read.
import { z } from 'zod';
import { count } from './pagination.ts';

export const starterState = z
  .object({
    done: count.meta({ description: 'Packages that were read.' }),
    total: count.meta({ description: 'Packages of the list; 0: the registry reads none by itself.' }),
    state: z.enum(['running', 'stopped', 'done']).meta({ description: 'Whether more are read.' }),
  })
  .meta({ id: 'StarterState' });

export type StarterState = z.infer<typeof starterState>;

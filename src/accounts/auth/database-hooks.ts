// What is checked before the sign-in library writes a row: profiles, disabled accounts, the lifetime of codes.
import type { BetterAuthOptions } from 'better-auth';
import { APIError } from 'better-call';
import { queries } from '../../context.ts';
import type { LibraryAdapter } from './adapter.ts';

const CODE_SECONDS = 60;

export function databaseHooks({ context }: LibraryAdapter): BetterAuthOptions['databaseHooks'] {
  const checkProfile = async (user: Record<string, unknown>) => {
    const fault = profileFault(user);
    if (fault) throw new APIError('BAD_REQUEST', { code: 'INVALID_PROFILE', message: fault });
    return { data: user };
  };
  return {
    user: { create: { before: checkProfile as never }, update: { before: checkProfile as never } },
    session: {
      create: {
        // A disabled account gets the same answer as a wrong password.
        before: async ({ userId }) => {
          const user = await queries(context())
            .selectFrom('users')
            .select('disabled_at')
            .where('id', '=', userId)
            .executeTakeFirst();
          if (user?.disabled_at) {
            throw new APIError('UNAUTHORIZED', {
              code: 'INVALID_EMAIL_OR_PASSWORD',
              message: 'Invalid email or password',
            });
          }
        },
      },
    },
    verification: {
      create: {
        // The library gives a code and the form that leads to it one lifetime; people need longer than apps.
        before: async (row) => {
          if (!row.value.startsWith('{"type":"authorization_code"')) return;
          return { data: { ...row, expiresAt: new Date(row.createdAt.getTime() + CODE_SECONDS * 1000) } };
        },
      },
    },
  };
}

// What an account says about its owner.
const LONGEST_NAME = 80;
const LONGEST_IMAGE = 2000;
const LONGEST_EMAIL = 254;

// Null: nothing is wrong with what is given; what is absent is not looked at.
function profileFault(profile: Record<string, unknown>): string | null {
  const { name, image, email } = profile;
  if (name !== undefined && !isName(name)) return `name must have 1 to ${LONGEST_NAME} characters`;
  if (image !== undefined && image !== null && !isImage(image)) return 'image must be an https address';
  if (typeof email === 'string' && email.length > LONGEST_EMAIL) return 'email is too long';
  return null;
}

function isName(value: unknown): boolean {
  return (
    typeof value === 'string' && value.trim() !== '' && [...value].length <= LONGEST_NAME && !/\p{Cc}/u.test(value)
  );
}

function isImage(value: unknown): boolean {
  return (
    typeof value === 'string' && value.length <= LONGEST_IMAGE && /^https:\/\//i.test(value) && URL.canParse(value)
  );
}

// What an account says about its owner.
const LONGEST_NAME = 80;
const LONGEST_IMAGE = 2000;
const LONGEST_EMAIL = 254;

// Null: nothing is wrong with what is given; what is absent is not looked at.
export function profileFault(profile: Record<string, unknown>): string | null {
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

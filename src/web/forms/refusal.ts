// Why a form was refused, in words for the person who sent it.

export interface Refusal {
  status: number;
  // What is wrong with the form as a whole; null where its fields say it all.
  message: string | null;
  // By the name of the field.
  fields: Readonly<Record<string, string>>;
}

export const TOO_MANY = 'Too many attempts. Wait a while.';

export function refused(message: string, status = 422): Refusal {
  return { status, message, fields: {} };
}

export function refusedField(field: string, message: string): Refusal {
  return { status: 422, message: null, fields: { [field]: sentence(message) } };
}

// The functions of the registry speak to programs.
export function sentence(text: string): string {
  const begun = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

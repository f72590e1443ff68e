// The longest message of a client, in bytes, on either transport.
export const LONGEST_MESSAGE = 256 * 1024;

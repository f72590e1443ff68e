// Raised with every change of the rules that gives other entries: stored files are then read again.
export const PARSER_VERSION = 3;

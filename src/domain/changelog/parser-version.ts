// The version of the changelog parser. It is raised with every change that leads to other entries, because stored files
// are then read again.
export const PARSER_VERSION = 7;

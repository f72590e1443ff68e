// The version of everything that derives fields from notes. Stored releases are derived anew when it changes, so it is
// raised with every change of a rule; a test compares what the rules make of the labelled releases.
export const RULES_VERSION = 4;

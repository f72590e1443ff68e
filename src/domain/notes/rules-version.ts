// The version of the rules that derive fields from notes. It is raised with every change of a rule, because stored
// releases are derived again when it changes; a test compares the results of the rules with labelled releases.
export const RULES_VERSION = 15;

/**
 * An error whose message says it all: what happened, then what to do. Commands print it as one line, without a stack.
 */
export class PlainError extends Error {}

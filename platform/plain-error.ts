/**
 * An error with a complete message that states the problem, then the solution. Commands print it as one line, without a
 * stack.
 */
export class PlainError extends Error {}

/**
 * A failure that its message explains whole: what happened, then what to do. Commands show it as one line, never with a
 * stack.
 */
export class PlainError extends Error {}

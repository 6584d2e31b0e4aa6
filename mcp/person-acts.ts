/** Actions that only a person can do in a browser. Tools and arguments can't replace them. */
export const personActs = [
  'Check the door label, and accept the fitment conditions',
  'Enter contact and billing details, or sign in',
  'Accept the terms of sale',
  'Pay, and answer the bank’s questions',
] as const

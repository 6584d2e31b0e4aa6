/** What only a person does, in a browser: no tool does it, and no argument says it was done. */
export const personActs = [
  'Check the door label, and accept the fitment conditions',
  'Enter contact and billing details, or sign in',
  'Accept the terms of sale',
  'Pay, and answer the bank’s questions',
] as const

/** Why nothing came back, as a part of a sentence: a browser knows that it is offline, and of everything else only that nobody answered. */
export function whyUnreachable(): string {
  return navigator.onLine ? 'the store cannot be reached' : 'you seem to be offline'
}

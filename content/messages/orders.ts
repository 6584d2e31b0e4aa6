/** Messages about orders. */

/** The order number and ZIP of a lookup do not belong to the same order. */
export const orderNotFoundMessage = 'Please review. Order ID & ZIP Code do not match.'

/** What a typed code was not, by the field. */
export const orderCodeMessages = {
  malformed: 'Type the six digits from our email.',
  wrong: 'That code is wrong. Check the newest email from us, and type all six digits.',
  expired: 'That code has expired. Ask for a new one.',
  used: 'That code was already used. If this page has not changed, reload it, or ask for a new code.',
  exhausted: 'That was one attempt too many for this code. Ask for a new one.',
} as const

/** More codes were asked for than one order or network may. */
export const tooManyCodesMessage =
  'That was one code too many. Wait an hour, or open the link in the email we sent you about the order.'

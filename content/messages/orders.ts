/** Messages about orders. */

/** The order number and ZIP of a lookup do not belong to the same order. */
export const orderNotFoundMessage = 'Please review. Order ID & ZIP Code do not match.'

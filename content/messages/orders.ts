/** What is said about orders. */

/** The two facts of a look-up are not of one order. */
export const orderNotFoundMessage = 'Please review. Order ID & ZIP Code do not match.'

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

/** The order or network exceeded the limit of verification codes. */
export const tooManyCodesMessage =
  'That was one code too many. Wait an hour, or open the link in the email we sent you about the order.'

/** The order pages' messages for an order to confirm and for a confirmed order. `days` is such as "2-4 business days". */
export const confirmOrderMessages = {
  heading: 'Please confirm your order.',
  incomplete: (days: string) => `but it is incomplete. Delivery takes ${days} after completion.`,
  delivery: (days: string) => `Delivered ${days} after completion`,
  button: 'Confirm order',
} as const

/** Canceling lines of an order that have not shipped. */
export const cancelLinesMessages = {
  heading: 'Cancel items that haven’t shipped',
  nothingAsked: 'Choose how many to cancel.',
  comesBack: (amount: string) => `${amount} comes back the way you paid.`,
  nothingPaid: 'You haven’t been and won’t be charged for it.',
  moved: 'This order was just updated. Review it again before you cancel.',
  noMoney: 'We can’t refund this automatically because it was already refunded another way or the invoice is paid.',
  /** Why cancellation is unavailable, for shoppers. */
  none: {
    canceled: 'This order is canceled already.',
    returned: 'This order was returned.',
    unconfirmed: 'This order is not confirmed yet. You can still cancel all of it.',
    'in-window': 'You can still cancel the whole order before we charge you.',
    service: 'This order is one service. You can cancel all of it.',
    shipped: 'Everything has shipped. You can return unmounted tires once they arrive.',
    delivered: 'Everything was delivered. You can return unmounted tires.',
    'invoice-paid': 'Your company has paid for this order. Please call us to cancel a part of it.',
  },
} as const

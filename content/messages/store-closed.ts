/** What shoppers read until the store opens: in the notice, and wherever an order or a payment is refused. */
export const storeClosedTitle = 'This store isn’t open yet'
export const storeClosedText = 'You can look around, but you can’t order or pay until it opens.'
export const storeClosedMessage = `${storeClosedTitle}. ${storeClosedText}`

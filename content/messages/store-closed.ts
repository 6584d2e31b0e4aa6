/** The messages before the store opens. They include the notice, and refusals of orders and payments. */
export const storeClosedTitle = 'This store isn’t open yet'
export const storeClosedText = 'You can look around, but you can’t order or pay until it opens.'
export const storeClosedMessage = `${storeClosedTitle}. ${storeClosedText}`

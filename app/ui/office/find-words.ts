/** The search box's label and placeholder, the same with and without script. */
export const findLabel = 'Find an order, customer, tire, shop or company'
export const findHint = 'Order, name, phone, ZIP, SKU, VIN'
export const findLength = 100

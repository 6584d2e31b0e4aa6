/** What each script on payment pages does, declared for the inventory (PCI DSS 4.0.1, requirement 6.4.3). */

/**
 * By the name of the script's file without its hash. A shared script is named after one of its modules. The build fails
 * if a payment page loads a script without a purpose.
 */
export const scriptPurposes: Readonly<Record<string, string>> = {
  'brand-kinds': 'Shows a brand’s tires by type',
  'business-constants': 'Contains the limits that forms and texts mention, such as the largest upload',
  'card-entry': 'Shows the provider’s card fields in its frame, and submits the result without the card number',
  cart: 'Shows the cart, and changes quantities and services',
  'charge-ready': 'Shows that a card was authorized, with the link to the order review',
  comparing: 'Stores which tires the shopper compares',
  'count-text': 'Formats counts, such as “4 tires”',
  crumbs: 'Shows the path to the page above its title',
  delivery: 'Distinguishes installation, shipping, and pickup',
  'directory-grid': 'Lists links to related sizes and places on a tire page',
  'empty-cart': 'Shows an empty cart with links to tires',
  'entry.client': 'Starts the page in the browser',
  'error-view': 'Shows an error page',
  'express-buttons': 'Starts the wallet buttons of a page',
  field: 'Shows form fields with their labels and errors',
  'fulfillment-tabs': 'Names the delivery methods',
  'full-router': 'Moves between pages without reloading, and submits forms (React Router)',
  'hold-bar': 'Shows how long the appointment is reserved, and renews it',
  icon: 'Renders the icons',
  interactions: 'Adds and removes tires to compare, and copies links',
  manifest: 'Lists which scripts belong to which page',
  measure: 'Sends measurements to the analytics provider, if the shopper agreed',
  'new-page': 'Moves the focus to the title of a new page for screen readers',
  'order-change': 'Shows an order change with its price, and the payment page for it',
  'order-change-return': 'Receives the browser from the payment provider after an order change was paid',
  'order-summary': 'Shows the rows of the price, such as subtotal and tax',
  packed: 'Unpacks lists that the server sent as text',
  'page-head': 'Writes the title and description of the page',
  paths: 'Builds the store’s URLs',
  'pay-by-link': 'Shows the page where a customer pays for a change with a link from an email',
  'payment-alert': 'Shows the result of a payment attempt',
  'payment-fields-sandbox': 'Loads the card fields of the demo’s sandbox in a frame',
  'payment-fields-stripe': 'Loads the card fields of Stripe in a frame',
  'payment-method': 'Shows the page of the chosen payment method, such as card or pay later',
  'payment-return': 'Receives the browser from the payment provider',
  payments: 'Shows the payment methods and the billing address, with the messages about declined payments',
  'place-order': 'Shows the button that places the order, and why it can’t be placed',
  'preload-helper': 'Loads further scripts of the store when a page needs them',
  product: 'Shows a tire with its sizes, price, and the button that adds it to the cart',
  'ranking-note': 'Explains the order of a list of tires',
  rating: 'Shows the stars of a rating',
  react: 'Renders the page (React)',
  'refusal-focus': 'Moves the focus to the first error of a form',
  'replay-early': 'Repeats clicks and entries from before the scripts had loaded',
  reviews: 'Shows customer reviews, and sorts them',
  'rolldown-runtime': 'Connects the modules of the page',
  root: 'Shows the header, navigation, and footer of every page',
  router: 'Reads the data of a page, and shows its other states, such as another quantity',
  savings: 'Shows the coupon field and the military discount',
  'scope-reviews': 'Shows the page with the reviews of a brand or a size',
  'send-and-keep': 'Submits a form and leaves the entries if the connection fails',
  'server-rendered': 'Leaves parts that the server rendered unchanged',
  share: 'Shows the links to share a tire',
  'side-summary': 'Shows the price next to the form',
  'slot-label': 'Formats an appointment',
  'state-field': 'Shows the list of states',
  stepper: 'Shows the steps of the checkout',
  'store-client': 'Sends requests to the store’s API',
  'store-closed': 'Contains the notice of a store that isn’t open yet',
  'stripe-script': 'Loads Stripe’s script once, from the address that an owner approved',
  'summary-tires': 'Lists the cart’s tires next to the price',
  technical: 'Contains the messages about connection problems',
  tick: 'Shows a check box with its error',
  'tire-card': 'Shows a similar tire with its price and rating',
  'tire-facts': 'Shows whether a tire fits, with its properties',
  'tire-line': 'Shows an ordered tire with its picture',
  'tire-picture': 'Shows tire pictures',
  'unfit-notice': 'Explains why the tires can’t be installed',
  wallet: 'Shows the wallet buttons on the page with the payment methods',
  'wallet-buttons': 'Shows the wallet buttons of the payment provider in its frame, in the cart and on a tire page',
  'wallet-payment': 'Pays with the device’s wallet through the provider’s frame',
  'zip-asking': 'Saves the ZIP code that the shopper enters',
}

/** Returns what the script at `address` does; null for one without a declared purpose. */
export function purposeOf(address: string): string | null {
  const name = nameOf(address)
  return Object.hasOwn(scriptPurposes, name) ? (scriptPurposes[name] ?? null) : null
}

/** The length of the hash and ending of a file. */
const endLength = '-1a2b3c4d.js'.length

/** "payments" of "/assets/payments-1a2b3c4d.js" */
function nameOf(address: string): string {
  const file = address.slice(address.lastIndexOf('/') + 1)
  const [name, rest] = [file.slice(0, -endLength), file.slice(-endLength)]
  return /^[\w.-]{1,80}$/.test(name) && /^-[\w-]{8}\.js$/.test(rest) ? name : address
}

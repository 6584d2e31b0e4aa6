/** Fitment rule FR46 requires a fitment check in all code that selects, reserves, or pays for installation. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The product without the capabilities that own holds and payments: they know no vehicle. */
const product = globSync('{api,app,cxml,domain,http,mcp,ucp,widget}/**/*.{ts,tsx}').filter(
  (file) =>
    !/\.(test|testing)\.tsx?$/u.test(file) && !/^domain\/(scheduling\/booking|payments\/payments)\//u.test(file),
)

function callersOf(call: RegExp): string[] {
  return product.filter((file) => call.test(readFileSync(file, 'utf8').replaceAll(/^.*\bfunction \w+/gmu, ''))).sort()
}

/** Calls that hold a time. `installationFor` refuses tires that do not fit, and a hold needs what it returns. */
const holding = [
  'api/checkout-steps.ts',
  'app/forms/hold-slot.server.ts',
  'domain/channels/approvals/approvals.server.ts',
  'domain/channels/purchasing/place-purchase.server.ts',
  'domain/operations/setup/sample-order.server.ts',
  'domain/ordering/phone-orders/book-installation.server.ts',
  'ucp/fulfillment.ts',
]

/** Calls that extend a hold, or open the payment of a cart. */
const asking = [
  'api/routes/delivery.ts',
  'api/routes/placing.ts',
  'app/routes/checkout/card-charge.server.ts',
  'app/routes/checkout/choose-shipping.server.ts',
]

/**
 * Membership payments and the setup's test charge don't include installation. The agent sandbox reads the fitment
 * result directly.
 */
const others = [
  'api/routes/membership.ts',
  'app/routes/programs/membership.tsx',
  'domain/operations/setup/run-checks.server.ts',
  'ucp/sandbox-complete.ts',
]

/** Calls that can change the tires or the vehicle in a cart with a reservation. All other calls fill a new cart. */
const changing = [
  'api/carts.ts',
  'app/forms/cart-form.server.ts',
  'app/routes/checkout/cart.tsx',
  'app/routes/orders/return.tsx',
  'ucp/about.ts',
  'ucp/lines.ts',
]
/** Changes within `changeCart` of api/carts.ts, in a new cart, or by `startExchange` of app/routes/orders/return.tsx. */
const within = [
  'api/routes/cart.ts',
  'domain/channels/purchasing/place-purchase.server.ts',
  'domain/channels/purchasing/punchout.server.ts',
  'domain/ordering/returns/exchange-return.server.ts',
  // A new cart that never holds a time.
  'domain/operations/setup/check-cart.server.ts',
  'domain/operations/setup/sample-order.server.ts',
  'mcp/tools/carts.ts',
]

test('each call that changes a cart is listed, and makes its held time agree with the cart', () => {
  const owners = /^domain\/payments\/cart\//u
  const changes = callersOf(/\b(addToCart|setQuantity|updateCart)\(/u).filter((file) => !owners.test(file))
  expect([...changing, ...within]).toEqual(expect.arrayContaining(changes))
  expect(callersOf(/\bsettleHold\(/u)).toEqual(expect.arrayContaining(changing))
})

test('each call that holds a time is listed, and requires the installation first', () => {
  expect(callersOf(/\bholdSlot\(/u)).toEqual(holding)
  expect(callersOf(/\binstallationFor\(/u)).toEqual(expect.arrayContaining(holding))
})

test('each call that extends a hold or opens a payment is listed and checks fit', () => {
  expect(callersOf(/\b(extendHold|openCharge|openHostedPage)\(/u)).toEqual([...asking, ...others].sort())
  expect(callersOf(/\brefuseInstallation\(/u)).toEqual(expect.arrayContaining(asking))
})

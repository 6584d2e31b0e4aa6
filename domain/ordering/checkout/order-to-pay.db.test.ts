import { expect, test } from 'vitest'
import { freePorts } from '#tests/support/free-ports.ts'
import { quoteCart, readDetails } from './checkout.server.ts'
import { makeReadyCart, openTestStore } from './checkout.testing.ts'
import { orderToPay } from './order-to-pay.ts'

const [port = 0] = await freePorts(3)

test.for(['shop', 'home'] as const)(
  'a provider sees an order by %s at its destination, and it adds up',
  async (fulfillment) => {
    await using store = await openTestStore(port)
    const cart = await makeReadyCart(store, { fulfillment })
    const { contact, billing } = await readDetails(store, cart.id)
    const quote = await quoteCart(store, cart, contact)
    const { breakdown, shop } = quote
    if (!contact || !billing || !breakdown) throw new Error('The cart of a test has no price.')
    const order = orderToPay({ ...quote, breakdown }, contact, billing, { isBusiness: false })
    expect(order.shipTo).toMatchObject(
      fulfillment === 'shop'
        ? { address1: shop?.street, address2: shop?.name, zip: shop?.zip }
        : { address1: contact.address1, address2: contact.address2, zip: contact.zip },
    )
    expect(order.shipTo.name).toBe(`${contact.firstName} ${contact.lastName}`)
    const lines = order.lines.reduce((sum, { unitCents, quantity }) => sum + unitCents * quantity, 0)
    expect(lines + order.taxCents + order.shippingCents - order.discountCents).toBe(breakdown.totals.totalCents)
  },
)

/** Contact, billing, services and the price of the cart. */
import { z } from 'zod'
import {
  changedCart,
  changeCart,
  changeRefusals,
  etagHeader,
  noCart,
  readOwnCheckout,
  readOwnEntered,
} from '#api/carts.ts'
import { contactBody, servicesBody, takeBilling, takeContact, takeServices } from '#api/checkout-steps.ts'
import { answer, operation } from '#api/operation.ts'
import { priceRow, priceTotals, rowViews } from '#api/prices.ts'
import { cents, day, exampleContact, receiver, street } from '#api/schemas.ts'
import { problemText } from '#content/messages/cart.ts'
import {
  agreementKey,
  quoteCart,
  readAgreedTime,
  readCartNews,
  type Checkout,
} from '#domain/ordering/checkout/checkout.server.ts'
import { billingForm } from '#domain/supply/contact-forms/contact-forms.ts'
import type { Application } from '#application'

const contactView = z
  .strictObject({
    ...receiver,
    instructions: z.string().nullable(),
    email: z.string(),
    vehicleNote: z.string().nullable(),
  })
  .meta({ id: 'Contact' })

const billingView = z
  .strictObject({
    sameAsShipping: z.boolean(),
    name: z.string(),
    ...street,
    phone: z.string(),
    phoneType: z.string(),
    poNumber: z.string().nullable(),
  })
  .meta({ id: 'Billing' })

const details = z
  .strictObject({ contact: contactView.nullable(), billing: billingView.nullable() })
  .meta({ id: 'CheckoutDetails' })

export const cartPrice = z
  .strictObject({
    basis: z.enum(['chosen', 'estimate']),
    agreedPrice: z.string().nullable().meta({ description: 'Null while the cart cannot be priced' }),
    rows: z.array(priceRow),
    totals: priceTotals.nullable(),
    creditCents: cents.meta({ description: 'The part paid with the account’s store credit' }),
    dueCents: cents.meta({ description: 'Payment amount, which is the total minus store credit' }),
    shop: z.strictObject({ id: z.int(), name: z.string() }).nullable(),
    arrivesOn: day.nullable(),
    problems: z
      .array(z.strictObject({ kind: z.string(), message: z.string() }))
      .meta({ description: 'What prevents the cart from being ordered' }),
    moved: z
      .array(z.strictObject({ itemId: z.int(), name: z.string(), fromCents: cents, toCents: cents }))
      .meta({ description: 'Prices that differ from what the shopper last saw' }),
    moves: z.array(z.string()).meta({ description: 'What changed since the price was last read, in words' }),
    notes: z.array(z.string()).meta({
      description:
        'What does not count in this price and why, and what the last change took away: a discount, a service, or the held time',
    }),
  })
  .meta({ id: 'CartPrice' })

export const checkoutOperations = [
  operation({
    id: 'readDetails',
    method: 'get',
    path: '/cart/details',
    area: 'Checkout',
    summary: 'Get contact and billing details',
    audience: 'cart',
    result: details,
    refuses: ['NoCart'],
    async handle({ app, caller }) {
      const entered = await readOwnEntered(app, caller)
      return entered ? answer({ contact: entered.contact, billing: entered.billing }) : noCart()
    },
  }),
  operation({
    id: 'saveContact',
    method: 'put',
    path: '/cart/contact',
    area: 'Checkout',
    summary: 'Save contact details',
    description:
      'The ZIP must be in the state. If tires are installed and the cart has no vehicle, `vehicleNote` describes the car. An address that a driver may not find is refused with `AddressUnsure`, the reason and, where there is one, the recommended spelling; one that is a shop’s, for tires that are shipped, with `AddressOfShop`. Ask the shopper, then send the corrected address, or the same one with the `key` of the refusal as `keepAddress` or `shipToShop`.',
    audience: 'cart',
    body: contactBody.meta({ examples: [exampleContact] }),
    result: details,
    refuses: ['NoCart', 'AddressUnsure', 'AddressOfShop'],
    async handle({ app, caller, body }) {
      const entered = await readOwnEntered(app, caller)
      if (!entered) return noCart()
      const taken = await takeContact(app, entered, body)
      return taken.ok ? answer(taken.value) : taken
    },
  }),
  operation({
    id: 'saveBilling',
    method: 'put',
    path: '/cart/billing',
    area: 'Checkout',
    summary: 'Save billing details',
    description:
      'With `sameAsShipping` set to `1`, the contact’s address is used; with `0`, the billing fields. Card numbers never go through this API: the payment provider collects them.',
    audience: 'cart',
    body: billingForm.meta({ examples: [{ sameAsShipping: '1' }] }),
    result: details,
    refuses: ['NoCart', 'CartIncomplete'],
    async handle({ app, caller, body }) {
      const entered = await readOwnEntered(app, caller)
      if (!entered) return noCart()
      const taken = await takeBilling(app, entered, body)
      return taken.ok ? answer(taken.value) : taken
    },
  }),
  operation({
    id: 'chooseServices',
    method: 'put',
    path: '/cart/services',
    area: 'Checkout',
    summary: 'Choose coverage and roadside assistance',
    description: 'Roadside assistance requires a number of tires with installation; a refusal states it.',
    audience: 'cart',
    ifMatch: 'optional',
    body: servicesBody,
    result: changedCart,
    answerHeaders: etagHeader,
    refuses: changeRefusals,
    handle(call) {
      return changeCart(call, async (app, cart) => {
        const taken = await takeServices(app, cart, call.body)
        return taken.ok ? undefined : taken
      })
    },
  }),
  operation({
    id: 'priceCart',
    method: 'get',
    path: '/cart/price',
    area: 'Checkout',
    summary: 'Price the cart',
    description:
      'Before a fulfillment method is chosen, the price is an estimate at the nearest shop that installs the tires. `agreedPrice` identifies this exact order with its price, tires, delivery address, contact and appointment. Read it after the last change and send it when placing the order, which is rejected if any of them has changed.',
    audience: 'cart',
    result: cartPrice,
    refuses: ['NoCart'],
    async handle({ app, caller }) {
      const checkout = await readOwnCheckout(app, caller)
      return checkout ? answer(await priceOf(app, checkout)) : noCart()
    },
  }),
]

/** Prices a checkout as `cartPrice` describes it, and stores the price as shown to the shopper. */
export async function priceOf(app: Application, { cart, contact, shop }: Checkout): Promise<z.input<typeof cartPrice>> {
  const quote = await quoteCart(app, cart, contact, { shop })
  const news = await readCartNews(app, cart, quote.breakdown)
  return {
    basis: quote.basis,
    agreedPrice:
      agreementKey({ cart, contact, breakdown: quote.breakdown, time: await readAgreedTime(app, cart) }) || null,
    rows: quote.breakdown ? rowViews(quote.breakdown) : [],
    totals: quote.breakdown?.totals ?? null,
    creditCents: quote.creditCents,
    dueCents: quote.dueCents,
    shop: quote.shop && { id: quote.shop.id, name: quote.shop.name },
    arrivesOn: quote.delivery?.arrivesOn.toString() ?? null,
    problems: quote.problems.map((found) => ({ kind: found.kind, message: problemText(found) })),
    moved: quote.moved.map((move) => ({ ...move })),
    moves: news.moves.map(({ text }) => text),
    notes: [...news.notes, ...quote.notes],
  }
}

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
import { answer, operation } from '#api/operation.ts'
import { priceRow, priceTotals, rowViews } from '#api/prices.ts'
import { problem, type Problem } from '#api/problem.ts'
import { bodyOf, cents, day, exampleContact, receiver, street } from '#api/schemas.ts'
import { addressMessages } from '#content/messages/addresses.ts'
import { problemText } from '#content/messages/cart.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import {
  agreementKey,
  readAgreedTime,
  chooseServices,
  quoteCart,
  readCartNews,
  saveBilling,
  saveContact,
  type ContactRefusal,
} from '#domain/ordering/checkout/checkout.server.ts'
import { canAddRoadside } from '#domain/ordering/checkout/checkout.ts'
import { billingForm, contactForm } from '#domain/supply/contact-forms/contact-forms.ts'
import { tireCountOf } from '#domain/payments/cart/cart.ts'

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

const keptKey = z.string().max(40).optional()

function contactProblem(refusal: ContactRefusal): Problem<'BadRequest' | 'AddressUnsure' | 'AddressOfShop'> {
  switch (refusal.reason) {
    case 'field':
      return problem('BadRequest', refusal.detail.message, { data: { [refusal.detail.name]: refusal.detail.message } })
    case 'address-unsure': {
      const { words, recommended, key } = refusal.detail
      return problem('AddressUnsure', words, { data: { key, recommended } })
    }
    case 'address-of-shop': {
      const { shop, key } = refusal.detail
      return problem('AddressOfShop', addressMessages.shopTitle(shop.name), { data: { key, shopId: shop.id } })
    }
  }
}

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
    body: bodyOf({
      ...contactForm.shape,
      keepAddress: keptKey.meta({ description: 'Uses this address as entered after `AddressUnsure`' }),
      shipToShop: keptKey.meta({ description: 'Ships to this very address after `AddressOfShop`' }),
    }).meta({ examples: [exampleContact] }),
    result: details,
    refuses: ['NoCart', 'AddressUnsure', 'AddressOfShop'],
    async handle({ app, caller, body }) {
      const { ssoUid: _, keepAddress = null, shipToShop = null, ...contact } = body
      const entered = await readOwnEntered(app, caller)
      if (!entered) return noCart()
      const { cart, contact: before, billing } = entered
      const saved = await saveContact(app, cart, contact, {
        address: keepAddress,
        shop: shipToShop,
        details: { contact: before, billing },
      })
      return saved.ok ? answer(saved.value) : contactProblem(saved)
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
      const { cart, contact } = entered
      if (!contact) return problem('CartIncomplete', 'There are no contact details yet.', { data: { step: 'contact' } })
      return answer({ contact, billing: await saveBilling(app, cart.id, body, contact) })
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
    body: bodyOf({
      coverage: z.boolean().meta({ description: 'Replacement coverage for every tire in the cart', examples: [true] }),
      roadside: z.boolean().meta({ examples: [false] }),
    }),
    result: changedCart,
    answerHeaders: etagHeader,
    refuses: changeRefusals,
    handle(call) {
      const { coverage, roadside } = call.body
      return changeCart(call, async (app, cart) => {
        const allowed = canAddRoadside(
          { tireCount: tireCountOf(cart), isInstalled: isInstallation(cart.fulfillment) },
          app.businessTerms.current,
        )
        if (roadside && !allowed.can)
          return problem('BadRequest', allowed.reason, { data: { roadside: allowed.reason } })
        await chooseServices(app, cart, { coverage, roadside })
        return undefined
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
      if (!checkout) return noCart()
      const { cart, contact } = checkout
      const quote = await quoteCart(app, cart, contact, { shop: checkout.shop })
      const news = await readCartNews(app, cart, quote.breakdown)
      return answer({
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
      })
    },
  }),
]

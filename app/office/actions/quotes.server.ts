import { z } from 'zod'
import { defineActions, formAction, numberedId, type ActionCall } from '#app/office/define-actions.server.ts'
import { slotField } from '#app/forms/slot-value.ts'
import { bookingMessages, noShopMessage, noTimeMessage, pickupPointGoneMessage } from '#content/messages/booking.ts'
import { doesNotFitText } from '#content/messages/placing.ts'
import type { InstallationRefusal } from '#domain/ordering/checkout/checkout.server.ts'
import { bookInstallation } from '#domain/ordering/phone-orders/phone-orders.server.ts'
import { readPlaceAgain } from '#domain/supply/pickup-places/pickup-places.server.ts'
import type { HoldRefusal } from '#domain/scheduling/booking/booking.server.ts'
import { readQuoteContact } from '#app/views/quote-contact.server.ts'
import { quoteMessages } from '#content/messages/quotes.ts'
import { findItem } from '#domain/catalog/catalog/catalog.server.ts'
import { findAccountByEmail } from '#domain/customers/accounts/accounts.server.ts'
import {
  copyQuote,
  extendQuote,
  findQuote,
  findVehicleByName,
  rejectQuote,
  saveQuote,
  sendAgain,
  sendQuote,
  startQuote,
  startVersion,
  withdrawQuote,
  type Quote,
  type SavedDraft,
} from '#domain/ordering/quotes/quotes.server.ts'
import {
  extendForm,
  mostQuoteLines,
  lineKey,
  mostQuoteMails,
  mostQuoteVehicles,
  mostWholeLines,
  newQuoteForm,
  quoteChangeForm,
  quoteDays,
  reasonForm,
  vehicleField,
  type QuoteChange,
} from '#domain/ordering/quotes/quotes.ts'
import { countOf } from '#platform/count-text.ts'
import { dateText } from '#platform/day-text.ts'
import { refused } from '#platform/outcome.ts'
import type { Application } from '#application'

/** Returns the quote number in an address. */
export const quoteId = ({ id }: Pick<ActionCall, 'id'>) => numberedId(id, Number.MAX_SAFE_INTEGER)

const keyForm = z.object({ key: z.uuid('Reload the page and try again.').describe('A new UUID per request') })
const sendAgainForm = z.object({
  mails: z.coerce
    .number('Reload the page.')
    .int()
    .min(1)
    .max(mostQuoteMails)
    .optional()
    .meta({ formUnit: 'number', description: 'The emails that were sent, so that a repeated request sends one' }),
})
const sendForm = z.object({ revision: z.coerce.number('Reload the page.').int().positive().max(2_147_483_647) })

export const quoteActions = defineActions({
  resource: 'quotes',
  noun: 'quote',
  permission: 'quotes.write',
  actions: {
    add: formAction(
      {
        summary: 'Start a quote',
        description: '`account` is the email that the customer signs in with. The same `key` starts one quote.',
        form: newQuoteForm,
      },
      async ({ app, by }, { account, ...customer }) => {
        const accountId = account === null ? null : await findAccountByEmail(app, account)
        return accountId === undefined ? refused('no-account') : startQuote(app, by, { ...customer, accountId })
      },
      ({ id }) => String(id),
    ),
    change: formAction(
      {
        summary: 'Change a draft of a quote',
        description:
          '`shop`, `warehouse`, or `carrierLocation` is the ID for its `fulfillment`. Its tires are replaced by `lines`, and the vehicles after the first by `vehicles`, numbered from 2. The `itemId` of a tire for vehicle 2 starts with `2-`. `price` counts only for quotes with custom prices. `revision` is the one that was read.',
        form: quoteChangeForm,
      },
      async (call, change) => {
        const { app, by } = call
        const found = await findQuote(app, quoteId(call))
        if (!found) return refused('not-found')
        const vehicles = found.vehicles.map((vehicle) => vehicle.quote)
        const { draft, wrong } = await lookUp(app, vehicles, change)
        return Object.keys(wrong).length > 0
          ? refused('wrong-fields', { fields: wrong })
          : saveQuote(app, by, found.quote.id, draft)
      },
    ),
    send: formAction(
      {
        summary: 'Send a draft of a quote',
        description: 'Emails the customer. Staff approve prices below the limits.',
        form: sendForm,
      },
      async (call, { revision }) => sendQuote(call.app, call.by, { id: quoteId(call), revision }),
    ),
    reject: formAction(
      {
        summary: 'Return a quote that waits for approval to its author',
        permission: 'quotes.approve',
        form: reasonForm,
      },
      (call, { reason }) => rejectQuote(call.app, call.by, { id: quoteId(call), reason }),
    ),
    again: formAction(
      {
        summary: 'Send the email of a quote again',
        description: `At most ${countOf(mostQuoteMails, 'email')} per quote.`,
        form: sendAgainForm,
      },
      async (call, { mails }) => {
        const found = await findQuote(call.app, quoteId(call))
        if (!found) return refused('not-found')
        return sendAgain(call.app, call.by, { id: found.quote.id, mails: mails ?? found.quote.mails })
      },
    ),
    extend: formAction(
      {
        summary: 'Extend a sent quote',
        description: '`goodThrough` is the new last day. The link and the prices stay the same.',
        form: extendForm,
      },
      (call, { goodThrough }) => extendQuote(call.app, call.by, { id: quoteId(call), goodThrough }),
    ),
    withdraw: formAction({ summary: 'Withdraw a quote', form: reasonForm }, (call, { reason }) =>
      withdrawQuote(call.app, call.by, { id: quoteId(call), reason }),
    ),
  },
  refusals: {
    'not-found': { text: 'Quote not found.', status: 404 },
    'no-account': { field: 'account', text: 'No account has this email.' },
    'wrong-fields': ({ fields }) => ({ fields }),
    'not-a-draft': 'This quote is no longer a draft.',
    'too-many-tires': `A vehicle has at most ${countOf(mostQuoteLines, 'different tire')}, and a quote ${mostWholeLines}.`,
    'too-many-vehicles': `A quote has at most ${countOf(mostQuoteVehicles, 'vehicle')}.`,
    'not-possible': 'This quote changed after you opened it.',
    incomplete: quoteMessages.notSent,
    'not-later': ({ goodThrough }) => ({
      field: 'goodThrough',
      text: `Choose a day after ${dateText(goodThrough.toString())}.`,
    }),
    'expiry-far': { field: 'goodThrough', text: `Choose a day within ${countOf(quoteDays.most, 'day')}.` },
    'below-floor': 'A price is below the minimum now. A manager or an owner must extend this quote.',
    'ordered-meanwhile': 'The customer already ordered the previous version.',
    'too-often': `This quote was sent ${countOf(mostQuoteMails, 'time')}. Make a new version.`,
    'too-many': 'Too many emails. Try again tomorrow.',
  },
  read,
})

const shopField = z.coerce.number(noShopMessage).int(noShopMessage).positive(noShopMessage).max(2_147_483_647)
const installationForm = z.object({ shop: shopField.describe('The ID of a shop or van'), slot: slotField })

/** The same as one field of the page, such as "12 2026-11-24T15:00:00Z". */
export const bookForm = z.object({
  slot: z
    .string(noTimeMessage)
    .max(60, noTimeMessage)
    .transform((text): { shop: unknown; slot: string } => {
      const [shop, slot = ''] = text.split(' ', 2)
      return { shop, slot }
    })
    .pipe(installationForm),
})

const bookingText = (reason: HoldRefusal['reason']) => ({ field: 'slot', text: bookingMessages[reason] })

const tooManyHolds = {
  field: 'slot',
  text: 'Too many times are held already. Wait until one is used or expires.',
} as const

/** Messages for opening a customer's cart and holding a time in it. */
export const installationRefusals = {
  'not-found': { text: 'Quote not found.', status: 404 },
  expired: 'This quote has expired. Send a new version.',
  withdrawn: 'This quote was withdrawn.',
  replaced: 'This quote has a newer version.',
  ordered: 'This quote was already ordered.',
  account: 'This quote uses another account’s prices.',
  opened: 'The customer opened the link and can choose a time there.',
  changed: 'The customer changed the tires in their cart. Send a new version.',
  'no-cart': 'The customer’s cart is no longer open.',
  'does-not-fit': (detail: InstallationRefusal['detail']) => ({ fields: { slot: doesNotFitText({ detail }) } }),
  'shop-not-found': bookingText('shop-not-found'),
  'shop-not-capable': bookingText('shop-not-capable'),
  'outside-area': { field: 'slot', text: 'This mobile installer doesn’t serve the ZIP.' },
  'slot-taken': { field: 'slot', text: 'This time was just taken. Choose another.' },
  'out-of-stock': { field: 'slot', text: 'A tire is sold out or held by another customer.' },
  'outside-hours': bookingText('outside-hours'),
  'too-soon': bookingText('too-soon'),
  'too-late': bookingText('too-late'),
  'too-many-holds': tooManyHolds,
  'too-many-holds-of-network': tooManyHolds,
} as const

export const quoteInstallationActions = defineActions({
  resource: 'quotes',
  part: 'installation',
  noun: 'quote installation',
  permission: 'quotes.write',
  actions: {
    add: formAction(
      {
        summary: 'Hold an installation time for a quote’s customer',
        description:
          'For sent quotes. The time is held for ten minutes in the cart that the link opens, at the shop’s price. Without an account, only the first visitor to the link gets it. Returns the appointment ID.',
        form: installationForm,
      },
      (call, { shop, slot }) =>
        bookInstallation(call.app, call.by, { quoteId: quoteId(call), shopId: shop, choice: slot }),
      ({ id }) => id,
    ),
  },
  refusals: installationRefusals,
})

export const quoteVersionActions = defineActions({
  resource: 'quotes',
  part: 'versions',
  noun: 'quote version',
  permission: 'quotes.write',
  actions: {
    add: formAction(
      { summary: 'Start a new version of a sent quote', description: 'Returns the ID of its draft.', form: keyForm },
      (call, { key }) => startVersion(call.app, call.by, { id: quoteId(call), key }),
      ({ id }) => String(id),
    ),
  },
  refusals: {
    'not-found': { text: 'Quote not found.', status: 404 },
    'not-sent': 'Only a sent quote can have a new version.',
  },
})

export const quoteCopyActions = defineActions({
  resource: 'quotes',
  part: 'copies',
  noun: 'quote copy',
  permission: 'quotes.write',
  actions: {
    add: formAction(
      { summary: 'Copy a quote into a new draft', description: 'Returns the ID of the draft.', form: keyForm },
      (call, { key }) => copyQuote(call.app, call.by, { id: quoteId(call), key }),
      ({ id }) => String(id),
    ),
  },
  refusals: { 'not-found': { text: 'Quote not found.', status: 404 } },
})

/** Looks up the account, the vehicle, and the added tires. `wrong` has a message per field. */
async function lookUp(
  app: Application,
  vehicles: readonly Quote[],
  {
    account,
    vehicle,
    shop: shopId,
    warehouse,
    carrierLocation,
    slot,
    address1,
    address2,
    city,
    state,
    lines,
    others,
    ...draft
  }: QuoteChange,
): Promise<{ draft: SavedDraft; wrong: Record<string, string> }> {
  const [quote] = vehicles
  const accountId = account === null ? null : await findAccountByEmail(app, account)
  const [chosen, ...more] = await Promise.all(
    [vehicle, ...others.slice(0, mostQuoteVehicles).map((other) => other.vehicle)].map((name) =>
      chosenVehicle(app, vehicles, name),
    ),
  )
  const address = addressOf({ address1, address2, city, state })
  const contact = readQuoteContact({ ...draft, address, vehicle })
  const pickup = { pickupWarehouseId: warehouse, carrierLocationId: carrierLocation }
  return {
    draft: {
      ...draft,
      address,
      shopId,
      suggestion: slot,
      ...pickup,
      accountId: accountId ?? null,
      vehicle: chosen ?? null,
      lines,
      others: others.map((other, index) => ({ vehicle: more[index] ?? null, lines: other.lines })),
    },
    wrong: {
      ...(contact?.ok === false && contact.errors),
      ...(accountId === undefined && { account: 'No account has this email.' }),
      ...Object.fromEntries(
        [chosen, ...more].flatMap((found, index) =>
          found === undefined
            ? [[vehicleField(others[index - 1]?.position ?? 1), 'Enter year, make and model, like 2019 Honda CR-V EX.']]
            : [],
        ),
      ),
      ...(await wrongPlaceIn(app, quote, { ...draft, carrierLocation })),
      ...(await unsoldIn(app, vehicles, [{ position: 1, lines }, ...others])),
    },
  }
}

/** The vehicle with this name, one that the quote has or one from the catalog; undefined for an unknown name. */
async function chosenVehicle(app: Application, vehicles: readonly Quote[], name: string | null) {
  if (name === null) return null
  return vehicles.find(({ vehicle }) => vehicle?.name === name)?.vehicle ?? findVehicleByName(app, name)
}

function addressOf(typed: Pick<QuoteChange, 'address1' | 'address2' | 'city' | 'state'>): Quote['address'] {
  if (Object.values(typed).every((part) => part === null)) return null
  const { address1, address2, city, state } = typed
  return { address1: address1 ?? '', address2, city: city ?? '', state: (state ?? '').toUpperCase() }
}

/** Returns a message for a newly chosen carrier location that isn't near the ZIP or doesn't accept packages. */
async function wrongPlaceIn(
  app: Application,
  quote: Quote | undefined,
  { fulfillment, zip, carrierLocation }: Pick<QuoteChange, 'fulfillment' | 'zip' | 'carrierLocation'>,
): Promise<Record<string, string>> {
  if (fulfillment !== 'carrier-pickup' || carrierLocation === null) return {}
  if (quote?.carrierLocationId === carrierLocation && quote.zip === zip) return {}
  const place = zip === null ? refused('not-near') : await readPlaceAgain(app, { zip, id: carrierLocation })
  return place.ok ? {} : { carrierLocation: pickupMessages[place.reason] }
}

const pickupMessages = {
  'not-near': 'Choose a location near the ZIP.',
  gone: pickupPointGoneMessage,
  unavailable: 'The carrier isn’t responding. Try again in a few minutes, or choose another delivery.',
} as const

/** Returns a message for each added tire that the store doesn’t sell. */
async function unsoldIn(
  app: Application,
  vehicles: readonly Quote[],
  changed: readonly { position: number; lines: QuoteChange['lines'] }[],
): Promise<Record<string, string>> {
  const known = new Set(vehicles.flatMap(({ lines }) => lines.map(({ itemId }) => itemId)))
  const wrong: Record<string, string> = {}
  for (const { position, lines } of changed.slice(0, mostQuoteVehicles))
    for (const { itemId } of lines.slice(0, mostQuoteLines))
      if (!known.has(itemId) && !(await findItem(app.catalog, itemId)))
        wrong[`quantity-${lineKey(position, itemId)}`] = 'This tire is no longer sold.'
  return wrong
}

async function read(app: Application, id: string) {
  const found = await findQuote(app, quoteId({ id }))
  if (!found || found.quote.mainId !== null) return undefined
  const { revision, name, email, phone, label, zip, fulfillment, roadside, note, ...quote } = found.quote
  const { address1 = null, address2 = null, city = null, state = null } = quote.address ?? {}
  const customer = { name, email, phone, account: quote.accountEmail, zip, address1, address2, city, state, note }
  return {
    ...customer,
    revision,
    label,
    fulfillment,
    roadside,
    vehicle: quote.vehicle?.name ?? null,
    shop: quote.shopId,
    warehouse: quote.pickupWarehouseId,
    carrierLocation: quote.carrierLocationId,
    slot: quote.suggestion,
    goodThrough: quote.goodThrough.toString(),
    vehicles: found.vehicles
      .slice(1)
      .map(({ quote: { position, vehicle } }) => ({ number: String(position), vehicle: vehicle?.name ?? null })),
    lines: found.vehicles.flatMap(({ quote: { position, lines } }) =>
      lines.map(({ itemId, quantity, unitCents, axle, coverage }) => ({
        itemId: lineKey(position, itemId),
        quantity,
        price: unitCents,
        axle,
        coverage,
      })),
    ),
  }
}

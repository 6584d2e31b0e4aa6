/** What the buttons of a quote do that only its page has. */
import { z } from 'zod'
import { bookForm, installationRefusals, quoteActions } from '#app/office/actions/quotes.server.ts'
import { callOf, press, step, type Posted, type Step } from '#app/office/decision.server.ts'
import type { Staff } from '#app/server/office.server.ts'
import { quoteMessages } from '#content/messages/quotes.ts'
import { officePaths } from '#content/office-paths.ts'
import { findItem } from '#domain/catalog/catalog/catalog.server.ts'
import type { TermsRefusal } from '#domain/payments/invoices/invoices.ts'
import { termsOrderForm } from '#domain/ordering/phone-orders/phone-orders.ts'
import { bookInstallation, openPhoneCart, placeOnTerms } from '#domain/ordering/phone-orders/phone-orders.server.ts'
import { copyQuote, findQuote, sendQuote, startVersion, type Quote } from '#domain/ordering/quotes/quotes.server.ts'
import { readQuoteContact } from '#app/views/quote-contact.server.ts'
import { lineKey, vehicleField } from '#domain/ordering/quotes/quotes.ts'
import { newId } from '#platform/ids.ts'
import { formatCents, typedDollars } from '#platform/money.ts'
import { ok, refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'

const copyForm = z.object({ key: z.uuid('Reload the page and try again.') })

/** The messages for the buttons in `quoteSteps`. */
export const quoteRefusals = {
  ...quoteActions.refusals,
  ...installationRefusals,
  'no-account': 'Only a customer with an account can order on net terms.',
  'no-vehicle': 'An installation needs the vehicle. Add it in a new version.',
  'no-time': 'The installation time is no longer held. Hold a time again.',
  'bad-contact': 'The address can’t be delivered to. Send a new version with another address.',
  'total-changed': ({ totalCents }: { totalCents: number }) =>
    `The total is ${formatCents(totalCents)} now. Tell the customer, and send a new version.`,
  'net-terms-refused': (detail: TermsRefusal['detail']) => termsRefusals[detail.why],
  'not-placed': ({ reason }: { reason: string }) =>
    notPlaced[reason] ?? 'The order can’t be placed. Send the customer the link.',
  'not-sent': 'Only a sent quote can have a new version.',
} as const

const termsRefusals: Readonly<Record<TermsRefusal['detail']['why'], string>> = {
  'no-terms': 'This company has no net terms.',
  overdue: 'This company has overdue invoices.',
  'over-limit': 'The total is above the company’s available credit.',
}

/** Why the checkout places no order, for what staff can tell the customer. */
const notPlaced: Readonly<Record<string, string>> = {
  'needs-approval': 'The total is above this person’s spending limit. Send them the link.',
  incomplete: 'This company requires a PO number. Enter it.',
  'does-not-fit': 'These tires don’t fit the quote’s vehicle.',
  problem: 'A tire is sold out or can’t be delivered to this address.',
  'slot-lost': 'The installation time was just taken. Hold another time.',
  'store-closed': 'The store is not open yet.',
}

/** The buttons of a quote's page that aren't declared actions. A draft's buttons save it first. */
export function quoteSteps(posted: Posted, id: number) {
  const { app, by, staff, fields } = posted
  const intent = fields.get('intent') ?? ''
  return {
    approve: press(
      async () => {
        const found = await findQuote(app, id)
        return found ? ok(await send(staff, found.quote)) : refused('not-found')
      },
      (done) => done,
    ),
    version: press(
      () => startVersion(app, by, { id, key: newId() }),
      (started) => officePaths.officeQuote(started.id),
    ),
    copy: step(
      copyForm,
      ({ key }) => copyQuote(app, by, { id, key }),
      (copied) => officePaths.officeQuote(copied.id, { done: 'copied' }),
    ),
    installation: press(
      () => openPhoneCart(app, by, id),
      () => 'opened',
    ),
    book: step(
      bookForm,
      ({ slot: { shop, slot } }) => bookInstallation(app, by, { quoteId: id, shopId: shop, choice: slot }),
      'held',
    ),
    // The customer accepts the terms by phone, so programs can't place the order.
    terms: step(
      termsOrderForm,
      async ({ poNumber, totalCents }) => {
        const found = await findQuote(app, id)
        if (!found) return refused('not-found')
        const read = readQuoteContact({ ...found.quote, vehicle: found.quote.vehicle?.name ?? null })
        if (!read?.ok) return refused('bad-contact')
        return placeOnTerms(app, by, { quoteId: id, contact: read.contact, poNumber, totalCents })
      },
      ({ orderId }) => officePaths.officeOrder(orderId),
    ),
    ...(/^(?:save|send|find|another|drop-\d{1,2}|(?:add|remove)-(?:\d{1,2}-)?\d{1,9})$/.test(intent) && {
      [intent]: draftStep(posted, id),
    }),
  }
}

/** Returns the page's status after sending the quote. */
async function send({ app, actor }: Staff, { id, revision }: Pick<Quote, 'id' | 'revision'>): Promise<string> {
  const sent = await sendQuote(app, actor, { id, revision })
  return sent.ok ? sent.value.state : sent.reason === 'ordered-meanwhile' ? 'ordered-meanwhile' : 'not-sent'
}

/** Saves the posted draft with the button's tire or vehicle added or removed, then runs the button's action. */
function draftStep(posted: Posted, id: number): Step {
  return {
    requiresFresh: false,
    async run(fields) {
      const [act = '', ...rest] = (fields.get('intent') ?? '').split('-')
      const key = rest.join('-')
      removeOrAdd(fields, act, key)
      if (act === 'add' && !(await addTire(posted, key)))
        return { reply: { values: Object.fromEntries(fields), errors: { q: 'This tire is no longer sold.' } } }
      // Another shop has other times.
      if (fields.get('slotShop') !== fields.get('shop')) fields.delete('slot')
      readGoodFor(fields, posted.app.clock.now())
      const saved = await quoteActions.actions.change.run(callOf(posted, String(id)), fields)
      if (!('value' in saved)) return saved
      if (act === 'send') return { done: await send(posted.staff, { id, revision: saved.value.revision }) }
      const q = (fields.get('q') ?? '').trim().slice(0, 120)
      const vehicle = fields.get('qVehicle') ?? '1'
      const v = /^([2-9]|10)$/.test(vehicle) ? vehicle : undefined
      return { done: act === 'find' ? officePaths.officeQuote(id, { q: q || 'vehicle', v }) : 'saved' }
    },
  }
}

/** Sets the last day from the chosen number of days, unless another day was entered. */
function readGoodFor(fields: URLSearchParams, now: Temporal.Instant): void {
  const days = fields.get('goodFor') ?? ''
  if (/^\d{1,2}$/.test(days) && fields.get('goodThrough') === fields.get('shownDay'))
    fields.set(
      'goodThrough',
      storeDay(now)
        .add({ days: Number(days) })
        .toString(),
    )
}

/** Removes a tire or a vehicle from the posted draft, or adds a vehicle. */
function removeOrAdd(fields: URLSearchParams, act: string, key: string): void {
  if (act === 'remove') fields.delete(`quantity-${key}`)
  if (act === 'another') fields.set(vehicleField(nextPosition(fields)), '')
  if (act === 'drop') dropVehicle(fields, Number(key))
}

/** The number of the vehicle that a field belongs to; undefined for fields of the whole quote. */
function positionOf(name: string): number | undefined {
  const field =
    /^(?:vehicle(?:-(\d{1,2}))?|(?:quantity|price|axle|coverage)-(?:(\d{1,2})-)?\d{1,9})$/.exec(name) ?? undefined
  return field && Number(field[1] ?? field[2] ?? 1)
}

function nextPosition(fields: URLSearchParams): number {
  return Math.max(1, ...[...fields.keys()].map((name) => positionOf(name) ?? 1)) + 1
}

/** Removes a vehicle with its tires from the posted draft. The later ones move up. */
function dropVehicle(fields: URLSearchParams, dropped: number): void {
  const moved: [string, string][] = []
  for (const [name, value] of Array.from(fields)) {
    const position = positionOf(name) ?? 0
    if (position < dropped) continue
    fields.delete(name)
    if (position > dropped) moved.push([renamed(name, position - 1), value])
  }
  for (const [name, value] of moved) fields.set(name, value)
}

/** The name of the same field for another vehicle. */
function renamed(name: string, position: number): string {
  const [field = '', ...rest] = name.split('-')
  return field === 'vehicle' ? vehicleField(position) : `${field}-${lineKey(position, rest.at(-1) ?? '')}`
}

/** Adds four of a tire to the posted draft, unless the vehicle has the tire. Returns whether the tire is sold. */
async function addTire({ app, fields }: Posted, key: string): Promise<boolean> {
  const added = await findItem(app.catalog, Number(key.split('-').at(-1)))
  if (added && !fields.has(`quantity-${key}`)) {
    fields.set(`quantity-${key}`, '4')
    fields.set(`price-${key}`, typedDollars(added.retailCents))
  }
  return added !== undefined
}

/** The page's messages by action. Uses the specification's text if it has one. */
export const quoteNews = {
  saved: { tone: 'go', title: 'Saved' },
  sent: { tone: 'go', title: quoteMessages.sent },
  'needs-approval': { tone: 'signal', title: 'Waiting for manager approval' },
  'not-sent': { tone: 'stop', title: quoteMessages.notSent },
  'ordered-meanwhile': { tone: 'stop', title: 'The customer already ordered the previous version' },
  again: { tone: 'go', title: 'Quote sent again' },
  copied: { tone: 'go', title: 'Quote copied' },
  extended: { tone: 'go', title: 'Quote extended' },
  opened: { tone: 'go', title: 'Cart opened' },
  held: { tone: 'go', title: 'Time held' },
  rejected: { tone: 'go', title: 'Returned to draft' },
  withdrawn: { tone: 'go', title: 'Withdrawn' },
} as const

/** What the page of a quote shows. */
import { openingValue } from '#app/forms/slot-value.ts'
import { slotTextWithZone } from '#content/messages/times.ts'
import { officePaths } from '#content/office-paths.ts'
import { parseChoice } from '#domain/scheduling/booking/booking.ts'
import { findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import { findPickupWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import { findPickupPlace, findPlacesNear } from '#domain/supply/pickup-places/pickup-places.server.ts'
import { offeredTires, tireSpecs } from '#domain/catalog/offers/offers.ts'
import { customerFacts, progressOf, quotePreview, sendingView } from '#app/views/office/quote-parts.server.ts'
import {
  breakdownOf,
  foundViews,
  orderedText,
  staffOnly,
  stateTones,
  vehicleViews,
  wholeRows,
} from '#app/views/office/quote-vehicles.server.ts'
import { typeName } from '#app/views/office/account-types.server.ts'
import { phoneOrderView } from '#app/views/office/phone-order.server.ts'
import { accountPriceNames } from '#domain/pricing/pricing/pricing.ts'
import {
  canSendAgain,
  quoteLink,
  listProblems,
  mergeLines,
  readWholeTotals,
  listQuoteTimes,
  readPickupText,
  readTimeText,
  type Quote,
  type QuoteAddress,
  type QuoteCase,
  type QuoteLabel,
  type QuoteProblem,
} from '#domain/ordering/quotes/quotes.server.ts'
import {
  authorText,
  holds,
  lastQuoteDay,
  mostQuoteMails,
  quoteDays,
  quoteNumber,
  quoteStateNames,
  wholeState,
} from '#domain/ordering/quotes/quotes.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { dateText, dayText } from '#platform/day-text.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'
import type { BusinessTerms } from '#domain/kernel/settings/settings.ts'
import { countOf } from '#platform/count-text.ts'

const problemTexts: Readonly<Record<QuoteProblem, string>> = {
  'no-tires': 'Add a tire.',
  'not-sold': 'A tire is no longer sold. Remove it.',
  'label-not-theirs': 'These prices belong to another account. Choose different prices, or enter that account’s email.',
  'no-shop': 'Choose a shop, or another delivery.',
  'shop-gone': 'The shop no longer takes orders. Choose another.',
  'shop-cannot': 'The shop does not install these tires. Choose another.',
  'no-warehouse': 'Choose a warehouse. Save with a ZIP to see those near it.',
  'warehouse-gone': 'The warehouse no longer offers pickup. Choose another.',
  'warehouse-short': 'The warehouse doesn’t have all the tires. Choose another.',
  'no-pickup-place': 'Choose a carrier location. Save with a ZIP to see those near it.',
  'no-zip': 'Enter the delivery ZIP.',
  'zip-unknown': 'We don’t know this ZIP.',
  'no-delivery': 'We do not deliver to this ZIP.',
  'expiry-past': 'The last day has passed. Choose a later one.',
  'expiry-far': 'The last day is more than 60 days away.',
}

/** "Fleet price" */
export function labelText(label: QuoteLabel): string {
  return accountPriceNames[label] ?? 'Retail price'
}

/** Returns a quote's view for staff with these roles; `search` is the search text, or null. */
export async function quoteView(
  app: Application,
  found: QuoteCase,
  { roles, search }: { roles: readonly StaffRole[]; search: { text: string; position: number } | null },
) {
  const { quote, events, successor } = found
  const rows = found.vehicles.map((vehicle) => vehicle.quote)
  const state = wholeState(rows)
  const isOpen = rows.some((row) => holds(row, app.clock.now()))
  const isDraft = quote.state === 'draft'
  const now = app.clock.now()
  return {
    id: quote.id,
    number: quoteNumber(quote.mainId ?? quote.id),
    /** The whole quote, on the page of another vehicle than the first. */
    whole: linkTo(quote.mainId),
    state,
    stateName: quoteStateNames[state],
    tone: stateTones[state],
    ordered: quote.sentAt === null ? null : orderedText(rows),
    version: quote.version,
    revision: quote.revision,
    name: quote.name,
    firstName: quote.name.trim().split(/\s+/)[0] ?? '',
    email: quote.email,
    phone: quote.phone,
    account: quote.accountEmail,
    by: authorText(quote.author),
    savedAt: timeText(quote.updatedAt, storeZone),
    customer: await customerFacts(app, quote, roles),
    sending: await sendingView(app, quote),
    progress: progressOf({ quote: { ...quote, state }, events }),
    /** The number of emails, for sending another one. */
    again: quote.mails < mostQuoteMails && canSendAgain(rows, now) ? quote.mails : null,
    ...(await priceViews(app, found)),
    fulfillment: quote.fulfillment,
    zip: quote.zip,
    address: quote.address,
    addressText: quote.address && addressText(quote.address, quote.zip),
    shopId: quote.shopId,
    warehouseId: quote.pickupWarehouseId,
    carrierLocationId: quote.carrierLocationId,
    ...(await placeViews(app, found)),
    pickup: await readPickupText(app, quote),
    ...(await timeViews(app, found)),
    roadside: quote.roadside,
    roadsideLabel: roadsideLabel(app.businessTerms.current),
    goodThrough: quote.goodThrough.toString(),
    goodThroughText: dateText(quote.goodThrough.toString()),
    today: storeDay(now).toString(),
    goodFor: goodForDays.map((count) => ({ count, day: storeDay(now).add({ days: count }).toString() })),
    extendable: isOpen ? extensionOf(rows.find((row) => holds(row, now)) ?? quote, now) : null,
    note: quote.note,
    problems: isDraft ? (await listProblems(app, found.vehicles)).map((problem) => problemTexts[problem]) : [],
    mayApprove: staffCan(roles, 'quotes.approve'),
    link: isOpen ? linkOf(app, quote) : null,
    ...(await phoneOrderView(app, quote)),
    vehicles: await vehicleViews(app, found, roles),
    former: linkTo(quote.replacesId),
    successor: linkTo(successor?.id ?? null),
    history: timelineOf(events),
    search,
    found: isDraft ? await foundViews(app, rows, search) : [],
  }
}
export type QuoteView = Awaited<ReturnType<typeof quoteView>>

/** The tires, prices, and messages of a quote. */
async function priceViews(app: Application, { quote, priced, vehicles }: QuoteCase) {
  const offers = vehicles.flatMap((vehicle) => {
    const breakdown = breakdownOf(vehicle)
    return breakdown ? [{ quote: vehicle.quote, breakdown }] : []
  })
  const [first, ...others] = offers.length === vehicles.length ? offers : []
  const totals = quote.state === 'draft' ? await readWholeTotals(app, vehicles) : []
  const lines = vehicles.flatMap((vehicle) => vehicle.priced.lines)
  return {
    label: quote.label,
    labelName: labelText(quote.label),
    labels: priced.labels.map((label) => labelView(label, totals)),
    ownName: ownLabel(priced.labels),
    compared: comparedText(quote.label, totals),
    preview: first && quote.mainId === null ? await quotePreview(app, [first, ...others]) : null,
    tires: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    staffOnly: staffOnly(lines, priced.marginFloorPpm),
    rows: first ? wholeRows([first, ...others]) : [],
    isLow: lines.some(({ isBelowFloor }) => isBelowFloor),
  }
}

function linkOf({ config }: Application, { id, mainId }: Quote): string {
  return `${config.web.origin}${quoteLink(config.session.secret, mainId ?? id)}`
}

function addressText({ address1, address2, city, state }: QuoteAddress, zip: string | null): string {
  return [address1, address2, city, `${state} ${zip ?? ''}`.trim()].filter(Boolean).join(', ')
}

function linkTo(id: number | null): { number: string; path: string } | null {
  return id === null ? null : { number: quoteNumber(id), path: officePaths.officeQuote(id) }
}

/** The days until which an open quote can be extended, with a suggested one; null for other quotes. */
function extensionOf(quote: Quote, now: Temporal.Instant) {
  const last = lastQuoteDay(storeDay(now))
  const first = quote.goodThrough.add({ days: 1 })
  if (!holds(quote, now) || Temporal.PlainDate.compare(first, last) > 0) return null
  const usual = quote.goodThrough.add({ days: quoteDays.usual })
  const suggested = Temporal.PlainDate.compare(usual, last) > 0 ? last : usual
  return { first: first.toString(), last: last.toString(), suggested: suggested.toString() }
}

/** The offered numbers of days that a quote is good for. */
const goodForDays = [3, 7, 14] as const

type LabelTotals = Awaited<ReturnType<typeof readWholeTotals>>

/** The account's own label, such as "Fleet"; null for customers with retail prices. */
function ownLabel(labels: readonly QuoteLabel[]): string | null {
  const own = labels.find((label) => label !== 'Retail' && label !== 'Special Order')
  return own === undefined ? null : typeName(own)
}

function labelView(value: QuoteLabel, totals: LabelTotals) {
  const total = totals.find(({ label }) => label === value)?.totalCents ?? null
  return { value, name: labelText(value), total: total === null ? null : formatCents(total) }
}

/** "$164.63 under retail price", for each other label that costs more */
function comparedText(own: QuoteLabel, totals: LabelTotals): string | null {
  const total = totals.find(({ label }) => label === own)?.totalCents ?? null
  if (total === null) return null
  const under = totals.flatMap(({ label, totalCents }) =>
    totalCents !== null && totalCents > total
      ? [`${formatCents(totalCents - total)} under ${labelText(label).toLowerCase()}`]
      : [],
  )
  return under.length > 0 ? `${under.join(', ')}.` : null
}

/** The places that a draft can choose from. */
async function placeViews(app: Application, found: QuoteCase) {
  if (found.quote.state !== 'draft') return { shops: [], warehouses: [], carrierLocations: [] }
  const [shops, warehouses, carrierLocations] = await Promise.all([
    shopViews(app, found),
    warehouseViews(
      app,
      found.quote.zip,
      found.vehicles.flatMap(({ quote }) => quote.lines),
    ),
    carrierLocationViews(app, found.quote),
  ])
  return { shops, warehouses, carrierLocations }
}

async function shopViews(app: Application, { quote, vehicles }: QuoteCase) {
  if (quote.zip === null) return []
  const tires = vehicles
    .flatMap(({ priced }) => priced.lines)
    .flatMap(({ item, quantity }) => (item ? offeredTires([item], [], quantity) : []))
  const near = await findShopsNear(app, { near: { zip: quote.zip }, tires: tireSpecs(tires), limit: 8 })
  return near.ok
    ? near.value.map(({ id, name, city, miles }) => ({ id, name: `${name}, ${city}, ${miles.toFixed(1)} mi` }))
    : []
}

/** The suggested time, and the times that a draft can suggest instead. */
async function timeViews(app: Application, found: QuoteCase) {
  const { quote } = found
  return {
    times: quote.state === 'draft' ? await timesView(app, found) : null,
    suggestion: quote.suggestion ?? '',
    suggestedTime: await readTimeText(app, quote),
  }
}

/** The next free times at a draft's saved shop, with its suggested time; null without free times. */
async function timesView(app: Application, { quote, priced }: QuoteCase) {
  const found = await listQuoteTimes(app, quote, priced.lines)
  if (!found) return null
  const { timeZone, arrivesOn, openings } = found
  const options = openings.map((opening): [string, string] => {
    const slot = { start: opening.start, window: opening.kind === 'drop-off' ? opening.window : null }
    return [openingValue(opening), slotTextWithZone(slot, timeZone)]
  })
  const { suggestion } = quote
  const choice = suggestion === null ? undefined : parseChoice(suggestion)
  const isOffered = options.some(([value]) => value === suggestion)
  return {
    arrives: dayText(arrivesOn),
    options:
      choice && suggestion !== null && !isOffered
        ? [[suggestion, `${slotTextWithZone(choice, timeZone)}, no longer among the next times`] as const, ...options]
        : options,
  }
}

/** Pickup warehouses near the quote's ZIP code. */
async function warehouseViews(app: Application, zip: string | null, lines: Quote['lines']) {
  if (zip === null) return []
  const near = await findPickupWarehouses(app, { zip, lines: mergeLines(lines) })
  return near.map(({ id, name, city, miles, hasAll }) => ({
    id,
    name: `${name}, ${city}, ${miles.toFixed(1)} mi${hasAll ? '' : ', too few tires'}`,
  }))
}

/** Carrier locations near the quote's ZIP code, once carrier pickup is saved. Always includes the chosen one. */
async function carrierLocationViews(app: Application, { fulfillment, zip, carrierLocationId }: Quote) {
  if (fulfillment !== 'carrier-pickup') return []
  const near = zip === null ? undefined : await findPlacesNear(app, { zip })
  const places = near?.ok ? near.value.places : []
  const options = places.map(({ id, name, street, city, miles }) => ({
    id,
    name: `${name}, ${street}, ${city}, ${miles.toFixed(1)} mi`,
  }))
  if (carrierLocationId === null || places.some(({ id }) => id === carrierLocationId)) return options
  const chosen = await findPickupPlace(app, carrierLocationId)
  return chosen ? [{ id: chosen.id, name: `${chosen.name}, ${chosen.street}, ${chosen.city}` }, ...options] : options
}

function timelineOf(events: QuoteCase['events']) {
  const days = Map.groupBy(events.toReversed(), ({ at }) =>
    dateText(at.toZonedDateTimeISO(storeZone).toPlainDate().toString()),
  )
  return [...days].map(([day, entries]) => ({
    day,
    entries: entries.map(({ at, to, by, note, vehicle }) => ({
      kind: quoteStateNames[to],
      time: timeText(at, storeZone),
      tone: stateTones[to],
      body: [by, vehicle, note].filter(Boolean).join(': '),
    })),
  }))
}

/** What roadside assistance comes with, as the form offers it. */
function roadsideLabel(terms: BusinessTerms): string {
  return `Roadside assistance, ${countOf(terms['roadside-months'], 'month')}, with ${countOf(terms['roadside-tires'], 'tire')} installed`
}

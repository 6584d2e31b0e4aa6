/** Editing an order's destination, with the page's data and form handlers. */
import { canUse } from '#app/office/page-parts.ts'
import { z } from 'zod'
import { parseSlot } from '#app/forms/slot-value.ts'
import { step, type Posted } from '#app/office/decision.server.ts'
import type { Staff } from '#app/server/office.server.ts'
import { timeGroups, type TimeGroup } from '#app/views/office/order-acts.server.ts'
import { noTimeMessage } from '#content/messages/booking.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  linkHours,
  mostWaivedCents,
  type AskedPlace,
  type Settlement,
} from '#domain/ordering/order-changes/order-changes.ts'
import {
  changeOrder,
  changePlaceText,
  listPlaces,
  previewChange,
  selectOpenChange,
  withdrawChange,
  type ChangePreview,
  type OrderChange,
  type PlaceChoice,
} from '#domain/ordering/order-changes/order-changes.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { canActOn, fulfillmentNames, timeText } from '#domain/ordering/orders/orders.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { newId } from '#platform/ids.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { refused } from '#platform/outcome.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

type PlaceOption = { value: string; label: string }

/** The change the page shows, with the fields of its form. */
export type PreviewView = {
  name: string
  rows: { key: string; label: string; before: string; after: string }[]
  settled: string
  button: string
  arrival: string
  times: TimeGroup[]
  isInstalled: boolean
  /** The waiver checkbox's text; null if not applicable for this person or difference. */
  waiver: string | null
  agreed: string
  once: string
}

export type OrderPlaceView = {
  number: string
  now: string
  whyNot: string | null
  zip: string
  zipFault: string | null
  groups: { name: string; places: PlaceOption[] }[]
  to: string
  preview: PreviewView | null
  previewFault: string | null
  open: { place: string; amount: string; until: string } | null
}

const placePattern = /^(?:(shop|mobile|carrier-pickup):(\d{1,9})|home)$/

/** Reads "shop:12", "mobile:3", "carrier-pickup:7" or "home"; undefined for anything else. */
export function parsePlace(text: string): AskedPlace | undefined {
  const match = placePattern.exec(text)
  if (!match) return undefined
  const [, fulfillment = 'home', id] = match
  const key = id === undefined ? null : Number(id)
  return {
    fulfillment: fulfillment as AskedPlace['fulfillment'],
    shopId: fulfillment === 'shop' || fulfillment === 'mobile' ? key : null,
    carrierLocationId: fulfillment === 'carrier-pickup' ? key : null,
  }
}

function placeValue({ fulfillment, shopId, carrierLocationId }: AskedPlace): string {
  return fulfillment === 'home' ? 'home' : `${fulfillment}:${shopId ?? carrierLocationId ?? 0}`
}

/** Reads everything the page shows. */
export async function readOrderPlace(
  { app, session }: Pick<Staff, 'app' | 'session'>,
  order: OrderView,
  asked: { to: string; zip: string },
): Promise<OrderPlaceView> {
  const allowed = canActOn(order, 'place', app.clock.now())
  const open = await selectOpenChange(app.db, order.id)
  const zip = /^\d{5}$/.test(asked.zip) ? asked.zip : order.address.zip
  const places = allowed.can && !open ? await listPlaces(app, order, zip) : undefined
  const place = parsePlace(asked.to)
  const preview = places && place ? await previewChange(app, order, place) : undefined
  return {
    number: orderNumber(order.id),
    now: `${fulfillmentNames[order.fulfillment]}: ${order.shipTo.name}, ${order.shipTo.city}`,
    whyNot: allowed.can ? null : allowed.reason,
    zip,
    zipFault: places && !places.ok ? `We do not know ZIP ${zip}.` : null,
    groups: groupsOf(order, places?.ok ? places.value : []),
    to: place ? asked.to : '',
    ...shownPreview(preview, canUse(session.roles, 'price-difference')),
    open: open ? await openView(app, order, open) : null,
  }
}

function shownPreview(
  preview: Awaited<ReturnType<typeof previewChange>> | undefined,
  mayWaive: boolean,
): Pick<OrderPlaceView, 'preview' | 'previewFault'> {
  if (!preview) return { preview: null, previewFault: null }
  return preview.ok
    ? { preview: previewView(preview.value, mayWaive), previewFault: null }
    : { preview: null, previewFault: preview.detail.why }
}

async function openView(app: Application, order: OrderView, open: OrderChange): Promise<OrderPlaceView['open']> {
  return {
    place: await changePlaceText(app, open),
    amount: formatCents(open.afterCents - open.beforeCents),
    until: open.expiresAt ? timeText(open.expiresAt, order.timeZone) : '',
  }
}

function groupsOf(order: OrderView, places: readonly PlaceChoice[]): OrderPlaceView['groups'] {
  const of = (fulfillment: PlaceChoice['fulfillment']) => ({
    name: fulfillmentNames[fulfillment],
    places: places
      .filter((place) => place.fulfillment === fulfillment)
      .map((place) => ({
        value: placeValue(place),
        label: `${place.name}, ${place.city}, ${place.miles.toFixed(1)} mi`,
      })),
  })
  const { line1, city } = order.address
  const home = { name: fulfillmentNames.home, places: [{ value: 'home', label: `${line1}, ${city}` }] }
  return [of('shop'), of('mobile'), ...(order.fulfillment === 'home' ? [] : [home]), of('carrier-pickup')].filter(
    ({ places: offered }) => offered.length > 0,
  )
}

function previewView(preview: ChangePreview, mayWaive: boolean): PreviewView {
  const { rows, settledBy, beforeCents, afterCents } = preview
  const cents = Math.abs(afterCents - beforeCents)
  const words = (amount: number | null) => (amount === null ? '–' : formatCents(amount))
  return {
    name: preview.name,
    rows: rows.map(({ key, label, beforeCents: was, afterCents: becomes }) => ({
      key,
      label,
      before: words(was),
      after: words(becomes),
    })),
    settled: settledWords[settledBy](formatCents(cents)),
    button: settledBy === 'payment' ? 'Send the customer the link' : 'Change the order',
    arrival: dateText(preview.arrivesOn.toString()),
    times: timeGroups(preview.days, preview.timeZone),
    isInstalled: preview.isInstalled,
    waiver:
      settledBy === 'payment' && mayWaive && cents <= mostWaivedCents
        ? `Waive the ${formatCents(cents)} and change the order now, without a payment`
        : null,
    agreed: preview.agreedPrice,
    once: newId(),
  }
}

const settledWords: Readonly<Record<Settlement, (amount: string) => string>> = {
  nothing: () => 'The total stays the same.',
  refund: (amount) => `${amount} is refunded to the card.`,
  'lower-charge': (amount) => `The card is charged ${amount} less.`,
  payment: (amount) =>
    `The customer pays ${amount} first. They get a link that is good for ${countOf(linkHours, 'hour')}; the time is held for as long, and the order stays as it is until they pay.`,
  waiver: (amount) => `The store bears ${amount}.`,
}

const reason = z
  .string('Enter a reason for the audit log.')
  .trim()
  .min(1, 'Enter a reason for the audit log.')
  .max(400, 'Please keep this under 400 characters.')
const withdrawForm = z.object({ reason })
const changeForm = z.object({
  to: z.string().transform((text, context) => {
    const place = parsePlace(text)
    if (place) return place
    context.addIssue({ code: 'custom', message: 'Choose a place.' })
    return z.NEVER
  }),
  slot: z
    .string()
    .max(40, noTimeMessage)
    .default('')
    .transform((text, context) => {
      const choice = text === '' ? null : parseSlot(text)
      if (choice !== undefined) return choice
      context.addIssue({ code: 'custom', message: noTimeMessage })
      return z.NEVER
    }),
  waive: z
    .string()
    .optional()
    .transform((value) => value === '1'),
  reason,
  agreed: z.string('Preview the change first.').min(1, 'Preview the change first.').max(40),
  once: z.uuid('Reload the page.'),
})

/** `place` makes or offers the change that is shown; `withdraw` takes an offered one back. */
export function orderPlaceSteps({ app, by }: Posted, orderId: number) {
  const done = officePaths.officeOrder(orderId, { done: 'place' })
  const place = step(
    changeForm,
    async ({ to, slot, waive, reason: why, agreed, once }) =>
      to.shopId !== null && slot === null
        ? refused('no-time')
        : changeOrder(app, by, {
            ...to,
            orderId,
            choice: slot,
            waives: waive,
            reason: why,
            key: once,
            agreedPrice: agreed,
          }),
    done,
  )
  return {
    '': place,
    place,
    withdraw: step(withdrawForm, (asked) => withdrawChange(app, by, { orderId, ...asked }), done),
  }
}

export const orderPlaceRefusals = {
  'order-not-found': null,
  'not-possible': ({ why }: { why: string }) => why,
  'price-changed': 'The price changed. Check the new one below.',
  'no-time': { field: 'slot', text: noTimeMessage },
  'time-not-free': ({ why }: { why: string }) => ({ field: 'slot', text: why, status: 409 }),
  'waiver-not-allowed': ({ why }: { why: string }) => ({ field: 'waive', text: why, status: 409 }),
} as const

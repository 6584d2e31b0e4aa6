/**
 * Maps shipping, installation at a shop, and mobile installation to fulfillment methods of the protocol. A shop's times are a
 * method's options. Selecting one holds it.
 */
import { error, type Message } from '#ucp/answers.ts'
import type { UcpContext } from '#ucp/context.ts'
import { speaksAppointment } from '#ucp/extensions.ts'
import type { CheckoutInput } from '#ucp/input.ts'
import { lineId } from '#ucp/lines.ts'
import { addressOf, findLocation, locationId } from '#ucp/locations.ts'
import { fulfillmentCents } from '#ucp/totals.ts'
import { bookingMessages } from '#content/messages/booking.ts'
import { maxHoldExtensions, parseDropOffCode, type Booking, type Choice } from '#domain/scheduling/booking/booking.ts'
import { findChosenTime, holdSlot, releaseHold } from '#domain/scheduling/booking/booking.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { findCart } from '#domain/payments/cart/cart.server.ts'
import {
  chooseFulfillment,
  installationFor,
  listShopChoices,
  readShopMonth,
  refuseInstallation,
  type CartQuote,
} from '#domain/ordering/checkout/checkout.server.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import type { Shop as Installer } from '#domain/scheduling/installers/installers.ts'
import { slotText, slotZone, type Slot } from '#content/messages/times.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { holdText } from '#domain/ordering/orders/orders.ts'
import { dayText } from '#platform/day-text.ts'

type Method = NonNullable<NonNullable<CheckoutInput['fulfillment']>['methods']>[number]
const mostOptions = 60
const methodId = 'method-1'
const groupId = 'group-1'

/** Returns the type's name. Installation uses our own types, which the older release doesn't support. */
export function typeOf({ agent }: UcpContext, fulfillment: Cart['fulfillment']): string {
  if (fulfillment === 'home') return 'shipping'
  if (fulfillment === 'carrier-pickup' || fulfillment === 'warehouse-pickup') return 'pickup'
  if (agent.version === '2026-04-08') return 'pickup'
  return fulfillment === 'mobile' ? 'home_installation' : 'installation'
}

const hrefOfMethod = '$.fulfillment.methods[0]'

/** Applies the platform's selection. Returns without changes if no method is selected. */
export async function applyFulfillment(context: UcpContext, cart: Cart, asked: CheckoutInput): Promise<Message[]> {
  const { app } = context
  if (asked.appointment?.release) await releaseHold(app, { cartId: cart.id })
  const [method, ...others] = asked.fulfillment?.methods ?? []
  if (!method) return []
  const messages: Message[] =
    others.length > 0
      ? [
          error(
            'fulfillment_combination_unsupported',
            'All tires in an order use the same fulfillment method.',
            'recoverable',
            '$.fulfillment.methods',
          ),
        ]
      : []
  const type = method.type ?? typeOf(context, cart.fulfillment)
  if (type === 'shipping') {
    await releaseHold(app, { cartId: cart.id })
    await chooseFulfillment(app, cart, { fulfillment: 'home' })
    return messages
  }
  const isHere = ['installation', 'home_installation'].includes(type)
    ? context.agent.version !== '2026-04-08'
    : type === 'pickup'
  if (!isHere)
    return [
      ...messages,
      error(
        'fulfillment_type_unsupported',
        'Send shipping, or one of the methods of this checkout.',
        'recoverable',
        `${hrefOfMethod}.type`,
      ),
    ]
  if (typeof method.selected_destination_id === 'string' && !(await refuseInstallation(app, cart, 'shop')))
    messages.push(...(await applyShop(context, cart, method, type)))
  return messages
}

async function applyShop(context: UcpContext, cart: Cart, method: Method, type: string): Promise<Message[]> {
  const found = await findLocation(context, method.selected_destination_id ?? '')
  const isRight = found && (found.kind === 'van' ? type === 'home_installation' : type !== 'home_installation')
  if (!found || !isRight)
    return [
      error(
        'destination_unavailable',
        bookingMessages['shop-not-found'],
        'recoverable',
        `${hrefOfMethod}.selected_destination_id`,
      ),
    ]
  const optionId = method.groups?.[0]?.selected_option_id
  const refusal = await moveTo(context, cart, found, optionId === null)
  if (refusal) return [refusal]
  return typeof optionId === 'string' ? hold(context, cart.id, found, optionId) : []
}

/** Selects a shop or a van and releases a hold elsewhere. */
async function moveTo(
  { app }: UcpContext,
  cart: Cart,
  found: Installer,
  isReleased: boolean,
): Promise<Message | undefined> {
  const fulfillment = found.kind === 'van' ? 'mobile' : 'shop'
  const isThere = cart.shopId === found.id && cart.fulfillment === fulfillment
  if (isReleased || !isThere) await releaseHold(app, { cartId: cart.id })
  if (isThere) return undefined
  const chosen = await chooseFulfillment(app, cart, { fulfillment, shopId: found.id })
  return !chosen.ok && chosen.reason === 'outside-area'
    ? error('outside_area', bookingMessages['outside-area'], 'recoverable', `${hrefOfMethod}.selected_destination_id`)
    : undefined
}

/** Holds a time by the id of its option. */
async function hold(context: UcpContext, cartId: string, installer: Installer, optionId: string): Promise<Message[]> {
  const { app, networkKey } = context
  const path = `${hrefOfMethod}.groups[0].selected_option_id`
  const choice = choiceIn(optionId)
  if (!choice) return [error('option_unavailable', 'Select one of the options of this method.', 'recoverable', path)]
  const cart = await findCart(app, cartId)
  const target = cart && (await installationFor(app, cart, installer.id))
  if (!cart || !target?.ok) return []
  const held = await holdSlot(app, {
    cartId,
    shopId: installer.id,
    choice,
    ...target.value,
    heldBy: networkKey,
    ...(cart.zip ? { zip: cart.zip } : {}),
  })
  if (held.ok) return []
  const code = held.reason === 'slot-taken' ? 'slot_taken' : held.reason.replaceAll('-', '_')
  return [error(code, bookingMessages[held.reason], 'recoverable', path)]
}

function choiceIn(optionId: string): Choice | undefined {
  const [kind, rest] = [optionId.slice(0, 5), optionId.slice(5)]
  if (kind === 'drop-') return parseDropOffCode(rest)
  try {
    return kind === 'wait-' && rest.length < 40 ? { start: Temporal.Instant.from(rest) } : undefined
  } catch {
    return undefined
  }
}

function optionIdOf(booking: Booking): string {
  return booking.dropOff ? `drop-${booking.dropOff.code}` : `wait-${booking.start.toString()}`
}

export type FulfillmentView = {
  readonly member: object
  readonly appointment: object | undefined
  /** What is still missing of it. */
  readonly messages: readonly Message[]
}

/** The method of the cart with its destinations and options; installing at a shop until something else is chosen. */
export async function fulfillmentView(
  context: UcpContext,
  cart: Cart,
  { quote, address, within }: { quote: CartQuote; address: object | undefined; within: CheckoutInput['appointment'] },
): Promise<FulfillmentView> {
  const type = typeOf(context, cart.fulfillment)
  const lineIds = cart.lines.map(lineId)
  const method = { id: methodId, type, line_item_ids: lineIds }
  if (cart.fulfillment === 'home') return shippingView(context, method, { quote, address })
  const chosen = await findChosenTime(context.app, cart.id)
  const held = chosen?.status === 'held' ? chosen.booking : undefined
  const [destinations, options] = await Promise.all([shopsFor(context, cart), optionsAt(context, cart, quote, within)])
  const selected = cart.shopId === null ? undefined : await findShop(context.app, { id: cart.shopId })
  const all =
    selected && !destinations.some(({ id }) => id === locationId(selected))
      ? [destinationOf(selected), ...destinations]
      : destinations
  const heldOption = held && selected ? [heldView(context, held, quote)] : []
  const optionId = held && selected ? optionIdOf(held) : null
  const member = {
    methods: [
      {
        ...method,
        destinations: all,
        selected_destination_id: selected ? locationId(selected) : null,
        groups: [
          {
            id: groupId,
            line_item_ids: lineIds,
            options: [...heldOption, ...options.filter(({ id }) => id !== optionId)],
            selected_option_id: optionId,
          },
        ],
      },
    ],
    available_methods: availableMethods(context, lineIds, type),
  }
  const lost = chosen && chosen.status !== 'held'
  return {
    member,
    appointment: held && speaksAppointment(context) ? appointmentOf(held, selected) : undefined,
    messages: missing(),
  }

  function missing(): Message[] {
    if (!selected)
      return [
        error(
          'destination_required',
          'Select one of the shops, or have the tires shipped.',
          'recoverable',
          `${hrefOfMethod}.selected_destination_id`,
        ),
      ]
    if (held) return []
    const path = `${hrefOfMethod}.groups[0].selected_option_id`
    return lost
      ? [error('slot_lost', bookingMessages['slot-lost'], 'recoverable', path)]
      : [error('option_required', 'Select one of the times.', 'recoverable', path)]
  }
}

function shippingView(
  { agent }: UcpContext,
  method: object & { line_item_ids: string[] },
  { quote, address }: { quote: CartQuote; address: object | undefined },
): FulfillmentView {
  const arrives = quote.delivery?.arrivesOn
  const says = arrives && `There by ${dayText(arrives)}`
  const member = {
    methods: [
      {
        ...method,
        destinations: address ? [{ ...address, type: 'shipping_address', id: 'address-1' }] : [],
        selected_destination_id: address ? 'address-1' : null,
        groups: [
          {
            id: groupId,
            line_item_ids: method.line_item_ids,
            options: [
              {
                id: 'standard',
                title: 'Shipping to your address',
                ...(says && { description: agent.version === '2026-04-08' ? says : { plain: says } }),
                totals: [{ type: 'total', amount: quote.breakdown ? fulfillmentCents(quote.breakdown) : 0 }],
              },
            ],
            selected_option_id: 'standard',
          },
        ],
      },
    ],
  }
  const messages = address
    ? []
    : [
        error(
          'shipping_address_required',
          'Send the address that the tires go to.',
          'recoverable',
          `${hrefOfMethod}.destinations`,
        ),
      ]
  return { member, appointment: undefined, messages }
}

function availableMethods({ agent }: UcpContext, lineIds: string[], type: string): object[] {
  const words: Readonly<Record<string, string>> = {
    shipping: 'Shipped to an address of the buyer',
    installation: 'Shipped to a shop and installed there',
    home_installation: 'Installed by a van where the car is',
    pickup: 'Shipped to a shop and installed there',
  }
  const all =
    agent.version === '2026-04-08' ? ['pickup', 'shipping'] : ['installation', 'home_installation', 'shipping']
  return all
    .filter((each) => each !== type)
    .map((each) => ({ type: each, line_item_ids: lineIds, description: words[each] }))
}

function destinationOf(found: Installer) {
  return { type: 'business_location', id: locationId(found), name: found.name, address: addressOf(found) }
}

async function shopsFor({ app }: UcpContext, cart: Cart) {
  if (cart.zip === null || cart.lines.length === 0) return []
  const kind = cart.fulfillment === 'mobile' ? 'van' : 'shop'
  const near = await listShopChoices(app, cart, { zip: cart.zip, kind })
  return near.ok ? near.value.map((choice) => destinationOf(choice.shop)) : []
}

type Option = { id: string; title: string } & Record<string, unknown>

/** The free times of the chosen shop, soonest first. */
async function optionsAt(
  context: UcpContext,
  cart: Cart,
  quote: CartQuote,
  within: CheckoutInput['appointment'],
): Promise<Option[]> {
  if (cart.shopId === null || cart.lines.length === 0) return []
  const month = await readShopMonth(context.app, cart, cart.shopId)
  if (!month.ok) return []
  const { timeZone, days } = month.value
  const isWithin = (start: Temporal.Instant) =>
    (within?.from === undefined || Temporal.Instant.compare(start, Temporal.Instant.from(within.from)) >= 0) &&
    (within?.to === undefined || Temporal.Instant.compare(start, Temporal.Instant.from(within.to)) < 0)
  const kind = cart.fulfillment === 'mobile' ? 'mobile' : 'wait'
  const place = cart.zip === null ? undefined : await findPlace(context.app.db, cart.zip)
  const zone = slotZone(context.app.clock.now(), timeZone, place?.timeZone)
  const titleOf = (slot: Slot) => slotText(slot, timeZone) + (zone ? ` ${zone}` : '')
  const all = days.flatMap(({ times, dropOffs }) => [
    ...times
      .filter(({ free, start }) => free && isWithin(start))
      .map(({ start, end }) =>
        optionView(context, quote, {
          id: `wait-${start.toString()}`,
          title: titleOf({ start }),
          start,
          end,
          timeZone,
          kind,
        }),
      ),
    ...dropOffs
      .filter(({ free, start }) => free && isWithin(start))
      .map(({ code, window, start, end }) =>
        optionView(context, quote, {
          id: `drop-${code}`,
          title: titleOf({ start, window }),
          start,
          end,
          timeZone,
          kind: 'drop-off',
        }),
      ),
  ])
  return all.slice(0, mostOptions)
}

type OfferedSlot = {
  id: string
  title: string
  start: Temporal.Instant
  end: Temporal.Instant
  timeZone: string
  kind: string
}

function optionView(context: UcpContext, { breakdown }: CartQuote, { title, timeZone, ...slot }: OfferedSlot): Option {
  const [start, end] = [slot.start.toString(), slot.end.toString()]
  return {
    id: slot.id,
    title,
    earliest_fulfillment_time: start,
    latest_fulfillment_time: end,
    totals: [{ type: 'total', amount: breakdown ? fulfillmentCents(breakdown) : 0 }],
    ...(speaksAppointment(context) && { slot: { id: slot.id, start, end, timezone: timeZone, kind: slot.kind } }),
  }
}

function heldView(context: UcpContext, held: Booking, quote: CartQuote): Option {
  const { start, end, timeZone, kind } = held
  return optionView(context, quote, { id: optionIdOf(held), title: holdText(held), start, end, timeZone, kind })
}

function appointmentOf(held: Booking, selected: Installer | undefined): object {
  const { start, end, timeZone, kind, holdExpiresAt, holdExtensions } = held
  return {
    shop: selected && locationId(selected),
    status: 'held',
    slot: { id: optionIdOf(held), start: start.toString(), end: end.toString(), timezone: timeZone, kind },
    hold: {
      id: optionIdOf(held),
      expires_at: (holdExpiresAt ?? start).toString(),
      extensions_left: Math.max(0, maxHoldExtensions - holdExtensions),
    },
  }
}

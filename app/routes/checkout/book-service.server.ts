/** The page that books a service without tires at a shop, with prices and free times, and holds a time in a cart. */
import { holdSlotFromForm } from '#app/forms/hold-slot.server.ts'
import { parseSlot } from '#app/forms/slot-value.ts'
import { cartHasTiresMessage, noTimeMessage, serviceGoneMessage } from '#content/messages/booking.ts'
import { dropOffText, slotText } from '#content/messages/times.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { choiceValue, type OfferedDay } from '#domain/scheduling/booking/booking.ts'
import { findCart, putService, readCart } from '#domain/payments/cart/cart.server.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import type { ShopInFull } from '#domain/scheduling/installers/installers.ts'
import {
  bookableServices,
  bookedUnits,
  findBookableService,
  serviceDays,
  type BookableService,
} from '#domain/ordering/checkout/checkout.server.ts'
import type { Visitor } from '#http/visitor.ts'
import { countOf } from '#platform/count-text.ts'
import { dayText } from '#platform/day-text.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { phoneText } from '#platform/phone-text.ts'
import { localClock, zoneName } from '#platform/time-text.ts'
import type { Application } from '#application'

type Asked = { shopCode: string; service: string; units: string | null; day: string | null }

const mostDays = 14

/** Returns the shop's services, and the free times of the asked one; undefined for an unknown shop. */
export async function readBookService(app: Application, visitor: Visitor, asked: Asked) {
  const place = await findShop(app, { code: asked.shopCode })
  if (!place) return undefined
  const offered = bookableServices(place)
  const wanted = offered.find(({ key }) => key === asked.service)
  const chosen = wanted ?? offered[0]
  const units = chosen ? (unitsOf(chosen, asked.units) ?? 1) : 1
  const cart = await findCart(app, visitor.cartId)
  return {
    shop: shopView(place),
    services: offered.map(({ key, name, note, unit, priceCents, minutes }) => ({
      key,
      name,
      note,
      price: unit === 'tire' ? `${formatCents(priceCents)} a tire` : formatCents(priceCents),
      minutes: countOf(minutes, 'minute'),
      isChosen: key === chosen?.key,
    })),
    chosen: chosen
      ? {
          key: chosen.key,
          name: chosen.name,
          units,
          total: formatCents(chosen.priceCents * units),
        }
      : null,
    mostUnits: Math.max(1, ...offered.map(({ mostUnits }) => mostUnits)),
    isGone: wanted === undefined && asked.service !== '',
    hasTires: cart !== undefined && cart.lines.length > 0,
    times: chosen ? await timesOf(app, place, { service: chosen.key, units, day: asked.day }) : null,
  }
}

function shopView({ id, code, slug, name, street, city, state, phone, kind }: ShopInFull) {
  return {
    id,
    code,
    name,
    path: paths.tireShop(slug, code),
    place: kind === 'van' ? null : `${street}, ${city}, ${state}`,
    phone: phoneText(phone),
  }
}

/** Reads the number of units; undefined for more than the service can have. */
function unitsOf(service: BookableService, text: string | null): number | undefined {
  return bookedUnits(service, text === null || text === '' ? 1 : /^[1-9]$/.test(text) ? Number(text) : 0)
}

async function timesOf(
  app: Application,
  place: ShopInFull,
  { service, units, day }: { service: string; units: number; day: string | null },
) {
  const free = await serviceDays(app, { shop: place, service, units })
  const shown = free.find(({ date }) => date.toString() === day) ?? free[0]
  return {
    days: free.slice(0, mostDays).map(({ date }) => ({
      text: dayText(date),
      isShown: date === shown?.date,
      href: `${serverPaths.bookService({ shop: place.code, service, units, day: date.toString() })}#times`,
    })),
    shown: shown ? shownDay(shown, place.timeZone) : null,
  }
}

function shownDay({ date, times, dropOffs }: OfferedDay, timeZone: string) {
  const [first] = times
  return {
    text: dayText(date),
    zone: first ? zoneName(first.start, timeZone) : '',
    waits: times
      .filter(({ free }) => free)
      .map(({ start }) => ({
        value: choiceValue({ start }),
        before: dayText(date),
        text: localClock(start, timeZone),
      })),
    dropOffs: dropOffs
      .filter(({ free }) => free)
      .map((each) => ({
        value: choiceValue({ date, window: each.window }),
        before: slotText({ date, window: each.window }, timeZone),
        text: dropOffText(each, timeZone),
      })),
  }
}

/** The cart that holds the time, or the refusal. */
type Booked = { ok: true; cartId: string } | { ok: false; words: string; status: 409 | 422 | 429 }

/**
 * Puts the service of the form into the visitor's cart, or a new one, and holds its time. Refuses a shop or service that
 * isn't offered, too many units, a missing time, and a cart with tires, which doesn't change.
 */
export async function bookService(app: Application, visitor: Visitor, fields: URLSearchParams): Promise<Booked> {
  const found = await findBookableService(app, {
    shopCode: (fields.get('code') ?? '').slice(0, 20),
    service: fields.get('service') ?? '',
  })
  if (!found) return refuse(serviceGoneMessage)
  const { shop, service } = found
  const units = unitsOf(service, fields.get('units'))
  if (units === undefined) return refuse(`Choose 1 to ${countOf(service.mostUnits, 'tire')}.`, 422)
  if (!parseSlot(fields.get('slot') ?? '')) return refuse(noTimeMessage, 422)
  const put = await putIntoCart(app, visitor, { shop, service: service.key, units })
  if (!put.ok) return put
  const cart = await readCart(app, put.cartId)
  if (!cart) throw new Error(`Cart ${put.cartId} was just made.`)
  fields.set('shop', String(shop.id))
  const held = await holdSlotFromForm(app, visitor, cart, fields, 'shop')
  return held.ok ? put : refuse(held.words, held.status)
}

/** Puts a service into the visitor's cart, or a new one. Refuses a cart with tires, and too many new carts. */
async function putIntoCart(
  app: Application,
  visitor: Visitor,
  { shop, service, units }: { shop: ShopInFull; service: string; units: number },
): Promise<Booked> {
  const own = await findCart(app, visitor.cartId)
  const admitted = own ? undefined : await app.rateLimits.take('cart', { network: visitor.networkKey })
  if (admitted && !admitted.ok) return refuse('Too many carts were created from your network. Try again later.', 429)
  const cart = { id: own?.id ?? newId(), accountId: await app.buyer.accountId(), zip: visitor.zip ?? shop.zip }
  return (await putService(app.db, { ...cart, shopId: shop.id, service, units }, app.clock.now()))
    ? { ok: true, cartId: cart.id }
    : refuse(cartHasTiresMessage)
}

function refuse(words: string, status: 409 | 422 | 429 = 409): Extract<Booked, { ok: false }> {
  return { ok: false, words, status }
}

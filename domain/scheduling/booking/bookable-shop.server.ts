/** One shop with its calendar and the price and duration of the work, and why a time there cannot be chosen. */
import {
  quoteInstallation,
  type CapabilityFault,
  type InstallationQuote,
} from '#domain/scheduling/installers/installers.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { pointOf } from '#domain/kernel/places/places.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Choice, Installation, Opening } from './booking.ts'
import { selectShops, type BookableShop } from './shop-calendar.sql.server.ts'
import { baysWithTravel } from './travel.ts'
import { nextOpenings, type Ask, type NoPlace } from './slots.ts'

export type BookingDeps = { db: Database; clock: Clock }
export type ShopRefusal = Refused<'shop-not-found'> | Refused<'shop-not-capable', CapabilityFault[]>

/** `next` lists alternatives to hold, earliest first. */
export type SlotTaken = Refused<'slot-taken', { next: Opening[] }>
export type ChoiceRefusal = ShopRefusal | Exclude<NoPlace, Refused<'slot-taken'>> | SlotTaken
type ReadyShop = { shop: BookableShop; ask: Ask; quote: InstallationQuote }

export async function readShop(
  deps: BookingDeps,
  input: Installation & { shopId: number },
  except?: { cartId?: string; bookingId?: string },
): Promise<Outcome<ReadyShop, ShopRefusal>> {
  const found = await readPlainShop(deps, input, except)
  if (!found.ok) return found
  const { shop: plain, quote, now } = found.value
  const shop =
    plain.stops && input.zip
      ? { ...plain, bays: baysWithTravel(plain.bays, plain.stops, pointOf(await findPlace(deps.db, input.zip))) }
      : plain
  const { arrivesOn, deliveredAt } = input
  return ok({ shop, quote, ask: { minutes: quote.minutes, arrivesOn, deliveredAt, now } })
}

/** Returns a shop with its calendar for any shopper, regardless of the van's destination. */
export async function readPlainShop(
  { db, clock }: BookingDeps,
  { shopId, tires, services }: Pick<Installation, 'tires' | 'services'> & { shopId: number },
  except?: { cartId?: string; bookingId?: string },
  heldBy?: string,
) {
  const now = clock.now()
  const shop = (await selectShops(db, [shopId], now, except, heldBy)).get(shopId)
  if (!shop) return refused('shop-not-found')
  const quote = quoteInstallation(shop, tires, services)
  return quote.ok ? ok({ shop, quote: quote.value, now }) : quote
}

export async function takenAt(
  deps: BookingDeps,
  input: Installation & { shopId: number; choice: Choice },
  except: { cartId?: string; bookingId?: string },
): Promise<SlotTaken | ShopRefusal> {
  const ready = await readShop(deps, input, except)
  if (!ready.ok) return ready
  const { shop, ask } = ready.value
  const kind = 'window' in input.choice ? 'drop-off' : 'wait'
  const from =
    'window' in input.choice ? input.choice.date.toZonedDateTime(shop.timeZone).toInstant() : input.choice.start
  const later = nextOpenings(shop, ask, { kind, limit: alternatives, from })
  return refused('slot-taken', {
    next: later.length > 0 ? later : nextOpenings(shop, ask, { kind, limit: alternatives }),
  })
}

const alternatives = 6

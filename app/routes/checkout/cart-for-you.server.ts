/** Shows a visitor the cart that an assistant filled for them, and stores it in their cookies. */
import type { RouterContextProvider } from 'react-router'
import { remember } from '#app/server/account-memory.server.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { lineViews, moneyView } from '#app/views/checkout.server.ts'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { countTires } from '#domain/payments/cart/cart.server.ts'
import { judgeCart, quoteCart, readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import { chosenVehicleSchema, encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { clockText, timeText } from '#platform/time-text.ts'
import type { Application } from '#application'

type Context = Readonly<RouterContextProvider>
export type CartForYouView = Awaited<ReturnType<typeof readCartForYou>>

/** Returns the cart's lines, price, fitment, and held time, and the number of tires in the visitor's own cart. */
export async function readCartForYou(context: Context, cart: Cart) {
  const app = context.get(applicationContext)
  const { contact } = await readDetails(app, cart.id)
  const [quote, when, verdict, otherTires] = await Promise.all([
    quoteCart(app, cart, contact),
    holdView(app, cart.id),
    judgeCart(app, cart),
    ownTires(context, cart.id),
  ])
  const { rows, estimateAt, problems } = moneyView(quote, { moves: [], notes: [] })
  const vehicle = chosenVehicleSchema.safeParse(cart.vehicle)
  return {
    lines: await lineViews(app, cart, quote.breakdown),
    vehicle: vehicle.success ? vehicle.data.name : null,
    fit:
      verdict?.sets.map(({ itemIds, headline, lines }) => ({
        key: itemIds.join(' '),
        headline,
        lines: [...new Set(lines)],
      })) ?? [],
    rows,
    estimateAt,
    problems,
    hold: when && quote.shop ? { ...when, shop: quote.shop.name } : null,
    otherTires,
  }
}

async function holdView(app: Application, cartId: string): Promise<{ time: string; until: string } | null> {
  const chosen = await findChosenTime(app, cartId)
  if (chosen?.status !== 'held' || !chosen.booking.holdExpiresAt) return null
  const { start, timeZone, holdExpiresAt } = chosen.booking
  return { time: timeText(start, timeZone), until: clockText(holdExpiresAt, timeZone) }
}

async function ownTires(context: Context, cartId: string): Promise<number> {
  const own = context.get(visitorContext).cartId
  return own === undefined || own === cartId ? 0 : countTires(context.get(applicationContext), own)
}

/** Whether the visitor's own cart has tires that they have not yet given up for this one. */
export async function mustAskFirst(context: Context, form: URLSearchParams, cartId: string): Promise<boolean> {
  return form.get('replace') !== '1' && (await ownTires(context, cartId)) > 0
}

/** Returns the cookies for a browser that continues with the cart `cartId`. */
export function rememberCart(context: Context, cartId: string, { zip, vehicle }: Pick<Cart, 'zip' | 'vehicle'>) {
  const chosen = chosenVehicleSchema.safeParse(vehicle)
  return remember(context, {
    cartId,
    ...(zip !== null && { zip }),
    ...(chosen.success && { vehicle: encodeChosenVehicle(chosen.data) }),
  })
}

/** Parts in the cart, and those that can be added to its tires. */
import { fittedVehicle } from '#domain/ordering/checkout/checkout.server.ts'
import { maxQuantityPerLine, tireCountOf, type Cart } from '#domain/payments/cart/cart.ts'
import { setPart } from '#domain/payments/cart/cart.server.ts'
import { listPartsForSale } from '#domain/supply/parts/parts.server.ts'
import { factTexts, partKindOf, partKinds, partName, type Part } from '#domain/supply/parts/parts.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'

/** A part as the cart shows it. `quantities` are the possible ones. */
export type CartPartView = {
  sku: string
  name: string
  facts: string
  unit: string
  quantity: number
  quantities: number[]
}

/** The parts in a cart, and the others by kind, each with its fit for the cart's vehicle. */
export type CartPartsView = {
  parts: (CartPartView & { problem: string | null })[]
  offers: { key: string; name: string; note: string; fit: string; isFitting: boolean; parts: CartPartView[] }[]
}

/** Returns a cart's parts. Carts of purchasing systems have tires only. */
export async function cartPartsView(
  app: Pick<Application, 'db' | 'punchout'>,
  cart: Pick<Cart, 'lines' | 'parts' | 'vehicle'>,
): Promise<CartPartsView> {
  const [forSale, vehicle] = app.punchout
    ? [[], null]
    : await Promise.all([listPartsForSale(app), fittedVehicle(app, cart.vehicle)])
  const others = forSale.filter(({ id }) => !cart.parts.some(({ partId }) => partId === id))
  return {
    parts: cart.parts.map((part) => ({
      ...viewOf({ ...part, priceCents: part.unitCents }, part.quantity),
      problem: part.isOnSale ? null : 'No longer sold. Remove it to continue.',
    })),
    offers: partKinds.flatMap(({ key, name, note, mostUnits, fit: fitOf }) => {
      const parts = others.filter(({ kind }) => kind === key)
      const fit = fitOf(vehicle)
      const usual = Math.min(tireCountOf(cart), mostUnits)
      const views = parts.map((part) => viewOf({ ...part, name: partName(part) }, usual))
      return parts.length === 0
        ? []
        : [{ key, name, note, fit: fit.text, isFitting: fit.result !== 'does-not-fit', parts: views }]
    }),
  }
}

function viewOf(
  { sku, kind: key, name, facts, priceCents }: Pick<Part, 'sku' | 'kind' | 'name' | 'facts' | 'priceCents'>,
  quantity: number,
): CartPartView {
  const kind = partKindOf(key)
  return {
    sku,
    name,
    facts: factTexts(kind, facts).join(', '),
    unit: formatCents(priceCents),
    quantity,
    quantities: Array.from({ length: Math.max(kind?.mostUnits ?? 1, quantity) }, (_, index) => index + 1),
  }
}

/** What to tell the shopper about a number of units that can't be read. */
export function wrongQuantity(fields: URLSearchParams): string {
  return `Choose how many ${fields.get('intent') === 'set-part' ? 'parts' : 'tires'} you want, from 1 to ${maxQuantityPerLine}.`
}

/** Sets how many of a part the cart has. Returns what to tell the shopper if it isn't sold. */
export async function changePart(
  app: Application,
  cartId: string,
  part: { sku: string; units: number },
): Promise<string | null> {
  const set = await setPart(app, cartId, { sku: part.sku, quantity: part.units })
  return set.ok ? null : 'This part is no longer sold in that quantity. Choose another one.'
}

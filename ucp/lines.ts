/** The lines of an agent's cart. An update contains all lines and replaces the cart's lines. */
import { error, type Message } from '#ucp/answers.ts'
import { BadCall, fault } from '#ucp/answers.ts'
import type { UcpContext } from '#ucp/context.ts'
import { speaksFitment } from '#ucp/fitment.ts'
import type { CartInput } from '#ucp/input.ts'
import { articleName, maxQuantityPerLine, type Axle, type Cart, type NewLine } from '#domain/payments/cart/cart.ts'
import { addToCart, lockOpenCart, readCart, setQuantity } from '#domain/payments/cart/cart.server.ts'
import { settleHold } from '#domain/ordering/checkout/checkout.server.ts'
import { findItem } from '#domain/catalog/catalog/catalog.server.ts'
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { inTransaction } from '#platform/db.ts'
import { refused, ok, type Outcome, type Refused } from '#platform/outcome.ts'

type Asked = CartInput['line_items']
type Unsold = Refused<'unsold', Message[]>

/** Creates a cart with these lines. */
export async function makeCart(
  { app, networkKey }: UcpContext,
  asked: { lines: Asked; zip: string | null; vehicle: ChosenVehicle | null },
): Promise<Outcome<string, Unsold>> {
  const lines = await newLines(app, asked.lines)
  if (!lines.ok) return lines
  const added = await addToCart(app, {
    cartId: undefined,
    lines: lines.value,
    zip: asked.zip,
    vehicle: asked.vehicle,
    admit: () => app.rateLimits.take('cart', { network: networkKey }),
  })
  if (added.ok) return ok(added.value.cartId)
  if (added.reason === 'too-many')
    throw new BadCall(
      fault(429, 'rate_limited', 'Too many carts were made from your network.', {
        'retry-after': String(added.detail.retryAfterSeconds),
      }),
    )
  return refused('unsold', [unavailable('These tires are not sold here.')])
}

/** Gives the cart exactly these lines, or leaves it as it is. */
export async function replaceLines({ app, networkKey }: UcpContext, cartId: string, asked: Asked): Promise<Message[]> {
  const wanted = await newLines(app, asked)
  if (!wanted.ok) return wanted.detail
  return inTransaction(app.db, async (tx) => {
    const within = { ...app, db: tx }
    const before = (await lockOpenCart(tx, cartId)) && (await readCart(within, cartId))
    if (!before || before.state !== 'open') return []
    const keyOf = (line: { itemId: number; axle: Axle }) => `${line.itemId} ${line.axle}`
    const there = new Map(before.lines.map((line) => [keyOf(line), line]))
    const fresh = wanted.value.filter((line) => !there.has(keyOf(line)))
    if (fresh.length > 0) {
      const added = await addToCart(within, { cartId, lines: fresh, zip: null, vehicle: null })
      if (!added.ok) return [unavailable('One of these tires is not sold here.')]
    }
    const quantities = new Map(wanted.value.map((line) => [keyOf(line), line.quantity]))
    for (const line of before.lines) {
      const quantity = quantities.get(keyOf(line)) ?? 0
      if (quantity !== line.quantity)
        await setQuantity(within, cartId, { itemId: line.itemId, axle: line.axle, quantity })
    }
    await settleHold(within, { cartId, heldBy: networkKey })
    return []
  })
}

/** Returns the requested lines, with each tire listed once per axle. Refuses tires that aren't sold. */
async function newLines(app: UcpContext['app'], asked: Asked): Promise<Outcome<NewLine[], Unsold>> {
  const merged = new Map<string, NewLine>()
  const unsold: Message[] = []
  for (const [index, { item, quantity, axle = 'all' }] of asked.entries()) {
    const itemId = /^\d{1,9}$/.test(item.id) ? Number(item.id) : 0
    if (itemId === 0 || !(await findItem(app.catalog, itemId))) {
      unsold.push(unavailable(`${item.id} is not sold here.`, `$.line_items[${index}]`))
      continue
    }
    const key = `${itemId} ${axle}`
    const sum = (merged.get(key)?.quantity ?? 0) + quantity
    merged.set(key, { itemId, axle, quantity: Math.min(sum, maxQuantityPerLine) })
  }
  return unsold.length > 0 ? refused('unsold', unsold) : ok([...merged.values()])
}

function unavailable(content: string, path = '$.line_items'): Message {
  return error('item_unavailable', content, 'recoverable', path)
}

export const lineId = ({ itemId, axle }: { itemId: number; axle: Axle }): string => `${itemId}-${axle}`

/** The lines as the protocol shows them. */
export function lineViews(context: UcpContext, cart: Cart): object[] {
  return cart.lines.map((line) => {
    const amount = line.unitCents * line.quantity
    return {
      id: lineId(line),
      item: { id: String(line.itemId), title: articleName(line.article), price: line.unitCents },
      quantity: line.quantity,
      totals: [
        { type: 'subtotal', amount },
        { type: 'total', amount },
      ],
      ...(speaksFitment(context) && { axle: line.axle }),
    }
  })
}

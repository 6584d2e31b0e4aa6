/** One amount from the first card of a listing to the last line of the books, to the cent, for carts, places and shops drawn at random. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readVisitor } from '#app/http/visitor.ts'
import { offeredTires, readNearby } from '#app/routes/storefront/listing-offers.server.ts'
import type { NewLine } from '#domain/cart/cart.ts'
import { readCart } from '#domain/cart/cart.server.ts'
import { findItem, getProduct } from '#domain/catalog/catalog.server.ts'
import { unitsOf, type Item, type Price } from '#domain/catalog/catalog.ts'
import { listShopChoices, placeOrder, quoteCart, readDetails } from '#domain/checkout/checkout.server.ts'
import { regionOf } from '#domain/delivery/delivery.ts'
import { cancelOrder, readOrder } from '#domain/orders/orders.server.ts'
import { offersNear } from '#domain/offers/offers.server.ts'
import { randomOf, seeds, type Random } from './random.ts'
import { agreeToServices, granted } from './ready-cart.ts'
import { openWorld, type World } from './world.ts'

type Part = { item: Item; price: Price; quantity: number }

const cartsPerSeed = 40

test.for(seeds)('what is listed is quoted, ordered, charged and entered, to the cent (seed %i)', async (seed) => {
  await using world = await openWorld()
  const { shop, db } = world
  const random = randomOf(seed)
  const zips = (
    await sql<{
      zip: string
    }>`select zip.zip from zip join shop on shop.zip = zip.zip where zip.latitude is not null group by zip.zip order by zip.zip`.execute(db)
  ).rows
  const sold: { orderId: number; isCancelled: boolean }[] = []
  const states = new Set<string>()

  while (sold.length < cartsPerSeed) {
    const { zip } = random.pick(zips)
    const parts = await drawParts(world, random)
    const tires = parts.flatMap(({ item, price, quantity }) => offeredTires([item], [price], quantity))
    const near = granted(await offersNear(shop, zip))
    const offers = (await near.price([{ key: 'set', tires, stock: parts.map(({ item }) => item.stock), shops: 3 }])).get('set') ?? []
    const offer = offers.length > 0 && random.chance(0.85) ? random.pick(offers) : undefined
    if (parts.some(({ item, quantity }) => unitsOf(item) < quantity) || (offer && offer.openings.length === 0)) continue

    const lines = parts.map(({ item, quantity }, index): NewLine => ({
      itemId: item.id,
      quantity,
      axle: parts.length === 1 ? 'all' : index === 0 ? 'front' : 'rear',
    }))
    const wish = {
      lines: random.chance(0.5) ? lines : lines.toReversed(),
      zip,
      ...(offer ? { install: { shopId: offer.shop.id, kind: 'shop' as const } } : {}),
    }
    const plain = await world.prepare(wish)
    states.add(offer?.shop.state ?? 'home')

    // The card of the listing, the product page, the list of shops and the cart agree.
    if (offer) {
      expect({ zip, lines, cart: plain.totalCents }).toEqual({ zip, lines, cart: offer.totalCents })
      const nearby = await readNearby(shop, readVisitor(`sw_zip=${zip}`, 'no secret here', ''))
      if (parts.every(({ quantity }) => quantity === 4 / parts.length))
        expect(
          nearby?.totalOf(
            parts.map(({ item }) => item),
            parts.map(({ price }) => price),
          ),
        ).toBe(offers[0]?.totalCents)
      const cart = await readCart(shop, plain.cartId)
      const choices = cart ? granted(await listShopChoices(shop, cart, { zip, kind: 'shop' })) : []
      expect(choices.find((choice) => choice.shop.id === offer.shop.id)?.totalCents ?? offer.totalCents).toBe(offer.totalCents)
    }

    const services = { coverage: random.chance(0.4), roadside: random.chance(0.4) }
    const cart = await agreeToServices(shop, plain.cartId, services, (charge) => world.payments.authorize(charge))
    const quote = await quoteCart(shop, (await readCart(shop, cart.cartId)) ?? never(), (await readDetails(shop, cart.cartId)).contact)
    expect(quote.breakdown?.explain.filter(({ kind }) => kind !== 'total').reduce((sum, { cents }) => sum + cents, 0)).toBe(cart.totalCents)
    const { orderId } = granted(await placeOrder(shop, cart.press))
    const order = (await readOrder(db, orderId)) ?? never()
    const charge = [...world.payments.charges.values()].at(-1)
    expect({
      order: order.totalCents,
      agreed: order.breakdown.totals.totalCents,
      payment: order.payment?.amountCents,
      charge: charge?.amountCents,
      owed: await balance(world, orderId, 'receivable'),
    }).toEqual(Object.fromEntries(['order', 'agreed', 'payment', 'charge', 'owed'].map((name) => [name, cart.totalCents])))

    const isCancelled = random.chance(0.3)
    if (isCancelled) {
      granted(await cancelOrder(shop, { orderId, actor: 'shopper' }))
      for (const account of accounts) expect({ account, cents: await balance(world, orderId, account) }).toEqual({ account, cents: 0 })
    }
    sold.push({ orderId, isCancelled })
  }

  expect(states.size).toBeGreaterThan(4)
  await world.letTimePass()
  for (const { orderId, isCancelled } of sold) {
    const order = (await readOrder(db, orderId)) ?? never()
    expect([order.payment?.capturedCents, await balance(world, orderId, 'cash'), await balance(world, orderId, 'receivable')]).toEqual(
      isCancelled ? [0, 0, 0] : [order.totalCents, order.totalCents, 0],
    )
  }
  expect(await world.disagreements()).toEqual([])
})

test('what it costs to ship to a shop follows from its state as it does from its ZIP', async () => {
  await using world = await openWorld()
  const regions = await world.db.selectFrom('zip').select(['state', 'region']).distinct().where('region', '<>', 'MILITARY').orderBy('state').execute()
  expect(regions.map(({ state }) => ({ state, region: regionOf(state) }))).toEqual(regions)
})

const accounts = ['receivable', 'cash', 'sales', 'sales-tax', 'tire-fee', 'excise-tax', 'refunds']

async function balance({ db }: World, orderId: number, account: string): Promise<number> {
  const { rows } = await sql<{
    cents: number
  }>`select coalesce(sum(amount_cents), 0)::int as cents from ledger_entry where order_id = ${orderId} and account = ${account}`.execute(db)
  return rows[0]?.cents ?? 0
}

/** One article, or two of one line as a staggered car has them, each with its price tag. */
async function drawParts({ shop, db }: World, random: Random): Promise<Part[]> {
  const { rows } = await sql<{ id: number; brand: string; line: string; partner: number | null }>`
    select item.id, brand.slug as brand, product_line.slug as line,
      (select min(other.id) from item other where other.product_line_id = item.product_line_id and other.size_id <> item.size_id and other.active) as partner
    from item join product_line on product_line.id = product_line_id join brand on brand.id = brand_id join size on size.id = size_id
    where item.active and size.kind in ('P', 'LT', 'C') and exists (select from stock where item_id = item.id and on_hand >= 8)
    order by md5(item.id || ' ' || ${random.between(0, 1_000_000)}::int) limit 1`.execute(db)
  const [drawn] = rows
  if (!drawn) return never()
  const isPair = drawn.partner !== null && random.chance(0.3)
  const ids = isPair ? [drawn.id, drawn.partner ?? 0] : [drawn.id]
  return Promise.all(
    ids.map(async (itemId) => {
      const { price } = granted(await getProduct(shop.catalog, { brandSlug: drawn.brand, lineSlug: drawn.line, itemId }))
      return { item: (await findItem(shop.catalog, itemId)) ?? never(), price, quantity: isPair ? 2 : random.pick([4, 4, 4, 1, 2, 3, 5, 8]) }
    }),
  )
}

function never(): never {
  throw new Error('What was just made is gone.')
}

/** The same amount from the listing card to the last ledger line, to the cent, for random carts, places and shops. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readVisitor } from '#http/visitor.ts'
import { readNearby, readOffersNear } from '#domain/catalog/offers/offers.server.ts'
import { offeredTires } from '#domain/catalog/offers/offers.ts'
import type { NewLine } from '#domain/payments/cart/cart.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import { findItem, getProduct } from '#domain/catalog/catalog/catalog.server.ts'
import { unitsOf, type Item, type Price } from '#domain/catalog/catalog/catalog.ts'
import { listShopChoices, placeOrder, quoteCart, readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import { regionOf } from '#domain/supply/delivery/delivery.ts'
import { cancelOrder, readOrder, receiptOf } from '#domain/ordering/orders/orders.server.ts'
import type { ChargeView } from '#domain/payments/payments/payment-provider.port.ts'
import { formatCents } from '#platform/money.ts'
import { randomOf, seeds, type Random } from './random.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { agreeToServices, granted } from './ready-cart.ts'
import { openScenario, type Scenario } from './scenario.ts'

type Part = { item: Item; price: Price; quantity: number }

/** `npm run test:long` runs ten thousand in total, divided among the seeds. */
const cartsPerSeed = seeds.length > 3 ? Math.ceil(10_000 / seeds.length) : 50

test.concurrent.for(seeds)(
  'the listed amount is quoted, ordered, charged, booked and printed, to the cent (seed %i)',
  { timeout: 120_000 + cartsPerSeed * 5_000 },
  async (seed) => {
    await using scenario = await openScenario()
    const { app, db } = scenario
    const random = randomOf(seed)
    const cache = await readCatalogCache(scenario)
    const sold: { orderId: number; isCanceled: boolean }[] = []
    const states = new Set<string>()

    while (sold.length < cartsPerSeed) {
      const zip = random.pick(cache.zips)
      const parts = await drawParts(scenario, random.pick(cache.items), random)
      const tires = parts.flatMap(({ item, price, quantity }) => offeredTires([item], [price], quantity))
      const near = granted(await readOffersNear(app, zip))
      const offers =
        (await near.price([{ key: 'set', tires, stock: parts.map(({ item }) => item.stock), shops: 3 }])).get('set') ??
        []
      const offer = offers.length > 0 && random.chance(0.85) ? random.pick(offers) : undefined
      if (parts.some(({ item, quantity }) => unitsOf(item) < quantity) || (offer && offer.openings.length === 0))
        continue

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
      const plain = await scenario.prepare(wish)
      states.add(offer?.shop.state ?? 'home')

      // The listing card, the product page, the shop list and the cart agree.
      if (offer) {
        expect({ zip, lines, cart: plain.totalCents }).toEqual({ zip, lines, cart: offer.totalCents })
        const nearby = await readNearby(app, readVisitor(`sw_zip=${zip}`, 'no secret here', ''))
        if (parts.every(({ quantity }) => quantity === 4 / parts.length))
          expect(
            nearby?.totalOf(
              parts.map(({ item }) => item),
              parts.map(({ price }) => price),
            ),
          ).toBe(offers[0]?.totalCents)
        const cart = await readCart(app, plain.cartId)
        const choices = cart ? granted(await listShopChoices(app, cart, { zip, kind: 'shop' })) : []
        expect(choices.find((choice) => choice.shop.id === offer.shop.id)?.totalCents ?? offer.totalCents).toBe(
          offer.totalCents,
        )
      }

      const services = { coverage: random.chance(0.4), roadside: random.chance(0.4) }
      const cart = await agreeToServices(app, plain.cartId, services, scenario.outside.authorize)
      const quote = await quoteCart(
        app,
        (await readCart(app, cart.cartId)) ?? never(),
        (await readDetails(app, cart.cartId)).contact,
      )
      expect(
        quote.breakdown?.explain.filter(({ kind }) => kind !== 'total').reduce((sum, { cents }) => sum + cents, 0),
      ).toBe(cart.totalCents)
      const { orderId } = granted(await placeOrder(app, cart.press))
      const order = (await readOrder(db, orderId)) ?? never()
      const charge = await chargeOf(scenario, orderId)
      expect({
        order: order.totalCents,
        agreed: order.breakdown.totals.totalCents,
        payment: order.payment?.amountCents,
        charge: charge.amountCents,
        owed: (await readBooks(scenario, orderId)).receivable,
      }).toEqual(
        Object.fromEntries(['order', 'agreed', 'payment', 'charge', 'owed'].map((name) => [name, cart.totalCents])),
      )

      const isCanceled = random.chance(0.3)
      if (isCanceled) granted(await cancelOrder(app, { orderId, actor: 'shopper' }))
      sold.push({ orderId, isCanceled })
    }

    expect(states.size).toBeGreaterThan(4)
    await scenario.letTimePass()
    for (const [index, { orderId, isCanceled }] of sold.entries()) {
      const order = (await readOrder(db, orderId)) ?? never()
      const { payment, totalCents } = order
      const charge = await chargeOf(scenario, orderId)
      const { cash = 0, receivable = 0, ...earned } = await readBooks(scenario, orderId)
      const receipt = receiptOf(order, app.config)
      const paid = isCanceled ? 0 : totalCents
      // Sales are on the opposite side. Canceled orders leave every account at zero.
      expect({
        seed,
        orderId,
        state: charge.state,
        charged: charge.capturedCents,
        captured: payment?.capturedCents,
        cash,
        receivable,
        earned: 0 - sum(Object.values(earned)),
        printed: centsIn(receipt.rows.at(-1)?.amount ?? ''),
        parts: sum(receipt.rows.slice(0, -1).map(({ amount }) => centsIn(amount))),
        paidWith: receipt.paidWith,
      }).toEqual({
        seed,
        orderId,
        state: isCanceled ? 'voided' : 'captured',
        charged: paid,
        captured: paid,
        cash: paid,
        receivable: 0,
        earned: paid,
        printed: totalCents,
        parts: totalCents,
        paidWith: isCanceled
          ? 'Visa ending in 4242, not charged because the order was canceled'
          : `Visa ending in 4242, ${formatCents(totalCents)} charged`,
      })
      // The PDF renderer is slow, and prints what it is given.
      if (index % 50 === 0) {
        const text = readPdf(await app.receiptPdf(receipt))
        expect(text).toContain(receipt.paidWith)
        // A two-line label has its amount next to the first line.
        for (const { label, detail, amount } of receipt.rows)
          expect({
            text,
            row: label,
            isThere: [label + detail + amount, label + amount + detail].some((row) => text.includes(row)),
          }).toMatchObject({
            isThere: true,
          })
      }
    }
    expect(await scenario.disagreements()).toEqual([])
  },
)

test('shipping to a shop costs the same by state as by ZIP', async () => {
  await using scenario = await openScenario()
  const regions = await scenario.db
    .selectFrom('zip')
    .select(['state', 'region'])
    .distinct()
    .where('region', '<>', 'MILITARY')
    .orderBy('state')
    .execute()
  expect(regions.map(({ state }) => ({ state, region: regionOf(state) }))).toEqual(regions)
})

/** An order's charge at the provider. */
async function chargeOf({ db, outside }: Scenario, orderId: number): Promise<ChargeView> {
  const { provider_ref } = await db
    .selectFrom('payment')
    .select('provider_ref')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return outside.readCharge(provider_ref ?? '')
}

/** The balance of each ledger account of an order; balanced accounts are omitted. */
async function readBooks({ db }: Scenario, orderId: number): Promise<Partial<Record<string, number>>> {
  const entries = await db
    .selectFrom('ledger_entry')
    .select((eb) => ['account', eb.fn.sum<number>('amount_cents').as('cents')])
    .where('order_id', '=', orderId)
    .groupBy('account')
    .execute()
  return Object.fromEntries(entries.filter(({ cents }) => cents !== 0).map(({ account, cents }) => [account, cents]))
}

type Drawn = { id: number; brand: string; line: string; partner: number | null }

/** Reads the ZIP codes with a shop and the items to choose from, each with another one of its model. */
async function readCatalogCache({ db }: Scenario): Promise<{ zips: string[]; items: Drawn[] }> {
  const zips = await sql<{
    zip: string
  }>`select zip.zip from zip join shop on shop.zip = zip.zip where zip.latitude is not null group by zip.zip order by zip.zip`.execute(
    db,
  )
  const items = await sql<Drawn>`
    select item.id, brand.slug as brand, product_line.slug as line,
      (select min(other.id) from item other where other.product_line_id = item.product_line_id and other.size_id <> item.size_id and other.active) as partner
    from item join product_line on product_line.id = product_line_id join brand on brand.id = brand_id join size on size.id = size_id
    where item.active and size.kind in ('P', 'LT', 'C') and exists (select from stock where item_id = item.id and on_hand >= 8)
    order by item.id`.execute(db)
  return { zips: zips.rows.map(({ zip }) => zip), items: items.rows }
}

/** The article, or two of one line as for a staggered car, each with its displayed price. */
async function drawParts({ app }: Scenario, drawn: Drawn, random: Random): Promise<Part[]> {
  const isPair = drawn.partner !== null && random.chance(0.3)
  const ids = isPair ? [drawn.id, drawn.partner ?? 0] : [drawn.id]
  return Promise.all(
    ids.map(async (itemId) => {
      const { price } = granted(await getProduct(app.catalog, { brandSlug: drawn.brand, lineSlug: drawn.line, itemId }))
      return {
        item: (await findItem(app.catalog, itemId)) ?? never(),
        price,
        quantity: isPair ? 2 : random.pick([4, 4, 4, 1, 2, 3, 5, 8]),
      }
    }),
  )
}

/** "−$25.00" → -2500; a word for "free" → 0. */
function centsIn(amount: string): number {
  const digits = Number(amount.replaceAll(/\D/g, ''))
  return /^[-−]/.test(amount) ? -digits : digits
}

function sum(amounts: readonly (number | undefined)[]): number {
  return amounts.reduce<number>((all, amount) => all + (amount ?? 0), 0)
}

function never(): never {
  throw new Error('What was just made is gone.')
}

import { expect, test } from 'vitest'
import { readCart, setQuantity } from '#domain/payments/cart/cart.server.ts'
import { findPlacesNear } from '#domain/supply/pickup-places/pickup-places.server.ts'
import type { TaxAddress, TaxProvider } from '#domain/pricing/sales-tax/tax-provider.port.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { makeReadyCart, must, openTestStore, type TestStore } from './checkout.testing.ts'
import { chooseFulfillment, chooseServices, quoteCart, readDetails, readShopMonth } from './checkout.server.ts'

const [port = 0] = await freePorts(3)

async function cartOf(store: TestStore, id: string) {
  const cart = await readCart(store, id)
  if (!cart) throw new Error('The cart is gone.')
  return cart
}

test('coverage applies to all tires, and roadside assistance requires four installed tires', async () => {
  await using store = await openTestStore(port)
  const { id } = await makeReadyCart(store)
  const choose = async (choice: { coverage: boolean; roadside: boolean }) => {
    await chooseServices(store, await cartOf(store, id), choice)
    const { lines, roadside } = await cartOf(store, id)
    return { coverage: lines.every((line) => line.coverage), roadside }
  }
  expect(await choose({ coverage: true, roadside: true })).toEqual({ coverage: true, roadside: true })
  expect(await choose({ coverage: false, roadside: true })).toEqual({ coverage: false, roadside: true })
  expect(await choose({ coverage: false, roadside: false })).toEqual({ coverage: false, roadside: false })
  const [line] = (await cartOf(store, id)).lines
  must(await setQuantity(store, id, { itemId: line?.itemId ?? 0, axle: 'all', quantity: 2 }))
  expect(await choose({ coverage: true, roadside: true })).toEqual({ coverage: true, roadside: false })
  must(await setQuantity(store, id, { itemId: line?.itemId ?? 0, axle: 'all', quantity: 4 }))
  must(await chooseFulfillment(store, await cartOf(store, id), { fulfillment: 'home' }))
  expect(await choose({ coverage: true, roadside: true })).toEqual({ coverage: true, roadside: false })
})

test('tires for counter pickup are priced at the counter; an unknown counter gives no price', async () => {
  await using store = await openTestStore(port)
  const { id } = await makeReadyCart(store)
  const [counter] = must(await findPlacesNear(store, { zip: '60614' })).places
  if (!counter) throw new Error('There is no counter.')
  must(
    await chooseFulfillment(store, await cartOf(store, id), {
      fulfillment: 'carrier-pickup',
      carrierLocationId: counter.id,
    }),
  )
  const quote = await quoteCart(store, await cartOf(store, id), (await readDetails(store, id)).contact)
  expect(quote).toMatchObject({ basis: 'chosen', shop: null, carrierLocation: { id: counter.id } })
  expect(quote.breakdown?.explain.map(({ key }) => key)).not.toContain('installation')
})

test('sales tax is calculated at the street address of the shop or counter', async () => {
  await using store = await openTestStore(port)
  const { id } = await makeReadyCart(store)
  const addresses: TaxAddress[] = []
  const unused = () => Promise.reject(new Error('A quote records no tax.'))
  const taxes: TaxProvider = {
    calculate({ to }) {
      addresses.push(to)
      return Promise.resolve({ ok: false, reason: 'unavailable', message: 'Only the address counts.' })
    },
    record: unused,
    reverse: unused,
  }
  const taxed = { ...store, taxes }
  const { shop } = await quoteCart(taxed, await cartOf(store, id), null)
  expect(addresses).toEqual([{ street: shop?.street, city: shop?.city, state: shop?.state, zip: shop?.zip }])
  const [counter] = must(await findPlacesNear(store, { zip: '60614' })).places
  const pickup = { fulfillment: 'carrier-pickup', carrierLocationId: counter?.id ?? 0 } as const
  must(await chooseFulfillment(store, await cartOf(store, id), pickup))
  await quoteCart(taxed, await cartOf(store, id), null)
  expect(addresses.at(-1)).toMatchObject({ street: counter?.street, city: counter?.city })
})

test("a shop's month requires that shop to exist", async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store)
  expect(await readShopMonth(store, cart, 2_000_000_000)).toMatchObject({ ok: false, reason: 'shop-not-found' })
  const month = must(await readShopMonth(store, cart, cart.shopId ?? 0))
  expect(month).toMatchObject({ shopId: cart.shopId, minutes: expect.any(Number) as number })
  expect(month.days.some(({ state }) => state === 'free')).toBe(true)
  // Its machine doesn’t take these tires.
  await store.db.updateTable('shop').set({ rim_max_in: 13 }).where('id', '=', cart.shopId).execute()
  expect(await readShopMonth(store, cart, cart.shopId ?? 0)).toMatchObject({ ok: false, reason: 'shop-not-capable' })
})

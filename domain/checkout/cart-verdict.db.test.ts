import { expect, test } from 'vitest'
import { addToCart, readCart } from '#domain/cart/cart.server.ts'
import { createCatalog } from '#domain/catalog/catalog.server.ts'
import { fixedClock } from '#platform/clock.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { judgeCart } from './cart-verdict.server.ts'
import { pickTire } from './checkout.testing.ts'

test('a pair for an all-wheel drive car is held to the tread its own maker allows', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const clock = fixedClock(smallDataMadeAt)
  const deps = { db: database.db, clock, catalog: createCatalog({ db: database.db, clock }) }
  const itemId = await pickTire(deps)

  async function verdictFor(makeSlug: string): Promise<string> {
    const { id, year, model_slug } = await database.db
      .selectFrom('vehicle')
      .select(['id', 'year', 'model_slug'])
      .where('make_slug', '=', makeSlug)
      .where('drive', '=', 'awd')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    const label = { front: '225/65R17 102H', rear: '225/65R17 102H' }
    const vehicle = { vehicleId: id, fitmentId: null, year, makeSlug, modelSlug: model_slug, name: makeSlug, confirmed: true, label }
    const added = await addToCart(deps, { cartId: undefined, lines: [{ itemId, quantity: 2, axle: 'all' }], zip: '60614', vehicle })
    const cart = added.ok ? await readCart(deps, added.value.cartId) : undefined
    const verdict = cart && (await judgeCart(deps, cart))
    return verdict?.sets.flatMap(({ headline, lines }) => [headline, ...lines]).join('\n') ?? ''
  }

  expect(await verdictFor('subaru')).toContain('the four tires must match within 1.27/32 inch of tread')
  expect(await verdictFor('toyota')).toContain('the four tires must match within 2/32 inch of tread')
})

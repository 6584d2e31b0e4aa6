/** Changes the status of a shop in tests as staff do, from what a page shows. */
import type { TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { dana } from '#domain/ordering/orders/staff-acts.testing.ts'
import type { ShopRecord } from '#domain/scheduling/installers/installers.server.ts'
import { changeStatus, findShopRecord, listAffected, type StatusInput } from './shops.server.ts'
import type { AppointmentChoice } from './shops.ts'

type Deps = Pick<TestStore, 'db' | 'clock'>

/** Returns a shop by its id. */
export async function recordOf(deps: Deps, shopId: number): Promise<ShopRecord> {
  const { code } = await deps.db.selectFrom('shop').select('code').where('id', '=', shopId).executeTakeFirstOrThrow()
  const found = await findShopRecord(deps, code)
  if (!found) throw new Error('The shop of a test is gone.')
  return found
}

/** Shows what a change affects, and submits it with the same choice for all; `between` runs before it is submitted. */
export async function press(
  deps: Deps,
  shopId: number,
  input: StatusInput,
  rest: AppointmentChoice = 'offer',
  by = dana,
  between: () => Promise<unknown> = async () => {},
): ReturnType<typeof changeStatus> {
  const shop = await recordOf(deps, shopId)
  const { seen } = await listAffected(deps, shop, input)
  await between()
  const choices = { byBooking: {}, rest }
  return changeStatus(deps, by, { code: shop.code, version: shop.version, seen, input, choices })
}

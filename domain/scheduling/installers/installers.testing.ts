/** Test fixtures for an open shop with bays and prices that accepts everything in the agreement. */
import type { Insertable } from 'kysely'
import { chicago } from '#domain/supply/delivery/delivery.testing.ts'
import type { Shop, ShopRate } from '#db/types.ts'
import type { Database } from '#platform/db.ts'
import type { TireSpec } from './installers.ts'

export const fourTires: TireSpec[] = [{ quantity: 4, rimIn: 17, aspect: 65, runFlat: false, sizeKind: 'P' }]

type Parts = {
  bays?: number
  dropOffs?: number
  /** [ISO weekday, opens, closes]; default Monday to Friday 8 to 6 and Saturday 8 to 2. */
  hours?: [number, string, string][]
  closures?: [string, string][]
  rates?: Partial<Insertable<ShopRate>>[]
  slot_minutes?: number
}

/** A shop, by default in Chicago with two bays, two drop-off places and one price for every job. Returns its id. */
export async function makeShop(
  db: Database,
  {
    bays = 2,
    dropOffs = 2,
    hours = weekdays,
    closures = [],
    rates = everyJob,
    slot_minutes = 90,
    ...shop
  }: Partial<Insertable<Shop>> & Parts = {},
): Promise<number> {
  const name = shop.name ?? 'Halsted Tire'
  const { id } = await db
    .insertInto('shop')
    .values({
      ...chicago,
      code: crypto.randomUUID(),
      slug: name.toLowerCase().replaceAll(' ', '-'),
      name,
      kind: 'shop',
      street: '100 Sample Ave',
      phone: '3125550142',
      rating_tenths: 48,
      rating_count: 611,
      on_time_percent: 97,
      ...shop,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('shop_capacity').set({ slot_minutes }).where('shop_id', '=', id).execute()
  const places = [...numbered('bay', bays), ...numbered('drop-off', dropOffs)]
  if (places.length > 0)
    await db
      .insertInto('shop_bay')
      .values(places.map((place) => ({ shop_id: id, ...place })))
      .execute()
  if (hours.length > 0)
    await db
      .insertInto('shop_hours')
      .values(hours.map(([weekday, opens, closes]) => ({ shop_id: id, weekday, opens, closes })))
      .execute()
  if (closures.length > 0)
    await db
      .insertInto('shop_closure')
      .values(closures.map(([closed_on, reason]) => ({ shop_id: id, closed_on, reason })))
      .execute()
  if (rates.length > 0) {
    await db
      .insertInto('shop_rate')
      .values(
        rates.map((rate) => ({
          shop_id: id,
          job: 'standard',
          rim_from_in: 12,
          rim_to_in: 22,
          install_cents: 2200,
          service_kit_cents: 600,
          disposal_cents: 350,
          minutes_per_tire: 12,
          ...rate,
        })),
      )
      .execute()
  }
  return id
}

const weekdays: [number, string, string][] = [
  ...[1, 2, 3, 4, 5].map((weekday): [number, string, string] => [weekday, '08:00', '18:00']),
  [6, '08:00', '14:00'],
]
const everyJob: Partial<Insertable<ShopRate>>[] = [
  { job: 'standard' },
  { job: 'low-profile', install_cents: 2600, minutes_per_tire: 15 },
  { job: 'run-flat', install_cents: 3400, minutes_per_tire: 20 },
  { job: 'light-truck', install_cents: 3000, minutes_per_tire: 18 },
]

function numbered(kind: 'bay' | 'drop-off', count: number): { kind: string; number: number }[] {
  return Array.from({ length: count }, (_, index) => ({ kind, number: index + 1 }))
}

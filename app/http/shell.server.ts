import { sql } from 'kysely'
import type { Visitor } from '#app/http/visitor.ts'
import { paths } from '#app/paths.ts'
import { supportStatus } from '#domain/support/support.ts'
import { decodeChosenVehicle } from '#domain/vehicles/vehicles.ts'
import type { Shop } from '#shop'

/** What the header and footer of every page show. For a guest who carries nothing it is the same for everyone. */
export type Shell = {
  store: { name: string; phone: string; email: string; origin: string }
  demo: boolean
  support: { open: true; until: string } | { open: false; from: string }
  zip: string | null
  city: string | null
  /** The vehicle the browser remembers, and its listing. */
  vehicle: { name: string; path: string } | null
  cartCount: number
  year: number
}

/** Reads the shell in at most one statement; none for a guest. */
export async function readShell(shop: Shop, visitor: Visitor): Promise<Shell> {
  const now = shop.clock.now()
  const own = visitor.zip || visitor.cartId ? await readOwn(shop, visitor) : undefined
  return {
    store: { name: shop.config.store.name, phone: shop.config.store.phone, email: shop.config.store.email, origin: shop.config.web.origin },
    demo: shop.config.demo,
    support: supportStatus(now),
    zip: visitor.zip ?? null,
    city: own?.city ?? null,
    vehicle: vehicleOf(visitor),
    cartCount: own?.cart_count ?? 0,
    year: now.toZonedDateTimeISO('America/New_York').year,
  }
}

/** The name is in the cookie; the address of its listing is not, and a header must not ask the database for it. */
function vehicleOf({ vehicle }: Visitor): Shell['vehicle'] {
  const chosen = vehicle === undefined ? undefined : decodeChosenVehicle(vehicle)
  return chosen ? { name: chosen.name, path: paths.myVehicle() } : null
}

async function readOwn({ db }: Shop, visitor: Visitor): Promise<{ city: string | null; cart_count: number } | undefined> {
  const result = await sql<{ city: string | null; cart_count: number }>`
    select (select city from zip where zip = ${visitor.zip ?? null}) as city,
      (select coalesce(sum(quantity), 0)::int from cart_line join cart on cart.id = cart_line.cart_id
        where cart.id = ${visitor.cartId ?? null}::uuid and cart.state = 'open') as cart_count`.execute(db)
  return result.rows[0]
}

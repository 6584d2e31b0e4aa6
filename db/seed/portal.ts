/** The demo's portal users and certified shops, and a shop in onboarding. */
import type { PoolClient } from 'pg'
import type { Row } from '#db/insert-rows.ts'
import { applyAsShop, approveShop } from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import { shopApplicationForm } from '#domain/installer-portal/shop-applications/shop-applications.ts'
import { addMember, certifyShop, lockPeople } from '#domain/scheduling/installers/installers.server.ts'
import { certificationForm, type ShopRole } from '#domain/scheduling/installers/installers.ts'
import { accepted, byDemo, depsAt } from './seed-transaction.ts'

const owner = { email: 'shop-owner@example.com', name: 'Hal Brandt', role: 'owner' } as const
const technician = { email: 'technician@example.com', name: 'Wes Okafor', role: 'technician' } as const

/** A shop application. The owner also runs the bays. */
const application = {
  company: 'Fullerton Tire',
  street: '1810 W Fullerton Ave',
  city: 'Chicago',
  state: 'IL',
  zip: '60614',
  shopPhone: '773-555-0171',
  ...Object.fromEntries(
    ['owner', 'lead'].flatMap((who) => [
      [`${who}FirstName`, 'Hal'],
      [`${who}LastName`, 'Brandt'],
      [`${who}Email`, owner.email],
      [`${who}Phone`, '773-555-0171'],
    ]),
  ),
  'tire-run-flat': '1',
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].flatMap((day) => [
      [`opens-${day}`, String(8 * 60)],
      [`closes-${day}`, String(18 * 60)],
    ]),
  ),
  agree: '1',
}

/**
 * Adds a shop that applied yesterday and was approved today. Its code follows from its number, and is SW-99001 in demos
 * of every size.
 */
export async function loadShopInSetUp(client: PoolClient, now: Temporal.Instant): Promise<void> {
  const setNumber = "select setval(pg_get_serial_sequence('shop', 'id'), "
  await client.query(`${setNumber} 99000)`)
  const applied = await applyAsShop(
    depsAt(client, now.subtract({ hours: 26 })),
    shopApplicationForm.parse(application),
    { networkKey: 'demo', pictureId: null },
  )
  const { id } = accepted('The application', applied)
  accepted('The application', await approveShop(depsAt(client, now), { id, by: byDemo }))
  await client.query(`${setNumber} (select max(id) from shop where id < 99000))`)
}

/** Certifies shops that were looked at a month ago. */
export async function certifyShops(
  client: PoolClient,
  shops: readonly Row<'shop'>[],
  now: Temporal.Instant,
): Promise<void> {
  for (const { code } of shops) {
    const form = certificationForm.parse({
      shop: code,
      technicians: '1',
      estimates: '1',
      prices: '1',
      complaints: '1',
      warrantyMonths: '24',
      warrantyMiles: '24000',
      evidence: 'Two technicians with current certificates; estimates and prices of five repairs compared on site.',
    })
    accepted(
      `The certification of ${code}`,
      await certifyShop(depsAt(client, now.subtract({ hours: 24 * 30 })), form, byDemo),
    )
  }
}

/** Adds the people a visitor can sign in as to a shop. The owner is also the one of the shop in onboarding. */
export async function loadVisitors(client: PoolClient, shopId: number, now: Temporal.Instant): Promise<void> {
  await addTeam(client, shopId, [owner, technician], now)
}

/**
 * Adds the staff of the busy shop and its van, except those a visitor can sign in as. Returns the key of the technician
 * who did the jobs that are over.
 */
export async function loadWorkingTeams(
  client: PoolClient,
  { shopId, vanId }: { shopId: number; vanId: number | undefined },
  now: Temporal.Instant,
): Promise<string> {
  const at = now.subtract({ hours: 24 * 60 })
  const others = [
    { email: 'ines@halsted.example', name: 'Ines Ford', role: 'technician' },
    { email: 'marge@halsted.example', name: 'Marge Brandt', role: 'owner' },
  ] as const
  if (vanId !== undefined)
    await addTeam(client, vanId, [{ email: 'van-owner@example.com', name: 'Vera Lund', role: 'owner' }], at)
  const [technicianId = ''] = await addTeam(client, shopId, others, at)
  return technicianId
}

/** Adds people to a shop and returns their keys. */
function addTeam(
  client: PoolClient,
  shopId: number,
  people: readonly { email: string; name: string; role: ShopRole }[],
  at: Temporal.Instant,
): Promise<string[]> {
  return depsAt(client, at)
    .db.transaction()
    .execute(async (tx) => {
      await lockPeople(tx, shopId)
      const ids: string[] = []
      for (const person of people) ids.push(await addMember(tx, { ...person, shopId, by: byDemo.name, at }))
      return ids
    })
}

/** Test fixtures for the demo's shop owner and their branded store, created through the regular use cases. */
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { findPortalSession, openPortal, type PortalActor } from '#domain/installer-portal/portal/portal.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { brandedStoreForm } from './branded-stores.ts'
import { findBrandedStore, readOwnStore, saveStore, switchStore } from './branded-stores.server.ts'

type Store = { db: Database; clock: Clock }

/** The demo shop with an owner who can sign in. */
export const brandedShop = 'SW-00001'

/** What its owner types. */
export const typedStore = {
  name: 'Halsted Tire',
  tagline: 'Family owned in Chicago since 1988',
  dealerCode: 'HALSTED',
  brandColor: '#7b1e28',
  accentColor: '#f2c14e',
  hostName: '',
  seen: '0',
} as const

/** Signs a member from the demo's shops in to the portal for one shop. */
export async function memberOf(store: Store, name = 'shop-owner', code: string = brandedShop): Promise<PortalActor> {
  const person = { subject: name, email: `${name}@example.com`, isEmailVerified: true, name }
  const secret = 'a secret for tests only'
  const { cookie } = must(
    await openPortal(
      { ...store, config: { session: { secret } } },
      {
        issuer: 'https://id.example',
        person,
        idToken: null,
        authenticatedAt: store.clock.now(),
        session: undefined,
      },
    ),
  )
  const session = await findPortalSession(store, cookie)
  const shop = session?.shops.find((each) => each.code === code)
  if (!session || !shop) throw new Error(`${name} has no shop ${code}.`)
  return { sessionId: session.sessionId, shopId: shop.shopId }
}

/** Saves the store of the demo's shop as typed, with changes. */
export function saveTyped(
  store: Store,
  by: PortalActor,
  change: Partial<Record<keyof typeof typedStore, string>> = {},
) {
  return saveStore(store, by, { input: brandedStoreForm.parse({ ...typedStore, ...change }), file: null })
}

/** Makes the store of the demo's shop and switches it on. */
export async function openBrandedStore(store: Store) {
  const owner = await memberOf(store)
  must(await saveTyped(store, owner))
  const seen = (await readOwnStore(store, owner.shopId))?.version ?? 0
  must(await switchStore(store, { shopCode: brandedShop, seen, offReason: null, by: desk }))
  const open = await findBrandedStore(store.db, { dealerCode: typedStore.dealerCode })
  if (!open) throw new Error('The store of a test is off.')
  return { ...open, owner }
}

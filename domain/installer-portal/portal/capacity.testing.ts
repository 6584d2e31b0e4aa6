/** Test fixtures for an open shop with a signed-in owner, and the capacity form's fields. */
import { oneBay } from '#domain/scheduling/booking/booking.testing.ts'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { newId } from '#platform/ids.ts'
import { findPortalSession, openPortal, type CapacityChange } from './portal.server.ts'
import { capacityForm } from './portal.ts'

/** A shop with its owner Ona; Monday to Friday 8 to 6, Saturday 8 to 2. */
export async function ownedShop(shop: Parameters<typeof oneBay>[0] = {}) {
  const opened = await oneBay(shop)
  const { shopId, clock, db } = opened
  const store = { db, clock, config: { session: { secret: 'a secret for tests only' } } }
  const member = { id: newId(), shop_id: shopId, email: 'ona@example.com', name: 'Ona', role: 'owner' }
  await db
    .insertInto('shop_member')
    .values({ ...member, added_at: clock.now(), added_by: 'test' })
    .execute()
  const person = { subject: 'ona', email: member.email, isEmailVerified: true, name: 'Ona' }
  const entered = await openPortal(store, {
    issuer: 'https://id.example',
    person,
    idToken: null,
    authenticatedAt: clock.now(),
    session: undefined,
  })
  const session = await findPortalSession(store, must(entered).cookie)
  return { ...opened, store, by: { sessionId: session?.sessionId ?? '', shopId }, timeZone: 'America/Chicago' }
}

/** The submitted version form, with weekdays 8 to 6, Saturday 8 to 2, one bay, and one drop-off slot. */
export function typedCapacity(change: Record<string, string> = {}): Record<string, string> {
  const days = [1, 2, 3, 4, 5, 6].flatMap((day) => [
    [`opens-${day}`, '480'],
    [`closes-${day}`, day === 6 ? '840' : '1080'],
  ])
  return {
    intent: 'version',
    from: '2026-11-24',
    ...(Object.fromEntries(days) as Record<string, string>),
    lunchFrom: '',
    lunchTo: '',
    bays: '1',
    technicians: '1',
    dropOffs: '1',
    AM: 'on',
    PM: 'on',
    EVE: 'on',
    buffer: '0',
    lead: '60',
    notice: '60',
    walkIn: '0',
    slot: '90',
    ...change,
  }
}

/** The change for such a form. */
export function typedVersion(change: Record<string, string> = {}): CapacityChange {
  const { seen: _, ...version } = capacityForm.parse(typedCapacity(change))
  return { kind: 'version', ...version }
}

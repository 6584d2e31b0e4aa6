/** The demo's portal users (the staff of a busy shop, and an owner in onboarding). */
import type { Row } from '#db/insert-rows.ts'

/** A shop that was approved this morning. Its code is the same in demos of every size. */
export function shopInSetUp(id: number): Row<'shop'> {
  return {
    id,
    code: 'SW-99001',
    slug: 'fullerton-tire-chicago',
    name: 'Fullerton Tire',
    kind: 'shop',
    street: '1810 W Fullerton Ave',
    city: 'Chicago',
    state: 'IL',
    zip: '60614',
    latitude: 41.9251,
    longitude: -87.6729,
    time_zone: 'America/Chicago',
    phone: '773-555-0171',
    rating_count: 0,
    takes_run_flat: true,
    takes_light_truck: false,
    active: false,
    in_set_up: true,
  }
}

/** Its hours as its owner entered them in the application. */
export function hoursInSetUp(shopId: number): Row<'shop_hours'>[] {
  return [1, 2, 3, 4, 5].map((weekday) => ({ shop_id: shopId, weekday, opens: '08:00', closes: '18:00' }))
}

/** Two shops that were looked at a month ago, the busy one among them. */
export function certificationRows(shopIds: readonly number[], now: Temporal.Instant): Row<'shop_certification'>[] {
  const from = now.toZonedDateTimeISO('America/New_York').toPlainDate().subtract({ days: 30 })
  return shopIds.map((shop_id) => ({
    shop_id,
    during: `[${from.toString()},${from.add({ years: 1 }).toString()})`,
    warranty_months: 24,
    warranty_miles: 24_000,
    evidence: 'Two technicians with current certificates; estimates and prices of five repairs compared on site.',
    granted_by: 'the demo',
    granted_at: from.toZonedDateTime('America/New_York').toInstant().toString(),
  }))
}

/** The owner of both shops, and the technician of the busy one. */
export function shopMemberRows(busyId: number, inSetUpId: number, now: Temporal.Instant): Row<'shop_member'>[] {
  const people = [
    { shop_id: busyId, email: 'shop-owner@example.com', name: 'Hal Brandt', role: 'owner' },
    { shop_id: busyId, email: 'technician@example.com', name: 'Wes Okafor', role: 'technician' },
    { shop_id: inSetUpId, email: 'shop-owner@example.com', name: 'Hal Brandt', role: 'owner' },
  ]
  return people.map((person, index) => ({
    ...person,
    id: `00000000-0000-7000-8000-e${String(index + 1).padStart(11, '0')}`,
    added_at: now.toString(),
    added_by: 'the demo',
  }))
}

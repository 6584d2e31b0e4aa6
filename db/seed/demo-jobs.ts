/** The staff of the demo's busy shop and its van, except those a visitor can sign in as. */
import type { Row } from '#db/insert-rows.ts'

/** The technician at the busy shop who did the jobs that are over. */
export const technicianId = memberId(12)

/** Returns another owner and another technician at the busy shop, and a van's owner. */
export function workingMemberRows(
  busyId: number,
  vanId: number | undefined,
  now: Temporal.Instant,
): Row<'shop_member'>[] {
  const people = [
    { shop_id: busyId, email: 'marge@halsted.example', name: 'Marge Brandt', role: 'owner' },
    { shop_id: busyId, email: 'ines@halsted.example', name: 'Ines Ford', role: 'technician' },
    ...(vanId === undefined
      ? []
      : [{ shop_id: vanId, email: 'van-owner@example.com', name: 'Vera Lund', role: 'owner' }]),
  ]
  return people.map((person, index) => ({
    ...person,
    id: memberId(index + 11),
    added_at: now.subtract({ hours: 24 * 60 }).toString(),
    added_by: 'the demo',
  }))
}

function memberId(number: number): string {
  return `00000000-0000-7000-8000-e${String(number).padStart(11, '0')}`
}

/** An order's job photos. */
import type { OfficePhoto } from '#app/ui/office/photos-panel.tsx'
import { officePaths } from '#content/office-paths.ts'
import { selectPhotosOfOrder } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { jobPhotoKinds } from '#domain/installer-portal/work-orders/work-orders.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import type { Database } from '#platform/db.ts'
import { timeText } from '#platform/time-text.ts'

/** Reads an order's job photos for these roles, without a query until shortly before the appointment. */
export async function readOrderPhotos(
  db: Database,
  { id, shop, booking, timeZone }: OrderView,
  { roles, now }: { roles: readonly StaffRole[]; now: Temporal.Instant },
): Promise<OfficePhoto[]> {
  const isAhead = booking && Temporal.Instant.compare(now, booking.start.subtract({ hours: 48 })) < 0
  if (!shop || isAhead || !staffCan(roles, 'shop-reports.read')) return []
  const photos = await selectPhotosOfOrder(db, id)
  return photos.map(({ bookingId, kind, sentAt }) => ({
    path: officePaths.officeJobPhoto(id, bookingId, kind),
    alt: jobPhotoKinds[kind],
    note: `${jobPhotoKinds[kind]}, ${timeText(sentAt, timeZone)}`,
  }))
}

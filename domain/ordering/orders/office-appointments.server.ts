/** The office's list of appointments at all shops, page by page. */
import { selectAppointments, type AppointmentPlace, type OfficeAppointment } from './office-appointments.sql.server.ts'
import type { Database } from '#platform/db.ts'

export type { AppointmentPlace, AppointmentView, OfficeAppointment } from './office-appointments.sql.server.ts'

/** Lists a page of appointments, upcoming ones by start and past ones newest first. */
export async function listOfficeAppointments(
  { db }: { db: Database },
  query: Parameters<typeof selectAppointments>[1],
  { after, limit }: { after: AppointmentPlace | null; limit: number },
): Promise<{ appointments: OfficeAppointment[]; next: AppointmentPlace | null }> {
  const found = await selectAppointments(db, query, { after, limit: limit + 1 })
  const appointments = found.slice(0, limit)
  const last = appointments.at(-1)
  return { appointments, next: found.length > limit && last ? { at: last.start, id: last.id } : null }
}

/** Test fixtures for appointments as seen by shoppers. */
import type { TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { announce, orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import { seenAppointment } from './appointments.ts'
import { offerAppointmentTimes } from './appointments.server.ts'

/** How the page names the appointment of an order now. */
export async function seenOf(store: Pick<TestStore, 'db'>, orderId: number): Promise<string> {
  const { booking } = await orderOf(store, orderId)
  if (!booking) throw new Error('The order of a test has no appointment.')
  return seenAppointment(booking)
}

/** The free times the page offers, in order. */
export async function freeTimesOf(
  store: Pick<TestStore, 'db' | 'clock'>,
  orderId: number,
): Promise<Temporal.Instant[]> {
  const days = await offerAppointmentTimes(store, await orderOf(store, orderId))
  return days.flatMap(({ times }) => times.filter(({ free }) => free).map(({ start }) => start))
}

/** Delivers an order's tires, and sets the clock to `minutes` ahead of its appointment. */
export async function beforeAppointment(store: TestStore, orderId: number, minutes: number): Promise<Temporal.Instant> {
  const { booking } = await announce(store, orderId)
  if (!booking) throw new Error('The order of a test has no appointment.')
  await moveParcels(store, orderId, 'delivered', booking.start.subtract({ hours: 20 }))
  store.clock.set(booking.start.subtract({ minutes }))
  return booking.start
}

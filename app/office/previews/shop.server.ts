/** The preview of a shop, with location, booking status, upcoming appointments, and staff. */
import { shopState } from '#app/office/shop-state.ts'
import { officePaths } from '#content/office-paths.ts'
import { findOfficeShop, listShopMembers } from '#domain/scheduling/installers/installers.server.ts'
import { shopRoleNames } from '#domain/scheduling/installers/installers.ts'
import { listOfficeAppointments } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeDay } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { ListReader } from '../define-list.server.ts'
import type { ListPreview } from '../list.ts'

/** Appointments counted at most. */
const mostCounted = 100
const appointmentsShown = 4

/** Reads a shop's preview; undefined for an unknown code. Orders are shown to roles that read them. */
export async function readShopPreview({ app, can, now }: ListReader, code: string): Promise<ListPreview | undefined> {
  const found = await findOfficeShop(app, code)
  if (!found) return undefined
  const ahead = can('orders.read')
    ? await listOfficeAppointments(
        app,
        { view: 'ahead', from: now, until: null, shopIds: [found.id] },
        { after: null, limit: mostCounted },
      )
    : null
  const members = await listShopMembers(app, found.id)
  return {
    id: code,
    title: found.name,
    note: `${found.code} · ${found.kind === 'van' ? 'Van' : 'Tire shop'}`,
    path: officePaths.officeShop(code),
    open: 'Open shop',
    clock: null,
    picture: null,
    sections: [
      {
        title: 'Shop',
        facts: [
          ['Address', `${found.street}, ${found.city}, ${found.state} ${found.zip}`],
          ['Phone', phoneText(found.phone)],
          ['State', shopState(found, storeDay(now)).text],
        ],
      },
      ...(ahead === null
        ? []
        : [
            {
              title:
                ahead.next === null ? `Appointments ahead: ${ahead.appointments.length}` : 'Appointments ahead: 100+',
              facts: ahead.appointments
                .slice(0, appointmentsShown)
                .map(({ orderId, start, timeZone }) => [orderNumber(orderId), timeText(start, timeZone)] as const),
            },
          ]),
      {
        title: 'Team members',
        ...(members.length === 0
          ? { lines: ['None'] }
          : {
              facts: [
                ...new Map(members.map(({ name, email, role }) => [name || email, shopRoleNames[role]] as const)),
              ],
            }),
      },
    ],
  }
}

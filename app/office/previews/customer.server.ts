/** The preview of a customer, with purchases, spending, recent orders, vehicles, and the last message. */
import { findPerson, readCustomerView } from '#app/views/office/customer.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { ListReader } from '../define-list.server.ts'
import type { ListPreview, PreviewSection } from '../list.ts'

const ordersShown = 3

/** Reads a customer's preview; undefined for an unknown customer. Messages are for roles that read them. */
export async function readCustomerPreview({ app, session }: ListReader, id: string): Promise<ListPreview | undefined> {
  const person = await findPerson(app, id)
  if (!person) return undefined
  const { name, isGuest, since, place, facts, block, contact, orders, vehicles, notes } = await readCustomerView(
    app,
    person,
    session,
  )
  return {
    id,
    title: name,
    note: [isGuest ? 'Guest' : 'Account', since && `since ${since}`, place].filter(Boolean).join(' · '),
    path: officePaths.officeCustomer(id),
    open: 'Open customer',
    clock: null,
    picture: null,
    sections: [
      ...(block ? [{ title: 'Blocked', lines: [block.reason, block.note], isLead: true }] : []),
      { title: 'Summary', facts: facts.map(({ label, value, meta }) => [label, `${value} (${meta})`] as const) },
      ...ordersOf(orders),
      ...(vehicles.garage.length === 0
        ? []
        : [{ title: 'Vehicles', lines: [...new Set(vehicles.garage.map((vehicle) => vehicle.name))] }]),
      ...(notes?.entries.slice(0, 1).map(({ body, by }) => ({ title: 'Last note', lines: [body, by] })) ?? []),
      { title: 'Contact', facts: [...new Map(contact.map(({ label, value }) => [label, value] as const))] },
    ],
  }
}

type Orders = Awaited<ReturnType<typeof readCustomerView>>['orders']

function ordersOf(orders: Orders): PreviewSection[] {
  const last = orders.slice(0, ordersShown)
  if (last.length === 0) return []
  return [
    {
      title: 'Last orders',
      facts: last.map(({ number, placed, total, tag }) => [number, `${placed}, ${total}, ${tag.words}`] as const),
    },
  ]
}

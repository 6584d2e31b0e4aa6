/** The address of a purchasing system's order as the fields of our contact form. Pure. */
import { personName } from '#domain/kernel/contact-fields/contact-fields.ts'
import type { PurchaseRequest } from './purchase-request.ts'

/** The recipient if the document names no valid person. */
const nobody = { firstName: 'Receiving', lastName: 'Department' }

/** Fields for `contactForm`. Without a ShipTo the tires are installed, and the payer is whom we write to. */
export function contactFields(
  {
    bill,
    phone,
    email,
  }: { bill: { name: string; street: string; city: string; state: string; zip: string }; phone: string; email: string },
  { shipTo, vehicle, orderId }: Pick<PurchaseRequest, 'shipTo' | 'vehicle' | 'orderId'>,
): Record<string, string> {
  const to = shipTo ?? { ...bill, street: [bill.street], deliverTo: [] }
  const [street = '', ...more] = to.street
  return {
    ...personOf(to.deliverTo),
    company: to.name.slice(0, 80),
    address1: street.slice(0, 100),
    address2: more.join(', ').slice(0, 100),
    city: to.city,
    state: to.state,
    zip: to.zip,
    instructions: [`PO ${orderId}`, ...to.deliverTo].join(', ').slice(0, 500),
    email,
    phone,
    phoneType: 'work',
    vehicleNote: vehicle ?? `See PO ${orderId}`.slice(0, 60),
  }
}

/** The first line of DeliverTo that is a name of two words. */
function personOf(deliverTo: readonly string[]): { firstName: string; lastName: string } {
  for (const line of deliverTo) {
    const [firstName = '', ...rest] = line.trim().split(/\s+/)
    const lastName = rest.join(' ')
    if (isName(firstName) && isName(lastName)) return { firstName, lastName }
  }
  return nobody
}

const nameSchema = personName('Send a name.')

function isName(text: string): boolean {
  return nameSchema.safeParse(text).success
}

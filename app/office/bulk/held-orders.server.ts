/** Bulk actions for held orders, which accept them. */
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { decideHeldOrder, findScreening, isOpen } from '#domain/ordering/fraud/fraud.server.ts'
import { parseOrderNumber, orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { formatCents } from '#platform/money.ts'
import { counted, done, refusedFor, revoked, type BulkAct, type BulkActs } from './act.server.ts'

/** In characters. */
const longestNote = 500
const over = 'This order is no longer on hold. It was reviewed or canceled.'

const accept: BulkAct = {
  permission: 'held-orders.decide',
  title: 'Accept held orders',
  label: 'Accept',
  button: counted('Accept', 'order'),
  effect: 'The order is processed like any new order.',
  input: () =>
    Promise.resolve({
      kind: 'text',
      label: 'Note',
      hint: 'Optional. Only staff see it.',
      most: longestNote,
      missing: '',
      isOptional: true,
    }),
  readRow: async ({ app, session }, id) => {
    const screening = await findScreening(app, id)
    return (
      screening && {
        id,
        label: orderNumber(id),
        path: officePaths.officeHeldOrder(id),
        about: [formatCents(screening.totalCents), customerFieldsFor(session.roles).show(screening.email)]
          .filter(Boolean)
          .join(', '),
        whyNot: isOpen(screening) ? null : over,
        was: '',
      }
    )
  },
  does: async ({ app, actor }, { id, given }) => {
    const decided = await decideHeldOrder(app, { orderId: id, decision: 'accepted', note: given || null, by: actor })
    if (decided.ok) return done
    const { reason } = decided
    return refusedFor(reason === 'not-possible' ? decided.detail.why : reason === 'not-allowed' ? revoked : over)
  },
  // Its customer already got the confirmation email.
  undo: null,
}

export const heldOrderActs: BulkActs = {
  field: 'order',
  readId: parseOrderNumber,
  writeId: orderNumber,
  acts: { 'accept-held-orders': accept },
}

/** Returns, messages, claims, price guarantee requests, disputes, and held orders as programs read them. */
import { z } from 'zod'
import { cents, day, instant } from '#api/schemas.ts'
import { numberedId } from '#app/office/define-actions.server.ts'
import { customerData, defineRecord } from '#app/office/define-record.server.ts'
import { findClaim } from '#domain/aftercare/coverage-claims/coverage-claims.server.ts'
import { claimNumber, parseClaimNumber } from '#domain/aftercare/coverage-claims/coverage-claims.ts'
import { findDispute } from '#domain/aftercare/disputes/disputes.server.ts'
import { disputeNumber, parseDisputeNumber } from '#domain/aftercare/disputes/disputes.ts'
import { findGuarantee } from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { guaranteeNumber, parseGuaranteeNumber } from '#domain/aftercare/price-guarantee/price-guarantee.ts'
import { orderNumber, parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { findThread } from '#domain/messaging/support/support.server.ts'
import { findScreening } from '#domain/ordering/fraud/fraud.server.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { readReturn, selectReturnEvents } from '#domain/ordering/returns/returns.server.ts'
import { returnState } from '#domain/ordering/returns/returns.ts'

const email = z.string().nullable().meta(customerData)
const refund = z.object({ state: z.string(), note: z.string().nullable() }).nullable()
const approvalRequest = z
  .object({ amountCents: cents, requestedBy: z.string(), requestedAt: instant })
  .nullable()
  .meta({ description: 'The approval that a team member requested' })
const decision = {
  decidedAt: instant.nullable(),
  decidedBy: z.string().nullable(),
  refusal: z.string().nullable(),
  fileName: z.string().nullable(),
  approvalRequest,
  refund,
}

export const claimRecord = defineRecord({
  noun: 'claim',
  schema: z.object({
    id: z.string().meta({ examples: ['C-1'] }),
    state: z.string(),
    order: z.string(),
    email,
    itemId: z.int(),
    tire: z.string(),
    tires: z.int(),
    plan: z.string(),
    kind: z.string(),
    cause: z.string(),
    tin: z.string().nullable(),
    deliveredOn: day,
    happenedOn: day,
    createdAt: instant,
    words: z.string().nullable().meta({ description: 'What the customer wrote' }),
    paidCents: cents.nullable(),
    mostCents: cents,
    givenCents: cents.nullable(),
    ...decision,
  }),
  async read({ app, customers }, id) {
    const claim = await findClaim(app, parseClaimNumber(id) ?? 0)
    if (!claim) return undefined
    return {
      ...claim,
      id: claimNumber(claim.id),
      order: orderNumber(claim.orderId),
      email: customers.isShown ? claim.email : null,
    }
  },
})

export const guaranteeRecord = defineRecord({
  noun: 'request',
  schema: z.object({
    id: z.string().meta({ examples: ['G-1'] }),
    state: z.string(),
    order: z.string().nullable().meta({ description: 'Null before buying' }),
    email,
    itemId: z.int(),
    tire: z.string(),
    quantity: z.int(),
    ourEachCents: cents,
    competitor: z.string(),
    offerUrl: z.string(),
    theirEachCents: cents,
    includesInstallation: z.boolean(),
    seenOn: day,
    createdAt: instant,
    suggestedCents: cents,
    differenceCents: cents.nullable(),
    ...decision,
  }),
  async read({ app, customers }, id) {
    const request = await findGuarantee(app, parseGuaranteeNumber(id) ?? 0)
    if (!request) return undefined
    return {
      ...request,
      id: guaranteeNumber(request.id),
      order: request.orderId === null ? null : orderNumber(request.orderId),
      email: customers.isShown ? request.email : null,
    }
  },
})

export const disputeRecord = defineRecord({
  noun: 'dispute',
  schema: z.object({
    id: z.string().meta({ examples: ['D-1'] }),
    state: z.string(),
    kind: z.string(),
    reason: z.string(),
    order: z.string().nullable().meta({ description: 'Null for a membership' }),
    provider: z.string(),
    ref: z.string(),
    paymentId: z.string(),
    amountCents: cents,
    withdrawnCents: cents,
    reinstatedCents: cents,
    feeCents: cents,
    openedAt: instant,
    dueAt: instant.nullable(),
    submittedAt: instant.nullable(),
    submittedBy: z.string().nullable(),
    notes: z.string(),
    files: z.array(z.object({ kind: z.string(), name: z.string(), bytes: z.int() })),
    events: z.array(z.object({ at: instant, actor: z.string(), words: z.string() })),
  }),
  async read({ app }, id) {
    const found = await findDispute(app, parseDisputeNumber(id) ?? 0)
    if (!found) return undefined
    const { dispute, files, events } = found
    const order = dispute.orderId === null ? null : orderNumber(dispute.orderId)
    return { ...dispute, id: disputeNumber(dispute.id), order, files, events }
  },
})

export const messageRecord = defineRecord({
  noun: 'message',
  description: 'The message with its replies and notes, oldest first.',
  schema: z.object({
    id: z.int(),
    kind: z.string(),
    state: z.string(),
    customer: z
      .object({ name: z.string(), email: z.string(), phone: z.string().nullable() })
      .nullable()
      .meta(customerData),
    order: z.string().nullable().meta({ description: 'The order number as the customer entered it' }),
    subject: z.string(),
    message: z.string(),
    quantity: z.int().nullable(),
    vehicle: z.string().nullable(),
    size: z.string().nullable(),
    brand: z.string().nullable(),
    createdAt: instant,
    waitingSince: instant.nullable(),
    closedAt: instant.nullable(),
    closedBy: z.string().nullable(),
    assignedTo: z.string().nullable(),
    replies: z.array(
      z.object({
        id: z.int(),
        kind: z.string().meta({ description: '`in` from the customer, `out` to the customer, or `note`' }),
        author: z
          .string()
          .nullable()
          .meta({ ...customerData, description: `${customerData.description}, for what the customer wrote` }),
        body: z.string(),
        at: instant,
        files: z.array(z.object({ name: z.string(), contentType: z.string(), size: z.int() })),
      }),
    ),
  }),
  async read({ app, customers }, id) {
    const thread = await findThread(app, numberedId(id))
    if (!thread) return undefined
    const { request, replies } = thread
    const { name, email: address, phone } = request
    return {
      ...request,
      customer: customers.isShown ? { name, email: address, phone } : null,
      order: request.orderNumber,
      replies: replies.map((reply) => ({
        ...reply,
        author: reply.kind === 'in' && !customers.isShown ? null : reply.author,
      })),
    }
  },
})

export const returnRecord = defineRecord({
  noun: 'return',
  schema: z.object({
    id: z.int(),
    order: z.string(),
    state: z.string(),
    reason: z.string(),
    wants: z.string(),
    note: z.string().nullable(),
    requestedAt: instant,
    shipBy: day.nullable(),
    photos: z.int(),
    hold: z
      .object({ reason: z.string(), by: z.string(), at: instant })
      .nullable()
      .meta({ description: 'Blocks the refund until a second look' }),
    customer: z.object({ name: z.string(), email: z.string(), phone: z.string() }).nullable().meta(customerData),
    tires: z.array(
      z.object({
        tireNo: z.int(),
        lineNo: z.int(),
        name: z.string(),
        state: z.string(),
        shipsBack: z.boolean(),
        carrier: z.string().nullable(),
        trackingNumber: z.string().nullable(),
        receivedAt: instant.nullable(),
        finding: z.string().nullable(),
        dot: z.string().nullable(),
        outcome: z.string().nullable(),
        refusal: z.string().nullable(),
      }),
    ),
    refunds: z.array(
      z.object({
        no: z.int(),
        at: instant,
        goodsCents: cents,
        feeCents: cents,
        loweredCents: cents,
        feeReason: z.string(),
        refundCents: cents,
        way: z.string(),
      }),
    ),
    events: z
      .array(
        z.object({
          tireNo: z.int().nullable(),
          at: instant,
          from: z.string().nullable(),
          to: z.string(),
          actor: z.string(),
          note: z.string().nullable(),
        }),
      )
      .meta({ description: 'Newest first' }),
  }),
  async read({ app, customers }, id) {
    const view = await readReturn(app.db, numberedId(id))
    const order = view && (await readOrder(app.db, view.orderId))
    if (!view || !order) return undefined
    const { firstName, lastName, email: address, phone } = order
    return {
      ...view,
      order: orderNumber(order.id),
      state: returnState(view.tires),
      customer: customers.isShown ? { name: `${firstName} ${lastName}`, email: address, phone } : null,
      events: await selectReturnEvents(app.db, view.id),
    }
  },
})

export const heldOrderRecord = defineRecord({
  noun: 'held order',
  schema: z.object({
    order: z.string().nullable(),
    outcome: z.string(),
    reasons: z.array(z.object({ outcome: z.string(), words: z.string() })),
    email,
    totalCents: cents,
    at: instant,
    dueAt: instant.nullable(),
    decision: z.string().nullable(),
    decidedAt: instant.nullable(),
    decidedBy: z.string().nullable(),
    note: z.string().nullable(),
  }),
  async read({ app, customers }, id) {
    const screening = await findScreening(app, parseOrderNumber(id) ?? 0)
    if (!screening) return undefined
    return {
      ...screening,
      order: screening.orderId === null ? null : orderNumber(screening.orderId),
      email: customers.isShown ? screening.email : null,
    }
  },
})

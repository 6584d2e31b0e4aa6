/** Operations to open, read, and cancel returns. */
import { z } from 'zod'
import { answer, operation } from '#api/operation.ts'
import { findOwn, orderId, orderKeys } from '#api/own-order.ts'
import { problem, type Problem } from '#api/problem.ts'
import { bodyOf, cents, day, instant, itemId } from '#api/schemas.ts'
import { returnMessages } from '#content/messages/returns.ts'
import { paths } from '#content/paths.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import {
  cancelReturn,
  currentFeeReason,
  listOrderReturns,
  moneyOfTires,
  openReturn,
  type OpenReturnRefusal,
  type ReturnView,
} from '#domain/ordering/returns/returns.server.ts'
import {
  canCancelReturn,
  feeReasons,
  returnNumber,
  returnReasons,
  returnState,
  returnTireStates,
} from '#domain/ordering/returns/returns.ts'
import { RETURN_PHOTOS_MAX, UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'
import type { Application } from '#application'

const state = z.enum(returnTireStates)
export const view = z
  .strictObject({
    returnId: z.int(),
    returnNumber: z.string().meta({ examples: ['M-1042'] }),
    orderId: z.int(),
    state: state.meta({ description: 'Status of the least-advanced tire in the return' }),
    reason: z.enum(returnReasons),
    wants: z.enum(['refund', 'exchange']),
    requestedAt: instant,
    shipBy: day.nullable().meta({ description: 'Null where no tire is sent back' }),
    canCancel: z.boolean(),
    tires: z.array(
      z.strictObject({
        itemId: z.int(),
        state,
        carrier: z.string().nullable(),
        trackingNumber: z.string().nullable(),
        receivedAt: instant.nullable(),
        refusal: z.string().nullable().meta({ description: 'Why the tire was refused' }),
      }),
    ),
    fee: z.enum(feeReasons).meta({ description: '`due`, or why the handling fee is waived' }),
    feeCents: cents,
    refundCents: cents.meta({ description: 'Of all tires that are not refused or canceled, less the fee' }),
    refundedCents: cents,
    labels: z
      .string()
      .nullable()
      .meta({ description: 'Address of the PDF with a label for each tire; null until they are bought' }),
  })
  .meta({ id: 'Return' })

/** A photo in a body. Accepts more than 1 MB here so that the refusal can name the photo. */
const photo = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(120)
      .meta({ examples: ['tread.jpg'] }),
    data: z
      .base64()
      .min(4)
      .max(3_000_000)
      .meta({
        description: `A JPEG, PNG, WebP, GIF, AVIF or HEIC of up to ${UPLOAD_MAX_BYTES / 1024 / 1024} MB, in Base64`,
        examples: ['/9j/4AAQSkZJRgABAQ=='],
      }),
  })
  .meta({ id: 'ReturnPhoto' })

const returnId = z.coerce
  .number()
  .int()
  .min(1)
  .max(999_999_999_999)
  .meta({ examples: [1042] })

export const returnOperations = [
  operation({
    id: 'openReturn',
    method: 'post',
    path: '/orders/{orderId}/returns',
    area: 'Orders',
    summary: 'Return tires from an order',
    description: `Within the return window of the order, never mounted. Labels are emailed, one a tire. The reasons \`damaged\` and \`wrong-item\` need at least one photo. For a photo that can’t be used, the error has its number and reason in \`message\` and \`data\`. For a rule that isn’t met, the error has the reason in \`message\` and \`data\`. Viewers of a company cannot return orders.`,
    audience: 'customer',
    status: 201,
    once: { isRequired: true, by: 'again' },
    params: z.strictObject({ orderId }),
    query: orderKeys,
    body: bodyOf({
      tires: z
        .array(z.strictObject({ itemId, quantity: z.int().min(1).max(40) }))
        .min(1)
        .max(20)
        .meta({ examples: [[{ itemId: 100002, quantity: 1 }]] }),
      reason: z.enum(returnReasons).meta({ examples: ['changed-mind'] }),
      wants: z
        .enum(['refund', 'exchange'])
        .default('refund')
        .meta({ examples: ['refund'] }),
      unmounted: z.boolean().meta({ description: 'That the tires were never mounted', examples: [true] }),
      note: z
        .string()
        .trim()
        .min(1)
        .max(500)
        .optional()
        .meta({ examples: ['They are by the door.'] }),
      photos: z
        .array(photo)
        .max(RETURN_PHOTOS_MAX)
        .default([])
        .meta({ description: 'Of the tires, for reasons that need them', examples: [[]] }),
    }),
    result: view,
    refuses: ['OrderNotFound', 'NotReturnable', 'PhotoRefused', 'TooManyAttempts'],
    async handle({ app, caller, params, query, body }) {
      const found = await findOwn(app, caller, params.orderId, query)
      if (!found?.mayCancel) return problem('OrderNotFound')
      const { order } = found
      const opened = await openReturn(
        app,
        {
          orderId: order.id,
          // An article that is not on the order has line 0, which no order has.
          lines: sumByLine(
            body.tires.map(({ itemId: asked, quantity }) => ({
              lineNo: order.lines.find((line) => line.itemId === asked)?.lineNo ?? 0,
              quantity,
            })),
          ),
          reason: body.reason,
          wants: body.wants,
          isUnmounted: body.unmounted,
          note: body.note ?? null,
        },
        { by: 'program', seq: null, photos: body.photos.map(photoFile), networkKey: caller.visitor.networkKey },
      )
      if (opened.ok) {
        const made = await findReturn(app, order, opened.value.id)
        return made ? answer(returnView(app, order, made)) : problem('OrderNotFound')
      }
      return problemOf(opened)
    },
  }),
  operation({
    id: 'readReturn',
    method: 'get',
    path: '/orders/{orderId}/returns/{returnId}',
    area: 'Orders',
    summary: 'Get a return',
    audience: 'customer',
    params: z.strictObject({ orderId, returnId }),
    query: orderKeys,
    result: view,
    refuses: ['OrderNotFound', 'ReturnNotFound'],
    async handle({ app, caller, params, query }) {
      const found = await findOwn(app, caller, params.orderId, query)
      if (!found?.isOwn) return problem('OrderNotFound')
      const made = await findReturn(app, found.order, params.returnId)
      return made ? answer(returnView(app, found.order, made)) : problem('ReturnNotFound')
    },
  }),
  operation({
    id: 'cancelReturn',
    method: 'post',
    path: '/orders/{orderId}/returns/{returnId}/cancellation',
    area: 'Orders',
    summary: 'Cancel a return',
    description: 'Until its first tire ships. The tires can be returned again. Canceling again has no effect.',
    audience: 'customer',
    once: { isRequired: true, by: 'again' },
    params: z.strictObject({ orderId, returnId }),
    query: orderKeys,
    result: view,
    refuses: ['OrderNotFound', 'ReturnNotFound', 'TooLateToCancelReturn'],
    async handle({ app, caller, params, query }) {
      const found = await findOwn(app, caller, params.orderId, query)
      if (!found?.mayCancel) return problem('OrderNotFound')
      if (!(await findReturn(app, found.order, params.returnId))) return problem('ReturnNotFound')
      const canceled = await cancelReturn(app, { id: params.returnId, actor: 'program' })
      if (!canceled.ok) return problem(canceled.reason === 'shipped' ? 'TooLateToCancelReturn' : 'ReturnNotFound')
      const after = await findReturn(app, found.order, params.returnId)
      return after ? answer(returnView(app, found.order, after)) : problem('ReturnNotFound')
    },
  }),
]

/** Why a return was not opened, as a problem. */
function problemOf(
  refusal: OpenReturnRefusal,
): Problem<'OrderNotFound' | 'NotReturnable' | 'PhotoRefused' | 'TooManyAttempts'> {
  switch (refusal.reason) {
    case 'not-met': {
      const failed = refusal.detail.filter(({ isMet }) => !isMet)
      return problem('NotReturnable', failed.map(({ reason }) => reason).join(' '), {
        data: failed.map(({ rule, reason }) => ({ rule, reason })),
      })
    }
    case 'photo':
      return problem('PhotoRefused', returnMessages.photo[refusal.detail.why], { data: refusal.detail })
    case 'too-many-photos':
      return problem('TooManyAttempts', returnMessages.tooManyPhotos)
    case 'order-not-found':
      return problem('OrderNotFound')
  }
}

/** A photo as a file; its type is read from the bytes. */
function photoFile({ name, data }: z.output<typeof photo>): { name: string; bytes: Uint8Array } {
  return { name, bytes: Buffer.from(data, 'base64') }
}

/** An article named twice counts once, with both. */
function sumByLine(lines: readonly { lineNo: number; quantity: number }[]): { lineNo: number; quantity: number }[] {
  const sums = new Map<number, number>()
  for (const { lineNo, quantity } of lines) sums.set(lineNo, (sums.get(lineNo) ?? 0) + quantity)
  return [...sums].map(([lineNo, quantity]) => ({ lineNo, quantity }))
}

async function findReturn(app: Application, order: OrderView, id: number): Promise<ReturnView | undefined> {
  return (await listOrderReturns(app.db, order.id)).find((each) => each.id === id)
}

export function returnView(app: Application, order: OrderView, made: ReturnView): z.input<typeof view> {
  const fee = currentFeeReason(made)
  const live = made.tires.filter((tire) => tire.state !== 'canceled' && tire.state !== 'refused')
  const money = moneyOfTires(order, live, fee)
  return {
    returnId: made.id,
    returnNumber: returnNumber(made.id),
    orderId: order.id,
    state: returnState(made.tires),
    reason: made.reason,
    wants: made.wants,
    requestedAt: made.requestedAt.toString(),
    shipBy: made.shipBy,
    canCancel: canCancelReturn(made.tires),
    tires: made.tires.map((tire) => ({
      itemId: order.lines.find(({ lineNo }) => lineNo === tire.lineNo)?.itemId ?? 0,
      state: tire.state,
      carrier: tire.carrier,
      trackingNumber: tire.trackingNumber,
      receivedAt: tire.receivedAt?.toString() ?? null,
      refusal: tire.refusal,
    })),
    fee,
    feeCents: money.feeCents,
    refundCents: money.refundCents,
    refundedCents: made.refunds.reduce((sum, { refundCents }) => sum + refundCents, 0),
    labels: live.some(({ trackingNumber }) => trackingNumber !== null)
      ? app.config.web.origin + paths.returnLabels(order.id, made.id)
      : null,
  }
}

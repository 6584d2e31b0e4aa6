/** The verification code that opens a tracked order, sent to the order's email. */
import { z } from 'zod'
import { orderCodeMessages, tooManyCodesMessage } from '#content/messages/orders.ts'
import { answer, operation } from '#api/operation.ts'
import { problem, type Problem } from '#api/problem.ts'
import { bodyOf } from '#api/schemas.ts'
import { parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { codeAccessMinutes, orderCodeLife, parseOrderCode } from '#domain/ordering/orders/orders.ts'
import { askForCode, verifyCode, type CodeRefusal } from '#domain/ordering/orders/orders.server.ts'
import { newId } from '#platform/ids.ts'
import { countOf } from '#platform/count-text.ts'

const lookedUp = {
  order: z
    .string()
    .max(24)
    .meta({ examples: ['S-104001'] }),
  look: z
    .string()
    .max(200)
    .meta({ description: 'The key from an order lookup', examples: ['104001-1795000000.x'] }),
}
const request = z.uuid().meta({
  description: 'Ties the code to the caller that asked for it',
  examples: ['3f0c2f3e-7a57-4d51-9d68-0c7a0f6a2b11'],
})

export const orderCodeOperations = [
  operation({
    id: 'requestOrderCode',
    method: 'post',
    path: '/order-codes',
    area: 'Orders',
    summary: 'Email a code that opens an order',
    description: `The code has six digits, goes to the order’s email, lives ${countOf(orderCodeLife.minutes, 'minute')} and takes ${countOf(orderCodeLife.attempts, 'attempt')}. Send \`request\` again to replace the code before it. Requests are limited by order and by network. An unknown order and a \`look\` that is not the order’s return the same error.`,
    audience: 'anyone',
    status: 202,
    once: { isRequired: false, by: 'again' },
    body: bodyOf({ ...lookedUp, request: request.optional() }),
    result: z
      .strictObject({
        request,
        sentTo: z.string().meta({ description: 'The order’s email, masked', examples: ['d•••@example.com'] }),
        look: z.string().meta({ description: 'A new lookup key, which outlives the code; verify with it' }),
      })
      .meta({ id: 'OrderCodeRequest' }),
    refuses: ['OrderNotFound', 'TooManyAttempts'],
    async handle({ app, caller, body }) {
      const browserId = body.request ?? newId()
      const asked = await askForCode(app, {
        orderId: parseOrderNumber(body.order) ?? 0,
        look: body.look,
        browserId,
        from: caller.visitor.networkKey,
      })
      if (asked.ok) return answer({ request: browserId, ...asked.value })
      if (asked.reason === 'order-not-found') return problem('OrderNotFound')
      return problem('TooManyAttempts', tooManyCodesMessage, {
        headers: { 'retry-after': String(asked.detail.retryAfterSeconds) },
      })
    },
  }),
  operation({
    id: 'verifyOrderCode',
    method: 'post',
    path: '/order-codes/verification',
    area: 'Orders',
    summary: 'Open an order with an emailed code',
    description: `A right code is used up, and its \`key\` gives full access to the order for ${countOf(codeAccessMinutes, 'minute')}. Every attempt counts, simultaneous ones too.`,
    audience: 'anyone',
    once: { isRequired: false, by: 'again' },
    body: bodyOf({
      ...lookedUp,
      request,
      code: z
        .string()
        .max(12)
        .meta({ examples: ['042617'] }),
    }),
    result: z
      .strictObject({
        orderId: z.int(),
        key: z.string().meta({ description: 'Send it as `key` where the order is read or canceled' }),
      })
      .meta({ id: 'OpenedOrder' }),
    refuses: ['OrderNotFound', 'CodeWrong', 'CodeExpired', 'CodeUsed'],
    async handle({ app, body }) {
      const orderId = parseOrderNumber(body.order) ?? 0
      const code = parseOrderCode(body.code)
      if (code === undefined) return problem('CodeWrong', orderCodeMessages.malformed)
      const opened = await verifyCode(app, { orderId, look: body.look, browserId: body.request, code })
      return opened.ok ? answer({ orderId, key: opened.value.key }) : refusalOf(opened.reason)
    },
  }),
]

function refusalOf(reason: CodeRefusal['reason']): Problem<'OrderNotFound' | 'CodeWrong' | 'CodeExpired' | 'CodeUsed'> {
  switch (reason) {
    case 'order-not-found':
      return problem('OrderNotFound')
    case 'code-wrong':
      return problem('CodeWrong', orderCodeMessages.wrong)
    case 'code-expired':
      return problem('CodeExpired', orderCodeMessages.expired)
    case 'code-exhausted':
      return problem('CodeExpired', orderCodeMessages.exhausted)
    case 'code-used':
      return problem('CodeUsed', orderCodeMessages.used)
  }
}

/**
 * The reply address of a thread, `reply+r12-<code>@…`. The code is derived from the store's secret, so writing into a
 * thread requires an email from it. Lowercase only, because mail servers may change case.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { makingSecret, someSecret, type Secrets } from '#platform/secrets.ts'

const shape = /^reply\+r(\d{1,12})-([0-9a-f]{20})$/

/** Returns the part before the @. */
export function replyMailbox(secret: Secrets, requestId: number): string {
  return `reply+r${requestId}-${codeFor(secret, requestId)}`
}

/** Returns the request that a mailbox belongs to; undefined if we did not make it. */
export function readReplyToken(secret: Secrets, mailbox: string): number | undefined {
  const [, id = '', code = ''] = shape.exec(mailbox.toLowerCase()) ?? []
  if (id === '') return undefined
  const requestId = Number(id)
  const isOurs = someSecret(secret, (each) => timingSafeEqual(Buffer.from(code), Buffer.from(codeFor(each, requestId))))
  return isOurs ? requestId : undefined
}

function codeFor(secret: Secrets, requestId: number): string {
  return createHmac('sha256', makingSecret(secret)).update(`reply address\n${requestId}`).digest('hex').slice(0, 20)
}

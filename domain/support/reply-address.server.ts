/**
 * The address that answers to a thread come back to: `reply+r12-<code>@…`. The code is made of the store's secret, so
 * nobody can write into a thread without an email from it. Mail servers may change capitals, so there are none.
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

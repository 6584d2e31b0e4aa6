/** Values that leave the server and come back (cookies, mail links) are signed, so that they cannot be forged. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs `value` for `purpose`: a signature for another purpose does not verify. */
export function sign(secret: string, purpose: string, value: string): string {
  return `${value}.${mac(secret, purpose, value)}`
}

/** Returns the value of a signed text, or undefined if the signature is invalid. Compares in constant time. */
export function verify(secret: string, purpose: string, signed: string): string | undefined {
  const cut = signed.lastIndexOf('.')
  if (cut < 0) return undefined
  const value = signed.slice(0, cut)
  const expected = Buffer.from(mac(secret, purpose, value))
  const given = Buffer.from(signed.slice(cut + 1))
  return expected.length === given.length && timingSafeEqual(expected, given) ? value : undefined
}

function mac(secret: string, purpose: string, value: string): string {
  return createHmac('sha256', secret).update(`${purpose}\n${value}`).digest('base64url')
}

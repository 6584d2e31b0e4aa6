/** Values that leave the server and come back (cookies, mail links) are signed, so that they cannot be forged. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { makingSecret, someSecret, type Secrets } from '#platform/secrets.ts'

/** Signs `value` for `purpose` with the first secret. Signatures for another purpose don't verify. */
export function sign(secrets: Secrets, purpose: string, value: string): string {
  return `${value}.${mac(makingSecret(secrets), purpose, value)}`
}

/** Returns the value of a text that one of the secrets signed, or undefined if the signature is invalid. Compares in constant time. */
export function verify(secrets: Secrets, purpose: string, signed: string): string | undefined {
  const cut = signed.lastIndexOf('.')
  if (cut < 0) return undefined
  const value = signed.slice(0, cut)
  const given = Buffer.from(signed.slice(cut + 1))
  const isSigned = someSecret(secrets, (secret) => {
    const expected = Buffer.from(mac(secret, purpose, value))
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
  return isSigned ? value : undefined
}

function mac(secret: string, purpose: string, value: string): string {
  return createHmac('sha256', secret).update(`${purpose}\n${value}`).digest('base64url')
}

/** Secrets as they are configured. */
import { z } from 'zod'

/** Too many bytes to guess. */
const secretBytes = 32
/**
 * Of 32 random bytes about 30 are distinct, and fewer than 20 in one of 10^12 secrets; typed or repeated text has
 * fewer.
 */
const leastDifferentBytes = 20

/**
 * A required secret: 32 random bytes or more, as hex (64 digits or more), base64 or base64url (43 characters or more).
 * The demo's own passes here; a later check allows it only in a demo.
 */
export function ownSecret(demo: string) {
  return z
    .string()
    .default(demo)
    .refine((text) => text === demo || isRandom(text), {
      error: `must be ${secretBytes} random bytes or more as hex or base64: \`openssl rand -hex ${secretBytes}\` makes them`,
    })
}

function isRandom(text: string): boolean {
  const isHex = /^(?:[\da-f]{2})+$/i.test(text)
  if (!isHex && !/^[\w+/-]+={0,2}$/.test(text)) return false
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64')
  return bytes.length >= secretBytes && new Set(bytes).size >= leastDifferentBytes
}

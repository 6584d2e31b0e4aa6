/** Secrets as they are configured. */
import { z } from 'zod'
import { countOf } from './count-text.ts'

/** Too many bytes to guess. */
const secretBytes = 32
/**
 * Of 32 random bytes about 30 are distinct, and fewer than 20 in one of 10^12 secrets; typed or repeated text has
 * fewer.
 */
const leastDifferentBytes = 20

/** Two while one secret replaces another, and three if the next replacement starts earlier. */
const mostSecrets = 3

/** Returns a schema for comma-separated secrets. The first is used, and all are accepted (`Secrets`). */
export function secretList(leastLength: number) {
  return z
    .string()
    .transform(splitSecrets)
    .pipe(listOf(z.string().min(leastLength)))
}

function listOf(one: z.ZodType<string, string>) {
  return z
    .tuple([one], one)
    .refine((secrets) => secrets.length <= mostSecrets, { error: `must be ${countOf(mostSecrets, 'secret')} at most` })
    .refine((secrets) => new Set(secrets).size === secrets.length, { error: 'must not repeat a secret' })
}

function splitSecrets(text: string): string[] {
  return text.split(',').map((secret) => secret.trim())
}

/**
 * Returns a schema for one or several comma-separated secrets. Each has at least 32 random bytes, as hex (64 digits or
 * more), base64, or base64url (43 characters or more). Accepts the demo's own secret; a later check allows it only in a
 * demo.
 */
export function ownSecret(demo: string) {
  const one = z.string().refine((text) => text === demo || isRandom(text), {
    error: `must be ${secretBytes} random bytes or more as hex or base64: \`openssl rand -hex ${secretBytes}\` makes them`,
  })
  return z.string().default(demo).transform(splitSecrets).pipe(listOf(one))
}

function isRandom(text: string): boolean {
  const isHex = /^(?:[\da-f]{2})+$/i.test(text)
  if (!isHex && !/^[\w+/-]+={0,2}$/.test(text)) return false
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64')
  return bytes.length >= secretBytes && new Set(bytes).size >= leastDifferentBytes
}

/**
 * Authenticated encryption (AES-256-GCM) for text stored where others might read it; any changed byte makes it
 * unreadable.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts `text` with a key derived from `secret` for `purpose`: text sealed for one purpose does not open for
 * another.
 */
export function seal(secret: string, purpose: string, text: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', keyFor(secret, purpose), iv)
  const closed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), closed])
}

/** Returns the text, or undefined if the secret or purpose differs or the bytes were changed. */
export function unseal(secret: string, purpose: string, sealed: Uint8Array): string | undefined {
  const bytes = Buffer.from(sealed)
  if (bytes.length < ivBytes + tagBytes) return undefined
  const decipher = createDecipheriv('aes-256-gcm', keyFor(secret, purpose), bytes.subarray(0, ivBytes))
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function keyFor(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}

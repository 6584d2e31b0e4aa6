/**
 * Authenticated encryption (AES-256-GCM) for text stored where others might read it; any changed byte makes it
 * unreadable.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { acceptedSecrets, makingSecret, type Secrets } from '#platform/secrets.ts'

const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts `text` with a key derived from the first of `secrets` for `purpose`. Text sealed for one purpose doesn't
 * open for another.
 */
export function seal(secrets: Secrets, purpose: string, text: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', keyFor(makingSecret(secrets), purpose), iv)
  const closed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), closed])
}

/**
 * Returns the text. Returns undefined if it wasn't sealed with one of the secrets for this purpose, or if the bytes
 * were changed.
 */
export function unseal(secrets: Secrets, purpose: string, sealed: Uint8Array): string | undefined {
  for (const secret of acceptedSecrets(secrets)) {
    const text = unsealBy(secret, purpose, sealed)
    if (text !== undefined) return text
  }
  return undefined
}

/** Whether the text was sealed with the first secret, so that it stays readable without the others. */
export function isSealedByFirst(secrets: Secrets, purpose: string, sealed: Uint8Array): boolean {
  return unsealBy(makingSecret(secrets), purpose, sealed) !== undefined
}

function unsealBy(secret: string, purpose: string, sealed: Uint8Array): string | undefined {
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

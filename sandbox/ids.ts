import { randomBytes } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** `prefix` followed by `length` unguessable letters and digits, such as `pi_9hT…`. */
export function newId(prefix: string, length = 24): string {
  let id = prefix
  while (id.length < prefix.length + length) {
    for (const byte of randomBytes(length)) {
      // Bytes from 248 up would make the first letters of the alphabet more likely.
      if (byte < 248 && id.length < prefix.length + length) id += alphabet[byte % alphabet.length]
    }
  }
  return id
}

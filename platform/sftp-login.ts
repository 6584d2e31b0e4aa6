/** The form fields of a login on a file server. Safe in the browser. */
import { z } from 'zod'
import { countOf } from './count-text.ts'
import { emptyOr } from './form-fields.ts'

/** A user name, a password or a private key, and the fingerprint of an SFTP server's key. All can be empty. */
export const sftpLogin = {
  username: emptyOr(
    z.string().regex(/^[^\p{Cc}:]{1,100}$/u, 'Enter a user name of up to 100 characters, without a colon.'),
  ),
  password: emptyOr(z.string().max(200, `Please keep this under ${countOf(200, 'character')}.`)),
  privateKey: emptyOr(
    z
      .string()
      .max(16_000, `Please keep this under ${countOf(16_000, 'character')}.`)
      .refine((key) => key.startsWith('-----BEGIN '), 'Paste the whole private key, from -----BEGIN on.'),
  ).meta({ maxLength: 16_000 }),
  hostKey: emptyOr(
    z
      .string()
      .regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, 'Enter a fingerprint that begins with SHA256:')
      .transform((key) => key.replace(/=$/, '')),
  ),
}

/** Returns the password or the private key, which ends with a line break; null for neither. */
export function loginSecret(password: string | null, privateKey: string | null): string | null {
  return password ?? (privateKey === null ? null : `${privateKey.replaceAll('\r\n', '\n')}\n`)
}

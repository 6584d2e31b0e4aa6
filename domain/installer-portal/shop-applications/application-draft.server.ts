/**
 * An unsubmitted application. Its encrypted fields are stored in the applicant's browser, so that the store has no data
 * if it is never submitted.
 */
import type { Config } from '#platform/config.ts'
import { isId } from '#platform/ids.ts'
import { seal, unseal } from '#platform/sealing.ts'
import { shopApplicationFields } from './application-form.ts'

const purpose = 'shop-application-draft'

/** The entered fields, and the key of a stored photo. */
export type ShopApplicationDraft = { values: Record<string, string>; pictureId: string | null }

/** Seals a draft for a cookie. Empty fields, and those that are no part of the form, are left out. */
export function sealDraft({ session }: Pick<Config, 'session'>, { values, pictureId }: ShopApplicationDraft): string {
  const typed = shopApplicationFields.flatMap((name) => (values[name] ? [[name, values[name].slice(0, 254)]] : []))
  return seal(session.secret, purpose, JSON.stringify([typed, pictureId])).toString('base64url')
}

/** Opens a sealed draft; null if it is not ours. */
export function openDraft({ session }: Pick<Config, 'session'>, sealed: string): ShopApplicationDraft | null {
  const text = unseal(session.secret, purpose, Buffer.from(sealed, 'base64url'))
  if (text === undefined) return null
  const [typed, pictureId] = JSON.parse(text) as [[string, string][], string | null]
  return { values: Object.fromEntries(typed), pictureId: pictureId !== null && isId(pictureId) ? pictureId : null }
}

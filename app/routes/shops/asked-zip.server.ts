import { badZipMessage } from '#content/messages/places.ts'
import { checkForm, type FormReply } from '#app/forms/form.ts'
import { zipForm } from '#domain/places/places.ts'

/** Returns the five digits of a ZIP from an address, or the error. */
export function checkAskedZip(asked: string): { ok: true; value: { zip: string } } | { ok: false; reply: FormReply } {
  return checkForm(zipForm, new URLSearchParams({ zip: asked.slice(0, 20) }))
}

/** The error for five digits that are not a ZIP. */
export function zipNotFound(zip: string): FormReply {
  return { values: { zip }, errors: { zip: badZipMessage } }
}

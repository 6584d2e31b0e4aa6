import { badZipMessage } from '#content/messages/places.ts'
import { checkForm, type FormReply } from '#app/forms/form.ts'
import { zipForm } from '#domain/places/places.ts'

/** The five digits of a ZIP in an address of ours, or why they are none. */
export function checkAskedZip(asked: string): { ok: true; value: { zip: string } } | { ok: false; reply: FormReply } {
  return checkForm(zipForm, new URLSearchParams({ zip: asked.slice(0, 20) }))
}

/** What is said of five digits that are no ZIP. */
export function zipNotFound(zip: string): FormReply {
  return { values: { zip }, errors: { zip: badZipMessage } }
}

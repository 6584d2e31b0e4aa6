import { zipMessages } from '#content/messages/places.ts'
import { checkForm, type FormReply } from '#app/forms/form.ts'
import { zipForm, type ZipRefusal } from '#domain/kernel/places/places.ts'

/** Returns the five digits of a ZIP from an address, or the error. */
export function checkAskedZip(asked: string): { ok: true; value: { zip: string } } | { ok: false; reply: FormReply } {
  return checkForm(zipForm, new URLSearchParams({ zip: asked.slice(0, 20) }))
}

/** The error for five digits at which tires are not installed. */
export function zipRefused(zip: string, { reason }: ZipRefusal): FormReply {
  return { values: { zip }, errors: { zip: zipMessages[reason] } }
}

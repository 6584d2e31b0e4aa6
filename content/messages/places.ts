/** Messages about ZIP codes and places. */
import type { ZipRefusal } from '#domain/kernel/places/places.ts'
import { homeDeliveryMessages } from '#content/messages/delivery.ts'

/** Messages from the specification for invalid ZIP codes and unused five-digit codes. */
export const badZipMessage = 'Oops. Please enter a valid ZIP code.'

/** Why installation and delivery are unavailable at a ZIP code, for every form, page, and API. */
export const zipMessages: Readonly<Record<ZipRefusal['reason'], string>> = {
  'zip-not-found': badZipMessage,
  military: homeDeliveryMessages.military,
}

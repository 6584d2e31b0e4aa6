/** Messages about ZIP codes and places. */
import type { ZipRefusal } from '#domain/places/places.ts'
import { homeDeliveryMessages } from '#content/messages/delivery.ts'

/** From the specification: for invalid ZIP codes, and for five digits that are not in use. */
export const badZipMessage = 'Oops. Please enter a valid ZIP code.'

/** Why nothing is installed or delivered at a ZIP: for every form, page and API that takes one. */
export const zipMessages: Readonly<Record<ZipRefusal['reason'], string>> = {
  'zip-not-found': badZipMessage,
  military: homeDeliveryMessages.military,
}

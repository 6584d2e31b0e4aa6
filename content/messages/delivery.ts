/** Messages about where tires are not shipped. */
import type { HomeDeliveryRefusal } from '#domain/supply/delivery/delivery.ts'

export const homeDeliveryMessages: Readonly<Record<HomeDeliveryRefusal, string>> = {
  'po-box': 'We do not ship to PO boxes. Please enter a valid address',
  military: 'The product is unable to ship to International Military bases.',
}

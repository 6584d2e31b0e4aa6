/** The reasons of refunds by staff. Safe in the browser. */

/** Refund reasons, as shown to staff. */
export const refundReasons = {
  late: 'Late from the carrier',
  damaged: 'Damaged on the way',
  'wrong-tire': 'Wrong tire sent',
  'does-not-fit': 'Does not fit, we said it does',
  'changed-mind': 'Customer changed their mind',
  defect: 'Defect, with a report',
  'service-not-done': 'Service not done',
  price: 'Price adjustment',
  other: 'Another reason, see the note',
} as const
export type RefundReason = keyof typeof refundReasons

/**
 * Retention periods in days. The job and the privacy policy both read them here, so that they cannot diverge. Safe in
 * the browser.
 */
export const retentionDays = {
  /** An open cart, since its last change. One that a payment or an appointment refers to is emptied instead. */
  cart: 90,
  /** The name, address, email and phone in an open cart, since its last change. */
  cartContact: 30,
  /** Messages from payment provider and carrier. Their effects are stored with the order. */
  providerEvent: 90,
  /** Declined cards, which the fraud rules count. */
  cardDecline: 30,
  /** The network a payment came from. */
  paymentNetwork: 30,
  /** An account's searches. */
  search: 90,
  /** A sent email's content. The fact that it was sent stays with its order. */
  emailCopy: 730,
  /** That a code was emailed to open an order. The code itself lives for minutes. */
  orderCode: 2,
  /** A quote that was not ordered, since its last change. */
  quote: 365,
  /** What the contact of a customer was before staff changed it, since the change. */
  contactChange: 730,
  /** An approval request without an order, from its end. */
  orderApproval: 365,
  /** Photos of returned tires, since the request; open returns keep theirs. */
  returnPhoto: 180,
  /** Names and phones in a shop's own jobs, and the keys of their forms, since the job. */
  ownJobPeople: 90,
  /** A webhook's event and payload, from when it was settled. */
  webhook: 30,
  /** A shop's photo from an unsubmitted application. */
  shopPicture: 30,
  /** Photos that a shop sent with a report or a dispute, since it was closed, and of a job. */
  shopReportPhoto: 180,
  /** That a shopper waited for an earlier time, since the wait ended. */
  earlierTimeWish: 90,
  /** A verification of military service, since it ended. */
  militaryVerification: 30,
  /** What a shopping agent said of its buyer, since its checkout ended; that it opened one stays with an order. */
  agentSession: 2,
  /** What a purchasing system sent, and visits from it. Its orders stay. */
  purchasing: 90,
  /**
   * A saved card after its owner removed it. The payment provider deletes it immediately. Also consents that didn't
   * lead to a card.
   */
  removedCard: 30,
} as const

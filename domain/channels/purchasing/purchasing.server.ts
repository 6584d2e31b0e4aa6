/** Identities, orders, and notifications for companies with purchasing systems, in cXML. */
export {
  listDeadDocuments,
  listDocuments,
  sendDocumentAgain,
  sendPurchasingDocument,
  tellPurchasingSystems,
} from './documents.server.ts'
export type { KeptDocument } from './documents.sql.server.ts'
export {
  findExchangeCart,
  noteExchangeCart,
  requestOrder,
  type ExchangeCart,
  type OrderRequestRefusal,
} from './exchange-carts.server.ts'
export { installationWords } from './order-request.ts'
export {
  answerOnce,
  forgetOldPurchasing,
  listReceived,
  type PurchasingAnswer,
  type ReceivedMessage,
  answerPurpose,
} from './messages.server.ts'
export { placePurchase, type PurchaseRefusal } from './place-purchase.server.ts'
export type { PurchaseRequest, RequestedAddress, RequestedLine } from './purchase-request.ts'
export {
  buyerOf,
  findExchange,
  findPurchasingSystem,
  issuePurchasingSecret,
  knowPurchasingSystem,
  setPurchasingSystem,
  documentSecretPurpose,
} from './systems.server.ts'
export type { PurchasingSystem, SecretTerm } from './systems.sql.server.ts'
export {
  endPunchout,
  findPunchout,
  keepTakenCart,
  openPunchout,
  punchoutOperations,
  readPunchoutCart,
  startPunchout,
  type PunchoutCart,
  type PunchoutSetup,
  type PunchoutVisit,
} from './punchout.server.ts'
export { problemWords } from './problem-words.ts'

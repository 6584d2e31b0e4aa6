/** Returns: opened by shoppers and programs, labeled and scanned on their way, inspected and refunded in the office. */
export { findReplacements, startExchange, type ExchangePlace } from './exchange-return.server.ts'
export { holdReturn, releaseReturn } from './hold-return.server.ts'
export { acceptTires, inspectTire, receiveTires, type InspectRefusal } from './inspect-return.server.ts'
export {
  selectMissingTires,
  selectReturnEvents,
  selectReturnHolds,
  selectReturnPhotos,
  selectReturns,
  selectWaitingReturns,
  type ListedReturn,
  type ReturnEntry,
  type ReturnHold,
} from './office-returns.sql.server.ts'
export {
  nextReturnSeq,
  openReturn,
  openReturnAsStaff,
  readReturnFacts,
  type AskedReturn,
  type OpenReturnRefusal,
} from './open-return.server.ts'
export {
  emailIssuedRefund,
  currentFeeReason,
  finishReturnRefund,
  moneyOfTires,
  previewRefundOfReturn,
  refundReturn,
  type RefundReturnRefusal,
} from './refund-return.server.ts'
export { labelSheet, type LabelSheet } from './return-labels.ts'
export { cancelReturn, labelReturn, receiveReturnScan } from './return-life.server.ts'
export { returnMessage } from './return-messages.server.ts'
export {
  exportReturns,
  listOrderReturns,
  readReturn,
  type ReturnTire,
  type ReturnView,
} from './return-view.sql.server.ts'
export { findReturnPhoto } from './return-photo.server.ts'
export { forgetOldReturnPhotos, isWholeOrderRefunded } from './returns.sql.server.ts'

/** Rates, payout lines, adjustments, statements, and transfers for installer payouts. */
export { openBankPage, receivePayoutEvent, refreshAccount } from './accounts.server.ts'
export { adjustPay, answerDispute, decideAdjustment, findDisputePhoto, openDispute } from './adjustments.server.ts'
export {
  forgetOldDisputePhotos,
  selectDisputes,
  selectProposals,
  type Adjustment,
  type Dispute,
} from './adjustments.sql.server.ts'
export { readEarnings, startJobPay, type JobEarnings, type JobPayKind } from './job-pay.server.ts'
export { listJobsAhead, readShopRates, type JobAhead, type ShopRates } from './jobs-ahead.server.ts'
export { payOfOrder, selectBalances } from './job-pay.sql.server.ts'
export { readMatrix, setRate } from './matrix.server.ts'
export { findPayee, listShopPay, listYearTotals, recordYearExport } from './office-pay.server.ts'
export { payMessageValues } from './pay-messages.server.ts'
export {
  readPayOverview,
  readShopYear,
  readStatement,
  statementSheet,
  type PayStatement,
  type StatementSheet,
} from './statements.server.ts'
export { listRefusedPay, reversePay, sendDuePayouts, sendPayNow } from './transfers.server.ts'
export { readPayInTime, selectAccount, selectTransfers } from './transfers.sql.server.ts'

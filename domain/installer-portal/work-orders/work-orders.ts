/** States, tires by position, and forms for shop jobs. Safe in the browser. */
export { readJobForm, sameTinField, tireFields, type JobInput } from './job-form.ts'
export { isJobPhotoKind, jobPhotoKinds, type JobPhoto, type JobPhotoKind } from './job-photo-kinds.ts'
export {
  pieceReportKinds,
  shopReportKinds,
  shopReportNumber,
  longestShopReportAnswer,
  parseShopReportNumber,
  shopReportAnswerForm,
  shopReportStates,
  shopReportStateWords,
  type ShopReportKind,
  type ShopReportState,
} from './shop-report-terms.ts'
export {
  parseCampaign,
  rangesForm,
  rangeText,
  recallAnswers,
  recallDraftForm,
  type RecallAnswer,
} from './recall-form.ts'
export { longestPlace, placeField, readStoredSet } from './stored-set-form.ts'
export { signaturePath, signatureSize } from './signature.ts'
export { readTinPhoto, tinLetters, weekOf } from './read-tin.ts'
export { tinAgeText, tinText } from './tin.ts'
export { positionName, slotsOf, wheelPositions } from './wheel-positions.ts'
export {
  delayChoicesAfter,
  noShowAfterMinutes,
  refusalReasons,
  workOrderLife,
  workOrderStateWords,
  type NotReady,
  type RefusalReason,
  type WorkOrderState,
} from './work-order-life.ts'

export const recallStateWords = { draft: 'Draft', open: 'Open', closed: 'Closed' } as const

/** Attempts at a claim code; then the customer signs. */
export const claimCodeAttempts = 6
/** A maker gets its registrations at least every 30 days (49 CFR 574.8). */
export const exportWithinDays = 30
/** From here on the office is reminded. */
export const remindExportAfterDays = 25

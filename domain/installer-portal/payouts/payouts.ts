/** The browser-safe rates, weeks, statements, and forms for installer payouts. */
export { adjustForm, disputeForm, answerForm, decideForm, rateForm, reverseForm, type RateInput } from './pay-forms.ts'
export { payBands, payBandText, payJobs, rateFor, type PayRate } from './matrix.ts'
export {
  disputeStates,
  isTooLateToDispute,
  jobKindNames,
  readWeek,
  type PayLine,
  type StatementRow,
  type StatementTotals,
  type WeekTotal,
} from './statement.ts'

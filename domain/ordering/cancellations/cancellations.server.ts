/** Canceling lines of an order that have not shipped, by staff and shoppers, and the email about it. */
export {
  cancelLinesAsShopper,
  cancelLinesAsStaff,
  previewCanceledLines,
  readCancelable,
  type CancelLinesOutcome,
  type CancelLinesRefusal,
} from './cancel-lines.server.ts'
export { cancellationMessageValues } from './cancellation-message.server.ts'

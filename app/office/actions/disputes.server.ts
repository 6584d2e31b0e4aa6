import { defineActions, formAction, plainAction, type ActionCall } from '#app/office/define-actions.server.ts'
import { acceptDispute, closeWarning, noteDispute, submitEvidence } from '#domain/aftercare/disputes/disputes.server.ts'
import { disputeNotesForm, parseDisputeNumber } from '#domain/aftercare/disputes/disputes.ts'

/** The dispute in an address; 0, which no dispute has, for other text. */
const about = ({ by, id }: ActionCall) => ({ by, id: parseDisputeNumber(id) ?? 0 })

export const disputeActions = defineActions({
  resource: 'disputes',
  noun: 'dispute',
  permission: 'disputes.answer',
  actions: {
    note: formAction({ summary: 'Save the notes of a dispute', form: disputeNotesForm }, (call, { notes }) =>
      noteDispute(call.app, { ...about(call), notes }),
    ),
    submit: formAction(
      {
        summary: 'Submit the evidence of a dispute',
        description: 'Once, with `notes` at the top. Staff add files in the back office.',
        form: disputeNotesForm,
      },
      (call, { notes }) => submitEvidence(call.app, { ...about(call), notes }),
    ),
    accept: plainAction({ summary: 'Accept a dispute', description: 'The refund to the customer is final.' }, (call) =>
      acceptDispute(call.app, about(call)),
    ),
    close: formAction({ summary: 'Close a warning', form: disputeNotesForm }, (call, { notes }) =>
      closeWarning(call.app, { ...about(call), note: notes.slice(0, 400) }),
    ),
  },
  refusals: {
    'dispute-not-found': { text: 'Dispute not found.', status: 404 },
    answered: 'This dispute is no longer waiting for an answer.',
    'no-order': 'This dispute has no order to build evidence from. Respond in the provider’s dashboard.',
    'provider-away': { text: 'The provider isn’t responding. Your text is saved. Try again in a minute.', status: 503 },
    'provider-refused': ({ message }) => `The provider replied: ${message}`,
  },
})

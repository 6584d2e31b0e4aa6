import { z } from 'zod'
import {
  defineActions,
  formAction,
  numberedId,
  plainAction,
  type ActionCall,
} from '#app/office/define-actions.server.ts'
import {
  answerForm,
  answerRequest,
  assignRequest,
  closeRequest,
  reopenRequest,
} from '#domain/messaging/support/support.server.ts'
import { optionalText } from '#platform/form-fields.ts'

function write({ app, by, id }: ActionCall, kind: 'out' | 'note', { body, once }: z.output<typeof answerForm>) {
  return answerRequest(app, by, { id: numberedId(id), kind, body, onceKey: once })
}

export const messageActions = defineActions({
  resource: 'messages',
  noun: 'message',
  permission: 'requests.answer',
  actions: {
    answer: formAction(
      {
        summary: 'Answer a message',
        description: 'Emails the customer. The same `once` sends one email, however often it is sent.',
        form: answerForm,
      },
      (call, answer) => write(call, 'out', answer),
    ),
    note: formAction(
      { summary: 'Add a note to a message', description: 'Only staff see it.', form: answerForm },
      (call, note) => write(call, 'note', note),
    ),
    assign: formAction(
      {
        summary: 'Assign a message',
        description: '`to` is the email of a team member. Without it, no one is assigned.',
        form: z.object({ to: optionalText(254) }),
      },
      ({ app, by, id }, { to }) => assignRequest(app, by, { id: numberedId(id), to }),
    ),
    close: plainAction({ summary: 'Close a message' }, ({ app, by, id }) => closeRequest(app, by, numberedId(id))),
    reopen: plainAction({ summary: 'Reopen a message' }, ({ app, by, id }) => reopenRequest(app, by, numberedId(id))),
  },
  refusals: {
    'request-not-found': null,
    'already-closed': 'This message was already closed.',
    'already-open': 'This message was already reopened.',
    closed: 'This message was closed. Reopen it to answer.',
    'sent-again': 'The customer sent the same text again, and that message is open. Answer it there.',
    'not-staff': { field: 'to', text: 'Choose someone from the list.', status: 409 },
  },
})

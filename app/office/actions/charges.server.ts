import { defineActions, plainAction, uuidOf, type ActionCall } from '#app/office/define-actions.server.ts'
import {
  askAgain,
  askToPayAgain,
  captureNow,
  takeCharge,
  voidUnanswered,
  writeToPayer,
} from '#domain/ordering/open-charges/open-charges.server.ts'

const about = ({ by, id }: ActionCall) => ({ paymentId: uuidOf(id), by })

export const chargeActions = defineActions({
  resource: 'charges',
  noun: 'charge',
  permission: 'charges.resolve',
  actions: {
    take: plainAction({ summary: 'Assign a charge to yourself' }, (call) => takeCharge(call.app, about(call))),
    ask: plainAction(
      {
        summary: 'Check a charge with the provider again',
        description: 'An answered charge leaves the list.',
      },
      (call) => askAgain(call.app, about(call)),
    ),
    void: plainAction(
      {
        summary: 'Void an unanswered authorization',
        description: 'Also releases its appointment.',
      },
      (call) => voidUnanswered(call.app, about(call)),
    ),
    capture: plainAction({ summary: 'Capture a charge now' }, (call) => captureNow(call.app, about(call))),
    'pay-again': plainAction(
      {
        summary: 'Ask the customer to pay again',
        description: 'Emails a link, and voids the authorization. The order’s price and appointment don’t change.',
      },
      (call) => askToPayAgain(call.app, about(call)),
    ),
    write: plainAction(
      { summary: 'Email the customer about a charge', description: 'That their bank hasn’t responded.' },
      (call) => writeToPayer(call.app, about(call)),
    ),
  },
  refusals: {
    waits: ({ why }) => why,
    'not-captured': ({ state }) =>
      `The provider didn’t capture the charge: it is ${state}. Ask the customer to pay again.`,
    over: { text: 'This charge no longer needs review.', status: 404 },
    'not-this-one': 'This isn’t possible for this charge.',
    'no-address': 'We have no email address for this customer.',
    'provider-away': { text: 'The provider isn’t responding. Try again in a minute.', status: 503 },
  },
})

/** Questions for customer support. */
import { z } from 'zod'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { bodyOf } from '#api/schemas.ts'
import {
  contactMessageForm,
  leadForm,
  receiveLead,
  receiveMessage,
  requestsPerHour,
} from '#domain/messaging/support/support.server.ts'
import { countOf } from '#platform/count-text.ts'

const received = z.strictObject({ isReceived: z.literal(true) })
const tooMany = () =>
  problem('TooManyAttempts', `You sent more than ${countOf(requestsPerHour, 'message')} within the hour.`, {
    headers: { 'retry-after': '3600' },
  })

export const helpOperations = [
  operation({
    id: 'writeToUs',
    method: 'post',
    path: '/contact-requests',
    area: 'Help',
    summary: 'Contact support',
    description:
      'Repeating the same message while it is open creates no second request. To attach a file, use the contact page.',
    audience: 'anyone',
    status: 201,
    once: { isRequired: false, by: 'again' },
    body: bodyOf(contactMessageForm.shape).meta({
      examples: [
        {
          firstName: 'Dana',
          lastName: 'Ruiz',
          email: 'dana@example.com',
          phone: '(312) 555-0142',
          subject: 'Does it fit?',
          message: 'Do they fit my 2021 RAV4?',
        },
      ],
    }),
    result: received,
    refuses: ['TooManyAttempts'],
    async handle({ app, caller, body }) {
      const { ssoUid: _, ...message } = body
      const taken = await receiveMessage(app, { ...message, file: null, networkKey: caller.visitor.networkKey })
      // Without a file, the only possible refusal is the rate limit.
      return taken.ok ? answer({ isReceived: true as const }) : tooMany()
    },
  }),
  operation({
    id: 'askForOffer',
    method: 'post',
    path: '/leads',
    area: 'Help',
    summary: 'Request a quote',
    description: 'Send the vehicle, the size, or both.',
    audience: 'anyone',
    status: 201,
    once: { isRequired: false, by: 'again' },
    body: leadForm.meta({
      examples: [{ name: 'Dana Ruiz', email: 'dana@example.com', quantity: 8, size: '225/65R17' }],
    }),
    result: received,
    refuses: ['TooManyAttempts'],
    async handle({ app, caller, body }) {
      const taken = await receiveLead(app, { ...body, networkKey: caller.visitor.networkKey })
      return taken.ok ? answer({ isReceived: true as const }) : tooMany()
    },
  }),
]

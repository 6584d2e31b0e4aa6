/** The demo's messages. One is unanswered, one is answered, and one is a lead. Also adds two reply templates. */
import type { PoolClient } from 'pg'
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import {
  answerRequest,
  assignRequest,
  contactMessageForm,
  leadForm,
  listOpenRequests,
  receiveLead,
  receiveMessage,
  saveTemplate,
} from '#domain/messaging/support/support.server.ts'
import { staffEmail } from './accounts.ts'
import { accepted, byStaff, depsAt } from './seed-transaction.ts'

const fitQuestion = {
  firstName: 'Dana',
  lastName: 'Ruiz',
  email: 'dana@example.com',
  phone: '3125550142',
  subject: 'Does it fit?',
  message: 'My door label says 235/65R17 and the site offers 225/65R17. Which one is right for a 2019 CR-V EX?',
}

const lead = { name: 'Lee Park', email: 'lee@example.com', quantity: '8', size: '275/70R18', brand: 'Kestrel' }

const stemQuestion = {
  firstName: 'Olive',
  lastName: 'Martin',
  email: 'olive@example.com',
  phone: '3125550161',
  subject: 'Installation or appointment',
  message: 'Can I bring my own valve stems?',
}

const stemAnswer =
  'Hello Olive,\n\nyes, the shop will use them. Please hand them over when you drop off the keys.\n\nSidewall support'

const templates = [
  {
    name: 'Check the door label',
    body: 'Hello,\n\nplease read the size on the label inside the driver’s door and reply with it. We will confirm which tires fit before you order.\n\nSidewall support',
  },
  {
    name: 'Move an appointment',
    body: 'Hello,\n\nthe fastest way is to call the shop. Its number is in your confirmation. Your tires stay reserved.\n\nSidewall support',
  },
]

/** Adds messages from before `now`, one with a reply. Add the staff first. */
export async function loadSupport(client: PoolClient, now: Temporal.Instant): Promise<void> {
  const depsBefore = (hours: number) => {
    const deps = depsAt(client, now.subtract({ hours }))
    return { ...deps, rateLimits: createRateLimits(deps) }
  }
  const message = (typed: typeof fitQuestion, networkKey: string) => ({
    ...contactMessageForm.parse(typed),
    file: null,
    networkKey,
  })
  accepted('A message', await receiveMessage(depsBefore(3), message(fitQuestion, 'demo 1')))
  accepted('A lead', await receiveLead(depsBefore(26), { ...leadForm.parse(lead), networkKey: 'demo 2' }))
  accepted('A message', await receiveMessage(depsBefore(50), message(stemQuestion, 'demo 3')))
  const support = staffEmail('support')
  const deps = depsBefore(47)
  const asked = (await listOpenRequests(deps)).find(({ email }) => email === stemQuestion.email)
  if (!asked) throw new Error('The message about valve stems is not there.')
  const { id } = asked
  accepted('The assignment', await assignRequest(deps, byStaff(support), { id, to: support }))
  const answer = { id, kind: 'out', body: stemAnswer, onceKey: 'demo' } as const
  accepted('The answer', await answerRequest(deps, byStaff(support), answer))
  for (const template of templates) {
    const saved = await saveTemplate(depsBefore(400), byStaff(staffEmail('manager')), {
      id: null,
      version: 0,
      ...template,
    })
    accepted(`The template ${template.name}`, saved)
  }
}

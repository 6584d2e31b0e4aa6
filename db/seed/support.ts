/** The demo's messages. One is unanswered, one is answered, and one is a lead. Also adds two reply templates. */
import { createHash } from 'node:crypto'
import type { Row } from '#db/insert-rows.ts'

const common = { order_number: null, vehicle: null, size: null, brand: null, quantity: null, network_key: null }

/** The demo's messages as of `now`. */
export function supportRows(now: Temporal.Instant): {
  support_request: Row<'support_request'>[]
  support_reply: Row<'support_reply'>[]
  support_template: Row<'support_template'>[]
} {
  const before = (hours: number) => now.subtract({ hours }).toString()
  return {
    support_request: [
      {
        ...common,
        id: 1,
        kind: 'contact',
        name: 'Dana Ruiz',
        email: 'dana@example.com',
        phone: '3125550142',
        subject: 'Does it fit?',
        message: 'My door label says 235/65R17 and the site offers 225/65R17. Which one is right for a 2019 CR-V EX?',
        said: saidOf('Dana Ruiz'),
        created_at: before(3),
        waiting_since: before(3),
      },
      {
        ...common,
        id: 2,
        kind: 'lead',
        name: 'Lee Park',
        email: 'lee@example.com',
        phone: null,
        subject: '8 tires, 275/70R18',
        message: '',
        quantity: 8,
        size: '275/70R18',
        brand: 'Kestrel',
        said: saidOf('Lee Park'),
        created_at: before(26),
        waiting_since: before(26),
      },
      {
        ...common,
        id: 3,
        kind: 'contact',
        name: 'Olive Martin',
        email: 'olive@example.com',
        phone: '3125550161',
        subject: 'Installation or appointment',
        message: 'Can I bring my own valve stems?',
        said: saidOf('Olive Martin'),
        created_at: before(50),
        waiting_since: null,
        assigned_to: 'support@example.com',
      },
    ].map((row) => ({ assigned_to: null, ...row })),
    support_reply: [
      {
        id: 1,
        request_id: 3,
        kind: 'out',
        author: 'support@example.com',
        body: 'Hello Olive,\n\nyes, the shop will use them. Please hand them over when you drop off the keys.\n\nSidewall support',
        once_key: 'demo:1',
        at: before(47),
      },
    ],
    support_template: templates(before(400)),
  }
}

/** Rows are inserted as JSON, in which bytes are written as PostgreSQL reads them. */
function saidOf(text: string): Buffer {
  return `\\x${createHash('sha256').update(text).digest('hex')}` as unknown as Buffer
}

function templates(changedAt: string): Row<'support_template'>[] {
  return [
    {
      id: 1,
      name: 'Check the door label',
      body: 'Hello,\n\nplease read the size on the label inside the driver’s door and reply with it. We will confirm which tires fit before you order.\n\nSidewall support',
      changed_by: 'manager@example.com',
      changed_at: changedAt,
      retired_at: null,
    },
    {
      id: 2,
      name: 'Move an appointment',
      body: 'Hello,\n\nthe fastest way is to call the shop. Its number is in your confirmation. Your tires stay reserved.\n\nSidewall support',
      changed_by: 'manager@example.com',
      changed_at: changedAt,
      retired_at: null,
    },
  ]
}

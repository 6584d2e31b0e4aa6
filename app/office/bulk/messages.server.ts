/** Bulk actions for messages, which assign and close them. */
import type { Staff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  assignRequest,
  closeRequest,
  findRequest,
  listAssignees,
  reopenRequest,
} from '#domain/messaging/support/support.server.ts'
import { requestNumber } from '#domain/messaging/support/support.ts'
import type { Application } from '#application'
import {
  counted,
  done,
  readWhole,
  refusedFor,
  revoked,
  type BulkAct,
  type BulkActs,
  type BulkField,
  type BulkRow,
  type Done,
} from './act.server.ts'

async function messageRow(
  app: Application,
  id: number,
  whyNot: (request: NonNullable<Awaited<ReturnType<typeof findRequest>>>) => string | null,
): Promise<BulkRow | undefined> {
  const request = await findRequest(app, id)
  return (
    request && {
      id,
      label: requestNumber(id),
      path: officePaths.officeMessage(id),
      about: `${request.name}: ${request.subject}`,
      whyNot: whyNot(request),
      was: request.assignedTo ?? '',
    }
  )
}

/** Why a message can't be assigned, closed or reopened. */
export const requestRefusals = {
  'not-allowed': revoked,
  'request-not-found': 'Message not found.',
  'not-staff': 'This team member can no longer answer messages.',
  'already-closed': 'Another team member already closed it.',
  'already-open': 'Another team member already reopened it.',
  'sent-again': 'The sender resent this message, and the newer one is open.',
} as const

/** The staff to choose from, by their emails, with "nobody" for no one. */
export async function assigneeField(app: Application): Promise<BulkField> {
  return {
    kind: 'choice',
    label: 'Assign to',
    options: [['nobody', 'No one'], ...(await listAssignees(app)).map((email): [string, string] => [email, email])],
    missing: 'Choose a person.',
  }
}

async function assign(staff: Staff, { id, to }: { id: number; to: string }): Promise<Done> {
  const assigned = await assignRequest(staff.app, staff.actor, { id, to: to === 'nobody' || to === '' ? null : to })
  return assigned.ok ? done : refusedFor(requestRefusals[assigned.reason])
}

const permission = 'requests.answer'

const acts: Readonly<Record<string, BulkAct>> = {
  'assign-messages': {
    permission,
    title: 'Assign messages',
    label: 'Assign',
    button: counted('Assign', 'message'),
    effect: 'Assigned to the person you choose.',
    input: assigneeField,
    readRow: ({ app }, id) => messageRow(app, id, () => null),
    does: (staff, { id, given }) => assign(staff, { id, to: given }),
    undo: {
      words: 'Restores the previous assignee of each.',
      does: (staff, { id, was }) => assign(staff, { id, to: was }),
    },
  },
  'close-messages': {
    permission,
    title: 'Close messages',
    label: 'Close',
    isStop: true,
    button: counted('Close', 'message'),
    effect: 'Closed without an email. A reply from the sender reopens it.',
    input: null,
    readRow: ({ app }, id) =>
      messageRow(app, id, ({ state }) => (state === 'closed' ? 'This message is already closed.' : null)),
    does: async ({ app, actor }, { id }) => {
      const closed = await closeRequest(app, actor, id)
      return closed.ok ? done : refusedFor(requestRefusals[closed.reason])
    },
    undo: {
      words: 'Reopens the messages.',
      does: async ({ app, actor }, { id }) => {
        const opened = await reopenRequest(app, actor, id)
        return opened.ok ? done : refusedFor(requestRefusals[opened.reason])
      },
    },
  },
}

export const messageActs: BulkActs = { field: 'message', readId: readWhole, acts }

/**
 * Resolve's movements. Its API (V5) lists orders with their captures and times, and credit notes without a time. A
 * credit note counts on the day it is first read.
 */
import { z } from 'zod'
import type { Movement, MovementRecords } from '#domain/payments/payments/provider-records.port.ts'
import type { Clock } from '#platform/clock.ts'
import { isId } from '#platform/ids.ts'
import {
  answer,
  createResolveClient,
  ResolveRefusal,
  type ResolveAccess,
  type ResolveClient,
} from './resolve-client.ts'
import { creditNoteForm, moment, orderForm, orderListForm, toCents, type ResolveOrder } from './resolve-forms.ts'

const perPage = 100
/** Orders are listed by authorization time. The maximum time between authorization and capture. */
const longestHold = { hours: 24 * 90 }
/** Resolve allows 100 calls per minute, so each night reads the newest thousand credit notes. */
const mostNotePages = 10
/** The numbers that we give to credit notes. */
const ours = /^refund-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}-\d{1,4}$/

const capturedForm = orderListForm.extend({
  results: z.array(orderForm.extend({ first_captured_at: moment.nullish() })),
})
const notesForm = z.looseObject({
  results: z.array(
    creditNoteForm.extend({ invoice_id: z.string().min(1).max(100).nullish(), voided_at: moment.nullish() }),
  ),
})
type Note = z.infer<typeof notesForm>['results'][number]
const invoiceForm = z.looseObject({ order_number: z.string().max(200).nullish() })

/** Resolve's movements. What a company owes it, and when it pays out, is between the two of them. */
export function createResolveRecords({ clock, ...access }: ResolveAccess & { clock: Clock }): MovementRecords {
  const client = createResolveClient(access)
  return {
    listMovements: ({ from, until, after }) =>
      answer(async () => {
        const [what = 'orders', page = '1'] = after?.split(':') ?? []
        return what === 'orders'
          ? listCaptures(client, { from, until, page: Number(page) })
          : listNotes(client, { now: clock.now(), page: Number(page) })
      }),
  }
}

type Listed = { movements: Movement[]; next: string | null }

async function listCaptures(
  client: ResolveClient,
  { from, until, page }: { from: Temporal.Instant; until: Temporal.Instant; page: number },
): Promise<Listed> {
  const query = new URLSearchParams({
    'filter[authorized_at][gte]': from.subtract(longestHold).toString(),
    'filter[authorized_at][lt]': until.toString(),
    'filter[amount_captured][gt]': '0',
    limit: String(perPage),
    page: String(page),
  })
  const { results } = await client.get(`/orders?${query.toString()}`, capturedForm)
  const movements = results.flatMap((order) => {
    const at = order.first_captured_at
    const isAsked = at && Temporal.Instant.compare(at, from) >= 0 && Temporal.Instant.compare(at, until) < 0
    return isAsked ? [captured(order, at)] : []
  })
  return { movements, next: results.length < perPage ? 'notes:1' : `orders:${page + 1}` }
}

const nothing = { feeCents: 0, refundRef: null, disputeRef: null } as const

/** Our order number is the charge's ID, which is its reference until Resolve responds. */
function captured(order: ResolveOrder, at: Temporal.Instant): Movement {
  return {
    ...nothing,
    ref: order.id,
    kind: 'charge',
    at,
    amountCents: toCents(order.amount_captured),
    chargeRef: `resolve:${order.id}`,
    ...(order.number && isId(order.number) && { reference: order.number }),
  }
}

async function listNotes(
  client: ResolveClient,
  { now, page }: { now: Temporal.Instant; page: number },
): Promise<Listed> {
  const path = `/credit-notes?sort=-created_at&limit=${perPage}&page=${page}`
  const { results } = await client.get(path, notesForm)
  const movements: Movement[] = []
  for (const note of results) movements.push(...(await credited(client, note, now)))
  return { movements, next: results.length < perPage || page >= mostNotePages ? null : `notes:${page + 1}` }
}

/** Returns a credit note's movements, including a void of one of ours. Reads the charge of other notes. */
async function credited(client: ResolveClient, note: Note, now: Temporal.Instant): Promise<Movement[]> {
  const number = note.number ?? note.id
  const isOurs = ours.test(number)
  if (note.voided && !isOurs) return []
  const cents = toCents(note.amount)
  const reference = isOurs || !note.invoice_id ? undefined : await orderNumberOf(client, note.invoice_id)
  const about = { ...nothing, chargeRef: null, refundRef: number, ...(reference !== undefined && { reference }) }
  return [
    { ...about, ref: note.id, kind: 'refund', at: now, amountCents: 0 - cents },
    ...(note.voided
      ? [
          {
            ...about,
            ref: `${note.id}:voided`,
            kind: 'refund-failure' as const,
            at: note.voided_at ?? now,
            amountCents: cents,
          },
        ]
      : []),
  ]
}

/** Our number of the order that an invoice is of. */
async function orderNumberOf(client: ResolveClient, invoiceId: string): Promise<string | undefined> {
  try {
    const { order_number: number } = await client.get(`/invoices/${encodeURIComponent(invoiceId)}`, invoiceForm)
    return number && isId(number) ? number : undefined
  } catch (error) {
    if (error instanceof ResolveRefusal && error.status === 404) return undefined
    throw error
  }
}

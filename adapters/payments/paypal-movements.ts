/**
 * The PayPal account's movements from Transaction Search v1. A payment contains the store's charge ID. Every other
 * movement names its payment, whose order is then read.
 */
import { z } from 'zod'
import type { Movement, MovementKind, MovementPage } from '#domain/payments/payments/provider-records.port.ts'
import { isId } from '#platform/ids.ts'
import { PayPalRefusal, type PayPalClient } from './paypal-client.ts'
import { instant } from './paypal-forms.ts'

/** The longest time that one search covers. */
const longestRange = { hours: 24 * 31 }
const perPage = 100

/** Negative where money leaves the account. */
const signedMoney = z.looseObject({ value: z.string().regex(/^-?\d{0,12}(?:\.\d{1,2})?$/) })
const id = z.string().min(1).max(64)

const pageForm = z.looseObject({
  transaction_details: z
    .array(
      z.looseObject({
        transaction_info: z.looseObject({
          transaction_id: id,
          paypal_reference_id: id.optional(),
          transaction_event_code: z.string().min(1).max(5),
          transaction_initiation_date: instant,
          transaction_amount: signedMoney,
          fee_amount: signedMoney.optional(),
          transaction_status: z.string(),
          custom_field: z.string().max(127).optional(),
        }),
      }),
    )
    .default([]),
  last_refreshed_datetime: instant.optional(),
  total_pages: z.int().min(0),
})
type Transaction = z.infer<typeof pageForm>['transaction_details'][number]['transaction_info']

const captureForm = z.looseObject({
  supplementary_data: z
    .looseObject({ related_ids: z.looseObject({ order_id: z.string().min(1).max(64).optional() }) })
    .optional(),
})
const disputesForm = z.looseObject({
  items: z.array(z.looseObject({ dispute_id: z.string().min(1).max(255), create_time: instant })).default([]),
})

/** Returns a page of movements. `after` is its start time and page number. */
export async function listMovements(
  client: PayPalClient,
  { from, until, after }: { from: Temporal.Instant; until: Temporal.Instant; after: string | null },
): Promise<MovementPage> {
  const [page = '1', at] = after?.split('@') ?? []
  const start = at === undefined ? from : Temporal.Instant.from(at)
  const rangeEnd = start.add(longestRange)
  const isLastRange = Temporal.Instant.compare(rangeEnd, until) >= 0
  const end = isLastRange ? until : rangeEnd
  const query = new URLSearchParams({
    start_date: start.toString({ smallestUnit: 'second' }),
    end_date: end.toString({ smallestUnit: 'second' }),
    fields: 'transaction_info',
    balance_affecting_records_only: 'Y',
    page_size: String(perPage),
    page,
  })
  const found = await client.get(`/v1/reporting/transactions?${query.toString()}`, pageForm)
  const moved = found.transaction_details.map(({ transaction_info: info }) => info).filter(isDone)
  const read = createReader(client)
  const movements: Movement[] = []
  for (const one of moved) movements.push(await movementOf(read, one))
  const isLastPage = Number(page) >= found.total_pages
  return {
    movements,
    next: isLastPage ? (isLastRange ? null : `1@${end.toString()}`) : `${Number(page) + 1}@${start.toString()}`,
    ...(found.last_refreshed_datetime && { listedUntil: found.last_refreshed_datetime }),
  }
}

/** `S` is complete, `V` is complete and later reversed. Pending and denied transactions didn't move money. */
function isDone({ transaction_status: status }: Transaction): boolean {
  return status === 'S' || status === 'V'
}

const kinds: Readonly<Record<string, MovementKind>> = {
  T1105: 'hold',
  T1106: 'dispute',
  T1107: 'refund',
  T1108: 'fee',
  T1110: 'hold',
  T1111: 'hold',
  T1201: 'dispute',
  T1202: 'dispute-reversal',
}
/** Kinds by code group, the first part of a PayPal transaction code. PayPal recommends groups for reconciliation. */
const kindsOfGroup: Readonly<Record<string, MovementKind>> = {
  T00: 'charge',
  T01: 'fee',
  T03: 'payout',
  T04: 'payout',
  T15: 'hold',
  T20: 'transfer',
  T21: 'hold',
}

function kindOf(code: string, cents: number): MovementKind {
  const kind = kinds[code] ?? kindsOfGroup[code.slice(0, 3)] ?? 'other'
  // The same code is of payments that the store makes.
  return kind === 'charge' && cents < 0 ? 'other' : kind
}

async function movementOf(read: Reader, moved: Transaction): Promise<Movement> {
  const { transaction_id: ref, transaction_event_code: code, paypal_reference_id: about, custom_field: name } = moved
  const amountCents = signedCents(moved.transaction_amount)
  const kind = kindOf(code, amountCents)
  const at = moved.transaction_initiation_date
  const captureId = kind === 'charge' ? ref : (about ?? null)
  const isNamed = kind === 'charge' && name !== undefined && isId(name)
  const isOfCharge = ['charge', 'refund', 'dispute', 'dispute-reversal', 'fee', 'hold'].includes(kind)
  const isOfDispute = kind === 'dispute' || kind === 'dispute-reversal' || kind === 'fee'
  return {
    ref,
    kind,
    at,
    amountCents,
    feeCents: moved.fee_amount ? 0 - signedCents(moved.fee_amount) : 0,
    chargeRef: isNamed || !isOfCharge || captureId === null ? null : await read.orderOf(captureId),
    ...(isNamed && { reference: name }),
    refundRef: kind === 'refund' ? ref : null,
    disputeRef: isOfDispute && captureId !== null ? await read.disputeOf(captureId, at) : null,
  }
}

type Reader = {
  /** The reference of the charge that a capture belongs to; null where it is not one of an order. */
  orderOf(captureId: string): Promise<string | null>
  /** Returns the capture's dispute that was open at a time. Transaction Search doesn't contain it. */
  disputeOf(captureId: string, at: Temporal.Instant): Promise<string | null>
}

/** Reads each capture once per page. */
function createReader(client: PayPalClient): Reader {
  const orders = new Map<string, string | null>()
  return {
    async orderOf(captureId) {
      const known = orders.get(captureId)
      if (known !== undefined) return known
      const path = `/v2/payments/captures/${encodeURIComponent(captureId)}`
      const capture = await unlessUnknown(client.get(path, captureForm))
      const order = capture?.supplementary_data?.related_ids.order_id
      const ref = order === undefined ? null : `paypal:${order}`
      orders.set(captureId, ref)
      return ref
    },
    async disputeOf(captureId, at) {
      const path = `/v1/customer/disputes?disputed_transaction_id=${encodeURIComponent(captureId)}`
      const found = await unlessUnknown(client.get(path, disputesForm))
      const open = (found?.items ?? []).filter((one) => Temporal.Instant.compare(one.create_time, at) <= 0)
      return open.toSorted((a, b) => Temporal.Instant.compare(b.create_time, a.create_time))[0]?.dispute_id ?? null
    },
  }
}

/** Returns undefined if PayPal has no object with that ID, so it's another kind of transaction. */
async function unlessUnknown<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof PayPalRefusal && (error.status === 404 || error.status === 400 || error.status === 422))
      return undefined
    throw error
  }
}

/** "-12.30" → -1230 */
function signedCents({ value }: { value: string }): number {
  const isNegative = value.startsWith('-')
  const [whole = '', part = ''] = value.slice(isNegative ? 1 : 0).split('.')
  const cents = Number(whole || '0') * 100 + Number(part.padEnd(2, '0'))
  return isNegative ? 0 - cents : cents
}

/** What moved on the account, as PayPal's Transaction Search lists it: its own record, hours after the fact. */
import { z } from 'zod'
import { paypalPath, newPayPalId, paypalTime, type PayPalDispute, type PayPalLedger } from './ledger.ts'
import { PayPalRefusal } from './refusal.ts'
import { usd } from './requests.ts'

/** PayPal's codes for what the store's account sees here. */
export type EventCode = 'T0006' | 'T0106' | 'T0114' | 'T1106' | 'T1107' | 'T1110' | 'T1111' | 'T1201' | 'T1202'

export type PayPalTransaction = {
  id: string
  code: EventCode
  /** Positive to the store, before the fee. */
  cents: number
  feeCents: number
  /** The transaction that this one is about. */
  referenceId: string
  /** The store's own IDs, which PayPal includes only with payments. */
  invoice?: string | undefined
  custom?: string | undefined
  at: string
}

/** A transaction is listed so long after it happened, at the latest. */
const listedAfterHours = 3
const longestRangeDays = 31

/** Writes down that money moved. */
export function recordTransaction(
  ledger: PayPalLedger,
  moved: Omit<PayPalTransaction, 'id' | 'at' | 'feeCents'> & { id?: string; feeCents?: number },
): void {
  const id = moved.id ?? newPayPalId()
  ledger.transactions.put(id, { feeCents: 0, ...moved, id, at: paypalTime(ledger.now()) })
}

/** Records a dispute's debits, credits, and fees. A claim at PayPal is a hold first. */
export function recordDisputeMoves(
  ledger: PayPalLedger,
  { captureId: referenceId, channel }: PayPalDispute,
  moved: PayPalDispute['movements'],
): void {
  const taken = channel === 'EXTERNAL' ? 'T1201' : 'T1106'
  const codes = { DISPUTE_SETTLEMENT: taken, DISPUTE_FEE: 'T0114', CHARGEBACK_FEE: 'T0106' } as const
  for (const { type, cents, reason } of moved) {
    const code = type === 'CREDIT' ? 'T1202' : codes[reason]
    recordTransaction(ledger, { code, cents: type === 'CREDIT' ? cents : -cents, referenceId })
  }
}

const time = z.iso.datetime({ offset: true })
const search = z.strictObject({
  start_date: time,
  end_date: time,
  fields: z.literal('transaction_info').default('transaction_info'),
  balance_affecting_records_only: z.enum(['Y', 'N']).default('Y'),
  page_size: z.coerce.number().int().min(1).max(500).default(100),
  page: z.coerce.number().int().min(1).default(1),
})

/** A page of the transactions of a time, the oldest first. */
export function searchTransactions(ledger: PayPalLedger, query: Record<string, string>): object {
  const read = search.safeParse(query)
  if (!read.success) {
    const [fault] = read.error.issues
    throw new PayPalRefusal(400, 'INVALID_REQUEST', fault?.message ?? 'Invalid request.', String(fault?.path[0] ?? ''))
  }
  const { start_date: start, end_date: end, page_size: size, page } = read.data
  const [from, until] = [Temporal.Instant.from(start), Temporal.Instant.from(end)]
  if (until.since(from).total('hours') > 24 * longestRangeDays)
    throw new PayPalRefusal(400, 'INVALID_REQUEST', 'Date range is greater than 31 days', 'end_date')
  const refreshed = ledger.now().subtract({ hours: listedAfterHours })
  const timeOf = ({ at }: PayPalTransaction) => Temporal.Instant.from(at).epochMilliseconds
  const last = Math.min(until.epochMilliseconds, refreshed.epochMilliseconds)
  const found = ledger.transactions
    .newestWhile((one) => timeOf(one) >= from.epochMilliseconds)
    .toReversed()
    .filter((one) => timeOf(one) <= last)
  const shown = found.slice((page - 1) * size, page * size).map(transactionView)
  return {
    ...(shown.length > 0 && { transaction_details: shown }),
    account_number: 'SIDEWALLTIRES',
    start_date: start,
    end_date: end,
    last_refreshed_datetime: paypalTime(refreshed),
    page,
    total_items: found.length,
    total_pages: Math.ceil(found.length / size),
    links: [{ href: `${ledger.publicOrigin}${paypalPath}/v1/reporting/transactions`, rel: 'self', method: 'GET' }],
  }
}

function transactionView(transaction: PayPalTransaction): object {
  const { id, code, cents, feeCents, referenceId, invoice, custom, at } = transaction
  return {
    transaction_info: {
      transaction_id: id,
      paypal_reference_id: referenceId,
      paypal_reference_id_type: 'TXN',
      transaction_event_code: code,
      transaction_initiation_date: at,
      transaction_updated_date: at,
      transaction_amount: usd(cents),
      ...(feeCents > 0 && { fee_amount: usd(-feeCents) }),
      transaction_status: 'S',
      ...(invoice !== undefined && { invoice_id: invoice }),
      ...(custom !== undefined && { custom_field: custom }),
    },
  }
}

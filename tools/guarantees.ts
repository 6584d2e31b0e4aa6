/**
 * `npm run guarantees -- list`: the open requests of the price guarantee, the longest waiting first. `show`, `file`,
 * `approve`, `refuse` and `again` are about one. Works on the database at DATABASE_URL, or of the store that `npm
 * start` runs.
 */
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  approveGuarantee,
  findGuarantee,
  findGuaranteeFile,
  listOpenGuarantees,
  refuseGuarantee,
  retryGuaranteeRefund,
  type GuaranteeCase,
} from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { guaranteeNumber, parseGuaranteeNumber } from '#domain/aftercare/price-guarantee/price-guarantee.ts'
import { longestRefusal } from '#domain/kernel/staff/staff.ts'
import { supportZone } from '#domain/messaging/support/support.ts'
import { systemClock } from '#platform/clock.ts'
import { createDatabase, type Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { visibleLine } from '#platform/plain-text.ts'
import { PlainError } from '#platform/plain-error.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import { commandActor, print, printOpen, runCommand } from './command.ts'
import { saveFile } from './save-file.ts'
import { findStoreDatabase } from './store-database.ts'

const usage = `Say what to do:
  list
  show G-12                file G-12 offer.webp
  approve G-12 82.00       (the difference in dollars for all its tires, tax included)
  refuse G-12 "Why not"    (the shopper gets these words by email)
  again G-12               (the refund was refused or given up: ask the provider once more)`

await runCommand(async () => {
  await using db = createDatabase(await findStoreDatabase(), { size: 1, application: 'sidewall-guarantees' })
  const [what, number = '', more] = process.argv.slice(2)
  if (what === 'list') return await list(db)
  const id = parseGuaranteeNumber(number)
  if (id === undefined) throw new PlainError(usage)
  if (what === 'show') return await show(db, id)
  if (what === 'file') return await saveSent(db, id, more)
  if (what === 'approve') return await approve(db, id, more)
  if (what === 'refuse') return await refuse(db, id, more)
  if (what === 'again') return await again(db, id)
  throw new PlainError(usage)
})

async function list(db: Database): Promise<void> {
  const requests = await listOpenGuarantees({ db })
  printOpen(requests.map(lineOf))
}

async function show(db: Database, id: number): Promise<void> {
  const request = await findGuarantee({ db }, id)
  if (!request) throw notFound(id)
  const { differenceCents, decidedAt, refund } = request
  const rows: [string, string | null][] = [
    ['Ours', `${formatCents(request.ourEachCents)} each`],
    ['Theirs', `${formatCents(request.theirEachCents)} each${request.includesInstallation ? ', installed' : ''}`],
    ['Comes to', formatCents(request.suggestedCents)],
    ['Store', request.competitor],
    ['Link', request.offerUrl],
    ['Seen on', request.seenOn],
    ['ZIP', request.zip],
    ['Email', request.email],
    ['File', request.fileName],
    ['Decided', decidedAt && `${request.state}, ${timeText(decidedAt, supportZone)} by ${request.decidedBy}`],
    ['Given', differenceCents === null ? null : formatCents(differenceCents)],
    ['Refund', refund && [refund.state, refund.note].filter(Boolean).join(': ')],
    ['Reason', request.refusal],
  ]
  print(lineOf(request))
  for (const [name, value] of rows) if (value) print(`${name.padEnd(8)} ${visibleLine(value)}`)
}

async function saveSent(db: Database, id: number, to: string | undefined): Promise<void> {
  const file = await findGuaranteeFile({ db }, id)
  if (!file) throw new PlainError(`No file came with ${guaranteeNumber(id)}.`)
  await saveFile(db, file, to ?? `${guaranteeNumber(id)}-${file.name}`, 'stranger')
}

async function approve(db: Database, id: number, dollars = ''): Promise<void> {
  if (!/^\d{1,6}(\.\d{2})?$/.test(dollars) || Number(dollars) === 0) throw new PlainError(usage)
  const differenceCents = Math.round(Number(dollars) * 100)
  const approved = await approveGuarantee({ db, clock: systemClock }, { id, differenceCents, by: commandActor() })
  if (approved.ok && approved.value.state === 'requested')
    return print(
      `${guaranteeNumber(id)} exceeds what one person may give. Another person must approve the same amount or less.`,
    )
  if (approved.ok) return print(`${guaranteeNumber(id)} is approved: ${formatCents(differenceCents)}.`)
  switch (approved.reason) {
    case 'request-not-found':
      throw notFound(id)
    case 'already-decided':
      throw decided(id, approved.detail.state)
    case 'more-than-paid':
      throw new PlainError(`${formatCents(approved.detail.mostCents)} was paid for these tires.`)
    case 'more-than-charged':
      throw new PlainError(`${formatCents(approved.detail.leftCents)} of the charge is left.`)
    default:
      throw new PlainError(refusals[approved.reason])
  }
}

const refusals = {
  'order-over': 'The order was canceled or returned. Refuse the request.',
  'approved-before': 'Another request for this tire of the order is approved. Refuse this one.',
  'not-released': 'The order can still be canceled. Approve it when its 30 minutes are over.',
  'invoice-settled':
    'The invoice is not open for that much any more. Send the money by transfer, and refuse with that.',
  'nothing-charged': 'This order was never charged.',
  'over-your-limit': 'This exceeds what one person may give.',
  'not-fresh': 'Sign in again.',
  'not-allowed': 'Not allowed.',
} as const

async function refuse(db: Database, id: number, reason = ''): Promise<void> {
  const refused = await refuseGuarantee({ db, clock: systemClock }, { id, reason, by: commandActor() })
  if (refused.ok) return print(`${guaranteeNumber(id)} is refused.`)
  if (refused.reason === 'request-not-found') throw notFound(id)
  if (refused.reason === 'already-decided') throw decided(id, refused.detail.state)
  throw new PlainError(`Say why, in up to ${countOf(longestRefusal, 'character')}.`)
}

async function again(db: Database, id: number): Promise<void> {
  const asked = await retryGuaranteeRefund({ db, clock: systemClock }, { id, by: commandActor() })
  if (asked.ok) return print(`The refund of ${guaranteeNumber(id)} is asked for again.`)
  throw new PlainError(
    asked.reason === 'nothing-to-retry'
      ? `No refund of ${guaranteeNumber(id)} is outstanding.`
      : 'Not that much of the charge is left.',
  )
}

function notFound(id: number): PlainError {
  return new PlainError(`There is no request ${guaranteeNumber(id)}.`)
}

function decided(id: number, state: string): PlainError {
  return new PlainError(`${guaranteeNumber(id)} is ${state} already.`)
}

function lineOf({ id, createdAt, orderId, quantity, tire, suggestedCents, competitor }: GuaranteeCase): string {
  return visibleLine(
    [
      guaranteeNumber(id).padEnd(8),
      timeText(createdAt, supportZone),
      orderId === null ? 'before buying' : orderNumber(orderId),
      `${quantity} × ${tire}, ${formatCents(suggestedCents)} less at ${competitor}`,
    ].join('  '),
  )
}

/**
 * `npm run support -- list` lists open requests, oldest first. `show R-12` shows one in full, `file R-12 photo.webp`
 * saves its attachment, and `close R-12 [who]` closes it. Uses the database at DATABASE_URL, or the one of the store
 * started by `npm start`.
 */
import { userInfo } from 'node:os'
import {
  closeRequest,
  findAttachment,
  findRequest,
  listOpenRequests,
  type SupportRequest,
} from '#domain/messaging/support/support.server.ts'
import { requestNumber, supportZone } from '#domain/messaging/support/support.ts'
import { systemClock } from '#platform/clock.ts'
import { createDatabase, type Database } from '#platform/db.ts'
import { visibleLine } from '#platform/plain-text.ts'
import { PlainError } from '#platform/plain-error.ts'
import { timeText } from '#platform/time-text.ts'
import { print, printOpen, runCommand } from './command.ts'
import { saveFile } from './save-file.ts'
import { findStoreDatabase } from './store-database.ts'

const usage = 'Say what to do: list, show R-12, file R-12 photo.webp, or close R-12 [who].'

await runCommand(async () => {
  await using db = createDatabase(await findStoreDatabase(), { size: 1, application: 'sidewall-support' })
  const [what, number = '', more] = process.argv.slice(2)
  if (what === 'list') return await list(db)
  const id = Number(/^(?:R-)?(\d{1,12})$/i.exec(number)?.[1])
  if (!Number.isSafeInteger(id)) throw new PlainError(usage)
  if (what === 'show') return await show(db, id)
  if (what === 'file') return await saveSent(db, id, more)
  if (what === 'close') return await close(db, id, more ?? userInfo().username)
  throw new PlainError(usage)
})

async function list(db: Database): Promise<void> {
  const requests = await listOpenRequests({ db })
  printOpen(requests.map(lineOf))
}

async function show(db: Database, id: number): Promise<void> {
  const request = await findRequest({ db }, id)
  if (!request) throw notFound(id)
  const { attachment } = request
  const rows: [string, string | null][] = [
    ['From', `${request.name} <${request.email}>`],
    ['Phone', request.phone],
    ['Order', request.orderNumber],
    ['Tires', request.quantity === null ? null : String(request.quantity)],
    ['Size', request.size],
    ['Vehicle', request.vehicle],
    ['Brand', request.brand],
    ['File', attachment && `${attachment.name} (${Math.ceil(attachment.size / 1024)} kB)`],
    ['Closed', request.closedAt && `${timeText(request.closedAt, supportZone)} by ${request.closedBy}`],
  ]
  print(lineOf(request))
  for (const [name, value] of rows) if (value) print(`${name.padEnd(8)} ${visibleLine(value)}`)
  if (request.message) print(`\n${request.message}`)
}

async function saveSent(db: Database, id: number, to: string | undefined): Promise<void> {
  const attachment = await findAttachment({ db }, id)
  if (!attachment) throw new PlainError(`No file came with ${requestNumber(id)}.`)
  await saveFile(db, attachment, to ?? `${requestNumber(id)}-${attachment.name}`, 'stranger')
}

async function close(db: Database, id: number, by: string): Promise<void> {
  const closed = await closeRequest({ db, clock: systemClock }, { via: 'command line', name: by }, id)
  if (closed.ok) return print(`${requestNumber(id)} is closed.`)
  throw closed.reason === 'request-not-found' ? notFound(id) : new PlainError(`${requestNumber(id)} is closed already.`)
}

function notFound(id: number): PlainError {
  return new PlainError(`There is no request ${requestNumber(id)}.`)
}

function lineOf({ id, createdAt, kind, name, subject }: SupportRequest): string {
  return visibleLine(
    `${requestNumber(id).padEnd(8)} ${timeText(createdAt, supportZone)}  ${kind.padEnd(7)}  ${name}: ${subject}`,
  )
}

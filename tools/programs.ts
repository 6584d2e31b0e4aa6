/**
 * `npm run programs -- list`, `approve ID`, `refuse ID` manage partner applications. `employer DOMAIN NAME` and
 * `no-employer DOMAIN` set which work emails get employee prices. Uses the database at DATABASE_URL, or the one of the
 * store started by `npm start`.
 */
import {
  addEmployer,
  approvePartner,
  listApplications,
  refusePartner,
  removeEmployer,
} from '#domain/customers/programs/programs.server.ts'
import { systemClock, type Clock } from '#platform/clock.ts'
import { createDatabase, type Database } from '#platform/db.ts'
import { visibleLine } from '#platform/plain-text.ts'
import { PlainError } from '#platform/plain-error.ts'
import { countOf } from '#platform/count-text.ts'
import { commandActor, indented, print, runCommand } from './command.ts'
import { findStoreDatabase } from './store-database.ts'

const usage = `Say what to do:
  npm run programs -- list                    who asks to become a partner or an affiliate, the oldest first
  npm run programs -- approve ID              make one a partner; its code goes out by mail
  npm run programs -- refuse ID               say no, by mail
  npm run programs -- employer DOMAIN NAME    give employee prices to work emails of this domain
  npm run programs -- no-employer DOMAIN      stop that`

await runCommand(async () => {
  await using db = createDatabase(await findStoreDatabase(), { size: 1, application: 'sidewall-programs' })
  const deps = { db, clock: systemClock }
  const [command, what = '', ...words] = process.argv.slice(2)
  switch (command) {
    case 'list':
      return await list(deps)
    case 'approve':
      return await approve(deps, applicationId(what))
    case 'refuse':
      return await refuse(deps, applicationId(what))
    case 'employer':
      return await employer(deps, domainOf(what), words)
    case 'no-employer':
      return await noEmployer(deps, domainOf(what))
    default:
      throw new PlainError(usage)
  }
})

type Deps = { db: Database; clock: Clock }

async function list(deps: Deps): Promise<void> {
  const waiting = await listApplications(deps)
  for (const { id, kind, business, name, email, phone, people, message, received_at: at } of waiting)
    print(
      `${visibleLine(`${id}  ${business}, ${kind === 'affiliate' ? 'affiliate' : countOf(people, 'person', 'people')}  ${name} ${email} ${phone}  ${at.toString().slice(0, 10)}`)}\n${indented(message)}\n`,
    )
  print(waiting.length === 0 ? 'Nobody waits.' : `${waiting.length} shown.`)
}

async function approve(deps: Deps, id: number): Promise<void> {
  const done = await approvePartner(deps, { id, by: commandActor() })
  if (!done.ok) throw new PlainError(`Application ${id} does not wait.`)
  print(done.value.code === null ? `Approved ${id}.` : `Approved ${id}. The code is ${done.value.code}.`)
}

async function refuse(deps: Deps, id: number): Promise<void> {
  const done = await refusePartner(deps, { id, by: commandActor() })
  if (!done.ok) throw new PlainError(`Application ${id} does not wait.`)
  print(`Refused ${id}.`)
}

async function employer(deps: Deps, domain: string, words: readonly string[]): Promise<void> {
  if (words.length === 0) throw new PlainError(usage)
  const done = await addEmployer(deps, { domain, employer: words.join(' '), by: commandActor() })
  if (!done.ok)
    throw new PlainError(
      done.reason === 'known' ? `${domain} is there already.` : `Anyone can get a mailbox at ${domain}.`,
    )
  print(`Work emails of ${domain} get employee prices at /dt-employees.`)
}

async function noEmployer(deps: Deps, domain: string): Promise<void> {
  if (!(await removeEmployer(deps, { domain, by: commandActor() })).ok) throw new PlainError(`${domain} is not there.`)
  print(`No more employee prices by ${domain}. Existing holders have them until they expire.`)
}

function applicationId(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new PlainError(usage)
  return Number(text)
}

function domainOf(text: string): string {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text)) throw new PlainError(usage)
  return text
}

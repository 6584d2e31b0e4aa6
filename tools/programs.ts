/**
 * `npm run programs -- list`, `approve ID`, `refuse ID`: who asks to become a partner. `employer DOMAIN NAME` and
 * `no-employer DOMAIN`: whose work emails get employee prices. Works on the database at DATABASE_URL, or of the store
 * that `npm start` runs.
 */
import { userInfo } from 'node:os'
import {
  addEmployer,
  approvePartner,
  listApplications,
  refusePartner,
  removeEmployer,
} from '#domain/programs/programs.server.ts'
import { systemClock } from '#platform/clock.ts'
import { createDatabase } from '#platform/db.ts'
import { visibleLine } from '#platform/plain-text.ts'
import { PlainError } from '#platform/plain-error.ts'
import { indented, print, runCommand } from './command.ts'
import { findStoreDatabase } from './store-database.ts'

const usage = `Say what to do:
  npm run programs -- list                    businesses that ask to become partners, the oldest first
  npm run programs -- approve ID              make one a partner; its code goes out by mail
  npm run programs -- refuse ID               say no, by mail
  npm run programs -- employer DOMAIN NAME    give employee prices to work emails of this domain
  npm run programs -- no-employer DOMAIN      stop that`

await runCommand(async () => {
  await using db = createDatabase(await findStoreDatabase(), { size: 1, application: 'sidewall-programs' })
  const deps = { db, clock: systemClock }
  const [command, what = '', ...words] = process.argv.slice(2)
  const id = /^[1-9]\d{0,8}$/.test(what) ? Number(what) : undefined
  const by = userInfo().username
  if (command === 'list') {
    const waiting = await listApplications(deps)
    for (const { id: number, business, name, email, phone, people, message, received_at: at } of waiting)
      print(
        `${visibleLine(`${number}  ${business}, ${people} people  ${name} ${email} ${phone}  ${at.toString().slice(0, 10)}`)}\n${indented(message)}\n`,
      )
    print(waiting.length === 0 ? 'Nobody waits.' : `${waiting.length} shown.`)
  } else if (command === 'approve' && id !== undefined) {
    const done = await approvePartner(deps, { id, by })
    if (!done.ok) throw new PlainError(`Application ${id} does not wait.`)
    print(`Approved ${id}. The code is ${done.value.code}.`)
  } else if (command === 'refuse' && id !== undefined) {
    const done = await refusePartner(deps, { id, by })
    if (!done.ok) throw new PlainError(`Application ${id} does not wait.`)
    print(`Refused ${id}.`)
  } else if (command === 'employer' && isDomain(what) && words.length > 0) {
    const done = await addEmployer(deps, { domain: what, employer: words.join(' ') })
    if (!done.ok)
      throw new PlainError(
        done.reason === 'known' ? `${what} is there already.` : `Anybody can have a mailbox at ${what}.`,
      )
    print(`Work emails of ${what} get employee prices at /dt-employees.`)
  } else if (command === 'no-employer' && isDomain(what)) {
    if (!(await removeEmployer(deps, what))) throw new PlainError(`${what} is not there.`)
    print(`No more employee prices by ${what}. Who has them keeps them until their days are over.`)
  } else {
    throw new PlainError(usage)
  }
})

function isDomain(text: string): boolean {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text)
}

/** Saved list views, owned by a staff member. */
import { recordAct, type Actor } from './audit.server.ts'
import { requirePermission } from './grants.server.ts'
import { officeSessions } from './office-sessions.sql.server.ts'
import type { Permission } from './permissions.ts'
import { mostViews, type OfficeListName, type SavedView } from './views.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { isId, newTimedId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { PersonKey } from '#platform/work-sessions.ts'
import { countViews, deleteViewRow, insertView, lockViewsOf, selectViews, updateViewRow } from './views.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** In views; a row of tabs has no room for more. */
const mostListed = 30

/** Lists a person's own and shared views of a list, or of all lists. */
export function listViews({ db }: Pick<Deps, 'db'>, person: PersonKey, list: string | null): Promise<SavedView[]> {
  const { issuer, subject } = person
  return selectViews(db, { issuer, subject, list, count: list === null ? mostListed * 10 : mostListed })
}

/**
 * Saves a list's filters under a name. `permission` is the list's permission. Refuses with `not-allowed`, `name-taken`
 * if they have another view with that name and different filters, and `too-many`. Saving the same view again doesn't
 * duplicate it.
 */
export async function saveView(
  { db, clock }: Deps,
  by: Actor,
  view: { list: OfficeListName; permission: Permission; name: string; query: string; isShared: boolean },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'name-taken'> | Refused<'too-many'>>> {
  const { list, permission, name, query, isShared } = view
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      const person = await lockPerson(tx, by, permission, at)
      if (!person) return refused('not-allowed')
      const { issuer, subject } = person
      const mine = (await selectViews(tx, { issuer, subject, list, count: mostListed })).filter(({ isMine }) => isMine)
      if (mine.some((one) => one.name === name && one.query === query && one.isShared === isShared)) return ok(null)
      if ((await countViews(tx, person, list)) >= mostViews) return refused('too-many')
      await insertView(tx, { issuer, subject, id: newTimedId(), savedBy: by.name, list, name, query, isShared, at })
      await recordAct(tx, { by, act: 'view.saved', subject: list, after: { name, filters: query, isShared }, at })
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'saved_view_named_once') return refused('name-taken')
    throw error
  }
}

/**
 * Replaces the filters of a view that the actor saved. Its name and readers stay. Idempotent. Refuses `not-allowed`, and
 * `gone` for one that is deleted, a colleague's, or of another list.
 */
export async function updateView(
  { db, clock }: Deps,
  by: Actor,
  { id, list, permission, query }: { id: string; list: OfficeListName; permission: Permission; query: string },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'gone'>>> {
  if (!isId(id)) return refused('gone')
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const person = await lockPerson(tx, by, permission, at)
    if (!person) return refused('not-allowed')
    const { issuer, subject } = person
    const mine = (await selectViews(tx, { issuer, subject, list, count: mostListed })).filter(({ isMine }) => isMine)
    const view = mine.find((one) => one.id === id)
    if (!view) return refused('gone')
    if (view.query === query) return ok(null)
    await updateViewRow(tx, { issuer, subject, id, query })
    const { name } = view
    const change = { before: { name, filters: view.query }, after: { name, filters: query } }
    await recordAct(tx, { by, act: 'view.saved', subject: list, ...change, at })
    return ok(null)
  })
}

/** Deletes a view of the actor's own. Refuses `not-allowed`, and `gone` for one that is deleted or a colleague's. */
export async function deleteView(
  { db, clock }: Deps,
  by: Actor,
  id: string,
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'gone'>>> {
  if (!isId(id)) return refused('gone')
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const person = await lockPerson(tx, by, 'office.open', at)
    if (!person) return refused('not-allowed')
    const deleted = await deleteViewRow(tx, { issuer: person.issuer, subject: person.subject, id })
    if (!deleted) return refused('gone')
    const { list, name, query } = deleted
    await recordAct(tx, { by, act: 'view.deleted', subject: list, before: { name, filters: query }, at })
    return ok(null)
  })
}

/** Locks and returns the views' owner; undefined without permission for the list. Commands have no saved views. */
async function lockPerson(
  tx: Tx,
  by: Actor,
  permission: Permission,
  at: Temporal.Instant,
): Promise<PersonKey | undefined> {
  if (by.via !== 'office' || !(await requirePermission(tx, by, permission, at)).ok) return undefined
  const person = await officeSessions.find(tx, { id: by.sessionId }, at)
  if (person) await lockViewsOf(tx, person)
  return person
}

/** Reply templates, edited by managers. Sent replies aren't affected by later edits. */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import {
  insertTemplate,
  lockTemplate,
  selectTemplates,
  updateTemplate,
  updateToRetired,
  type Template,
} from './templates.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** Lists the templates in use, by name. */
export function listTemplates({ db }: Pick<Deps, 'db'>): Promise<Template[]> {
  return selectTemplates(db)
}

/**
 * Adds a template (`id` null) or changes one, and returns its ID. Refuses `name-taken`, `gone` for one that is no longer
 * in use, and `changed-meanwhile` for another version than `version`.
 */
export async function saveTemplate(
  { db, clock }: Deps,
  by: Actor,
  { id, version, name, body }: { id: number | null; version: number; name: string; body: string },
): Promise<
  Outcome<number, Refused<'not-allowed'> | Refused<'name-taken'> | Refused<'gone'> | Refused<'changed-meanwhile'>>
> {
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, 'templates.manage', at)
      if (!permitted.ok) return permitted
      const values = { name, body, by: by.name, at }
      const before = id === null ? null : await lockTemplate(tx, id)
      if (before === undefined) return refused('gone')
      if (before && before.version !== version) return refused('changed-meanwhile')
      if (id !== null) await updateTemplate(tx, { id, ...values })
      const saved = id ?? (await insertTemplate(tx, values))
      const was = { name: before?.name ?? null }
      await recordAct(tx, { by, act: 'templates.saved', subject: name, before: was, after: { name }, at })
      return ok(saved)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'support_template_name_once') return refused('name-taken')
    throw error
  }
}

/** Takes a template out of use. Refuses `gone` for one that is not in use. */
export async function retireTemplate(
  { db, clock }: Deps,
  by: Actor,
  id: number,
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'gone'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'templates.manage', at)
    if (!permitted.ok) return permitted
    const name = await updateToRetired(tx, id, at)
    if (name === undefined) return refused('gone')
    await recordAct(tx, { by, act: 'templates.retired', subject: name, at })
    return ok(null)
  })
}

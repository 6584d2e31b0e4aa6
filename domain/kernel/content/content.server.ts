/**
 * Content pages in the office are written as drafts, previewed, published immediately or later, and rolled back, but
 * never edited.
 */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { contentStateAt, isLegal, isOwn, type PageText, type VersionState } from './content.ts'
import {
  deleteVersion,
  insertVersion,
  selectNextStarts,
  selectPublished,
  selectVersion,
  selectVersions,
  updateStart,
  selectOwnPages,
  type ContentVersion,
  type OwnPage,
} from './content.sql.server.ts'

export {
  addRedirect,
  findRedirect,
  importRedirects,
  listRedirects,
  readRedirect,
  removeRedirect,
} from './redirects.server.ts'
export { legalPublished } from './content.sql.server.ts'
export { createLiveContent, type LiveContent } from './live-content.server.ts'

type Deps = { db: Database; clock: Clock }
type NotAllowed = Refused<'not-allowed'>

export type StatedVersion = ContentVersion & { state: VersionState }

const versionsShown = 50

/** The published version of each page that has one, and when the next one of each starts. */
export async function readContentStates({ db, clock }: Deps): Promise<{
  published: Map<string, ContentVersion>
  nextAt: Map<string, Temporal.Instant>
}> {
  const now = clock.now()
  const [published, nextAt] = await Promise.all([selectPublished(db, now), selectNextStarts(db, now)])
  return { published: new Map(published.map((version) => [version.path, version])), nextAt }
}

/** Lists the pages that the store added, with drafts, by path. */
export function listOwnPages({ db }: Pick<Deps, 'db'>): Promise<OwnPage[]> {
  return selectOwnPages(db)
}

/** Lists the newest versions of a page, at most fifty. */
export async function listContentVersions({ db, clock }: Deps, path: string): Promise<StatedVersion[]> {
  const now = clock.now()
  return (await selectVersions(db, path, versionsShown)).map((version) => stated(version, now))
}

/** Finds a version of a page (null for any page) by its id, as the address has it. */
export async function findContentVersion(
  { db, clock }: Deps,
  path: string | null,
  key: string,
): Promise<StatedVersion | undefined> {
  const version = /^\d{1,9}$/.test(key) ? await selectVersion(db, Number(key)) : undefined
  return version && (path === null || version.path === path) ? stated(version, clock.now()) : undefined
}

function stated(version: ContentVersion, now: Temporal.Instant): StatedVersion {
  return { ...version, state: contentStateAt(version, now) }
}

/** Makes a draft of a page, and returns its id; the same form makes one only. The caller has checked the text. */
export async function draftContent(
  { db, clock }: Deps,
  by: Actor,
  { path, formKey, text }: { path: string; formKey: string; text: PageText },
): Promise<Outcome<number, NotAllowed>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'content.edit', at)
    if (!permitted.ok) return permitted
    const added = await insertVersion(tx, { path, formKey, text, by: by.name, at, startsAt: null })
    if (!added) throw new Error('A draft without a start was refused for its start.')
    const { id, isNew } = added
    const after = { title: text.title, characters: text.body.length }
    if (isNew) await recordAct(tx, { by, act: 'content.drafted', subject: subjectOf(path, id), after, at })
    return ok(id)
  })
}

type PublishRefusal =
  | NotAllowed
  | Refused<'gone'>
  | Refused<'other-state'>
  | Refused<'starts-in-past'>
  | Refused<'start-taken'>

/**
 * Takes a page or part that the store added down at `startsAt`, or now if null, by a version without text; returns its
 * id. The same form does it once.
 */
export async function takeContentDown(
  { db, clock }: Deps,
  by: Actor,
  { path, formKey, startsAt }: { path: string; formKey: string; startsAt: Temporal.Instant | null },
): Promise<Outcome<number, NotAllowed | Refused<'gone'> | Refused<'starts-in-past'> | Refused<'start-taken'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'content.edit', at)
    if (!permitted.ok) return permitted
    if (!isOwn(path)) return refused('gone')
    if (startsAt !== null && Temporal.Instant.compare(startsAt, at) < 0) return refused('starts-in-past')
    const version = { path, formKey, text: null, by: by.name, at, startsAt: startsAt ?? at }
    const added = await insertVersion(tx, version)
    if (!added) return refused('start-taken')
    const { id, isNew } = added
    const after = { at: (startsAt ?? at).toString() }
    if (isNew) await recordAct(tx, { by, act: 'content.taken-down', subject: subjectOf(path, id), after, at })
    return ok(id)
  })
}

/** Publishes a draft, now or at `startsAt`, when it automatically replaces the previous version. */
export async function publishContent(
  deps: Deps,
  by: Actor,
  { id, startsAt }: { id: number; startsAt: Temporal.Instant | null },
): Promise<Outcome<null, PublishRefusal>> {
  try {
    return await onVersion(deps, by, id, async (tx, version, at) => {
      if (version.state !== 'draft') return refused('other-state')
      const permitted = await requireForPage(tx, by, version.path, at)
      if (!permitted.ok) return permitted
      if (startsAt !== null && Temporal.Instant.compare(startsAt, at) < 0) return refused('starts-in-past')
      await updateStart(tx, id, { at: startsAt ?? at, by: by.name })
      await recordAct(tx, {
        by,
        act: startsAt ? 'content.scheduled' : 'content.published',
        subject: subjectOf(version.path, id),
        after: startsAt ? { startsAt: startsAt.toString() } : undefined,
        at,
      })
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'content_version_starts_alone') return refused('start-taken')
    throw error
  }
}

/** Unschedules a version, which becomes a draft again. */
export function withdrawContent(
  deps: Deps,
  by: Actor,
  id: number,
): Promise<Outcome<null, NotAllowed | Refused<'gone'> | Refused<'other-state'>>> {
  return onVersion(deps, by, id, async (tx, version, at) => {
    if (version.state !== 'scheduled') return refused('other-state')
    await updateStart(tx, id, null)
    await recordAct(tx, { by, act: 'content.withdrawn', subject: subjectOf(version.path, id), at })
    return ok(null)
  })
}

/** Discards a draft. */
export function discardContent(
  deps: Deps,
  by: Actor,
  id: number,
): Promise<Outcome<null, NotAllowed | Refused<'gone'> | Refused<'other-state'>>> {
  return onVersion(deps, by, id, async (tx, version, at) => {
    if (version.state !== 'draft') return refused('other-state')
    await deleteVersion(tx, id)
    const before = { title: version.text?.title ?? null }
    await recordAct(tx, { by, act: 'content.discarded', subject: subjectOf(version.path, id), before, at })
    return ok(null)
  })
}

/**
 * Rolls a page back, now, to the text of an earlier version, or with `versionId` null to the one it was released with, as
 * a new version; returns its id. The same form does it once.
 */
export async function rollBackContent(
  { db, clock }: Deps,
  by: Actor,
  { path, formKey, versionId }: { path: string; formKey: string; versionId: number | null },
): Promise<Outcome<number, NotAllowed | Refused<'gone'> | Refused<'start-taken'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requireForPage(tx, by, path, at)
    if (!permitted.ok) return permitted
    const earlier = versionId === null ? null : await selectVersion(tx, versionId)
    if (earlier === undefined || (earlier && (earlier.path !== path || earlier.startsAt === null)))
      return refused('gone')
    const text = earlier?.text ?? null
    const added = await insertVersion(tx, { path, formKey, text, by: by.name, at, startsAt: at })
    if (!added) return refused('start-taken')
    const { id, isNew } = added
    const after = { to: versionId === null ? 'as released' : `version ${versionId}` }
    if (isNew) await recordAct(tx, { by, act: 'content.rolled-back', subject: subjectOf(path, id), after, at })
    return ok(id)
  })
}

/** What binds the store is published by an owner. */
function requireForPage(tx: Tx, by: Actor, path: string, at: Temporal.Instant) {
  return requirePermission(tx, by, isLegal(path) ? 'legal.publish' : 'content.edit', at)
}

/** What the acts on a version do with it, once they may and hold its lock. */
async function onVersion<Refusal extends Refused<string>>(
  { db, clock }: Deps,
  by: Actor,
  id: number,
  act: (tx: Tx, version: StatedVersion, at: Temporal.Instant) => Promise<Outcome<null, Refusal>>,
): Promise<Outcome<null, Refusal | NotAllowed | Refused<'gone'>>> {
  return db.transaction().execute(async (tx) => {
    const version = await selectVersion(tx, id, { isLocked: true })
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'content.edit', at)
    if (!permitted.ok) return permitted
    return version ? act(tx, stated(version, at), at) : refused('gone')
  })
}

function subjectOf(path: string, version: number): string {
  return `${path}, version ${version}`
}

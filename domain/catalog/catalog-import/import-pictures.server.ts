/** Loads pictures after an import is published. One job loads a batch and queues the next one. */
import {
  addImportedPicture,
  announceCatalogChange,
  removeImportedPictures,
} from '#domain/catalog/catalog/catalog.server.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'
import { readPicture } from '#domain/kernel/files/files.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Download, Outgoing } from '#platform/outgoing-http.ts'
import {
  deletePictures,
  lockWaitingPicture,
  selectNextDue,
  setPictureAdded,
  setPictureFailed,
  takeDuePictures,
  type DuePicture,
} from './import-pictures.sql.server.ts'
import { maxPictureAttempts, type PictureProblem } from './import-pictures.ts'

type Deps = { db: Database; clock: Clock; outgoing: Pick<Outgoing, 'download'> }

const perBatch = 24
/** Pictures loaded at the same time, usually from one server. */
const atOnce = 3
const timeoutMs = 20_000
const maxRedirects = 3
/** Between attempts. */
const retryMinutes = 10

/** Queues loading a run's pictures, if any are waiting. */
export async function queuePictures(db: Database | Tx, runId: number): Promise<void> {
  const runAt = await selectNextDue(db, runId)
  if (runAt) await enqueue(db, 'load-import-pictures', { runId }, { runAt, key: `load-import-pictures:${runId}` })
}

/** Loads a batch of a run's due pictures, and queues the others. Idempotent. */
export async function loadPictures(deps: Deps, runId: number): Promise<void> {
  const now = deps.clock.now()
  const retryAt = now.add({ minutes: retryMinutes })
  const due = await takeDuePictures(deps.db, runId, { now, retryAt, count: perBatch })
  const pending = [...due]
  const addNext = async (): Promise<void> => {
    for (let next = pending.shift(); next; next = pending.shift()) await load(deps, next)
  }
  await Promise.all(Array.from({ length: atOnce }, addNext))
  if (due.length > 0) await deps.db.transaction().execute(announceCatalogChange)
  await queuePictures(deps.db, runId)
}

async function load(deps: Deps, picture: DuePicture): Promise<void> {
  // The last attempt ended in a crash.
  if (picture.attempts > maxPictureAttempts) return setPictureFailed(deps.db, picture.id, 'unreadable')
  const read = await download(deps, picture.url)
  if (read.ok) return add(deps, picture, read.value)
  const { problem, canRetry } = read.detail
  if (!canRetry || picture.attempts === maxPictureAttempts) await setPictureFailed(deps.db, picture.id, problem)
}

/** Adds the photo, unless the import was rolled back. */
function add({ db, clock }: Deps, { id, of, description }: DuePicture, picture: Content): Promise<void> {
  return db.transaction().execute(async (tx) => {
    if (!(await lockWaitingPicture(tx, id))) return
    const added = await addImportedPicture(tx, { of, picture, description, at: clock.now() })
    await (added.ok ? setPictureAdded(tx, id, added.value) : setPictureFailed(tx, id, 'too-many'))
  })
}

type Content = { key: string; bytes: Uint8Array }
type LoadRefusal = Refused<'not-loaded', { problem: PictureProblem; canRetry: boolean }>

async function download({ outgoing }: Deps, url: string): Promise<Outcome<Content, LoadRefusal>> {
  const headers = { accept: 'image/webp, image/png, image/jpeg', 'user-agent': 'Sidewall' }
  const answer = await outgoing.download({ url, headers, timeoutMs, maxRedirects }, takeBytes)
  if (!answer.ok) {
    const problem = answer.fault === 'broken-answer' ? 'cut-off' : answer.fault
    return notLoaded(problem, ['unresolved', 'unreachable', 'timeout', 'cut-off'].includes(problem))
  }
  if (!answer.value.ok) return answer.value
  const picture = await readPicture({ name: 'picture', bytes: answer.value.value })
  if (picture.ok) return picture
  switch (picture.reason) {
    case 'busy':
      return notLoaded('unreadable', true)
    case 'too-large':
    case 'too-many-pixels':
    case 'unreadable':
      return notLoaded(picture.reason)
    default:
      return notLoaded('not-a-picture')
  }
}

async function takeBytes({ status, bytes }: Download): Promise<Outcome<Uint8Array, LoadRefusal>> {
  if (status === 404 || status === 410) return notLoaded('not-found')
  if (status === 429 || status >= 500) return notLoaded('unreachable', true)
  if (status !== 200) return notLoaded('refused')
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytes) {
    size += part.length
    if (size > maxAttachmentBytes) return notLoaded('too-large')
    parts.push(part)
  }
  return ok(Buffer.concat(parts))
}

function notLoaded(problem: PictureProblem, canRetry = false): LoadRefusal {
  return refused('not-loaded', { problem, canRetry })
}

/** Removes the photos that a run added and that are unchanged, and stops loading the others. */
export async function removePictures(tx: Tx, runId: number): Promise<void> {
  await removeImportedPictures(tx, await deletePictures(tx, runId))
}

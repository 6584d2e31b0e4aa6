/** Shop applications are submitted once, answered, and decided by the office. Approval creates the shop. */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { createHash } from 'node:crypto'
import type { NamedFile } from '#domain/kernel/files/files.server.ts'
import { addNewShop } from '#domain/scheduling/installers/installers.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { readAttachment, type FileRefusal } from '#domain/kernel/files/files.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { isId, newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  attachPicture,
  countSince,
  findOpen,
  insertApplication,
  insertEvent,
  insertPicture,
  lockApplication,
  moveApplication,
  queueUp,
  selectApplication,
  selectByState,
  selectEvents,
  selectPicture,
  selectUnsentPicture,
  selectWaiting,
  type ShopApplication,
  type ShopApplicationEvent,
} from './shop-applications.sql.server.ts'
import {
  agreementVersion,
  shopApplicationLife,
  shopApplicationNumber,
  type ShopApplicationAsked,
  type ShopApplicationState,
} from './shop-applications.ts'

export { openDraft, sealDraft } from './application-draft.server.ts'
export { shopApplicationLink, shopApplicationMessageValues, readLinkedApplication } from './application-link.server.ts'
export {
  exportShopApplications,
  forgetUnsentPictures,
  selectApplicationOfShop,
} from './shop-applications.sql.server.ts'
export type { ShopApplication, ShopApplicationEvent } from './shop-applications.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** Applications per network and hour. */
export const applicationsPerHour = 5

/**
 * Takes an application and emails its confirmation. While it is open, the same content is the same application. Refuses
 * another one of the same email for the same address, ZIP codes we do not know or of another state, and more than
 * `applicationsPerHour` from one network.
 */
export async function applyAsShop(
  { db, clock }: Deps,
  asked: ShopApplicationAsked,
  { networkKey, pictureId }: { networkKey: string; pictureId: string | null },
): Promise<
  Outcome<
    { id: number },
    | Refused<'too-many-requests'>
    | Refused<'open-already', { id: number }>
    | Refused<'zip-unknown'>
    | Refused<'zip-elsewhere', { state: string }>
  >
> {
  const place = await findPlace(db, asked.zip)
  if (!place?.timeZone || place.latitude === null || place.longitude === null) return refused('zip-unknown')
  if (place.state !== asked.state) return refused('zip-elsewhere', { state: place.state })
  const said = createHash('sha256').update(JSON.stringify(asked)).digest()
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    await queueUp(tx)
    const open = await findOpen(tx, asked)
    if (open) return open.said.equals(said) ? ok({ id: open.id }) : refused('open-already', { id: open.id })
    if ((await countSince(tx, networkKey, at.subtract({ hours: 1 }))) >= applicationsPerHour)
      return refused('too-many-requests')
    const id = await insertApplication(tx, asked, { agreementVersion, said, networkKey, at })
    if (pictureId !== null && isId(pictureId)) await attachPicture(tx, { id, pictureId })
    await insertEvent(tx, { id, from: null, to: 'submitted', actor: asked.ownerEmail, at })
    await queueMessage(tx, {
      kind: 'shop-application-received',
      key: `shop-application-received:${id}`,
      to: asked.ownerEmail,
      orderId: null,
      at,
    })
    return ok({ id })
  })
}

/**
 * Stores a photo for an unsubmitted form, and returns its key. Re-encoded without camera metadata. Counted toward the
 * limit before decoding. Refuses non-images, and files larger than 1MB.
 */
export async function keepPicture(
  { db, clock, rateLimits }: Deps & { rateLimits: RateLimits },
  file: { name: string; bytes: Uint8Array },
  { networkKey, signal }: { networkKey: string; signal?: AbortSignal },
): Promise<Outcome<{ id: string; name: string }, Refused<'too-many-requests'> | FileRefusal>> {
  if (!(await rateLimits.take('attachment', { sender: networkKey })).ok) return refused('too-many-requests')
  const picture = await readAttachment(file, signal)
  if (!picture.ok) return picture
  if (picture.value.contentType !== 'image/webp') return refused('other-kind')
  const id = newId()
  await db.transaction().execute((tx) => insertPicture(tx, { id, picture: picture.value, at: clock.now() }))
  return ok({ id, name: picture.value.name })
}

/** The name of a picture that is kept for a form; undefined if it is gone. */
export async function findKeptPicture({ db }: Pick<Deps, 'db'>, id: string): Promise<string | undefined> {
  return isId(id) ? (await selectUnsentPicture(db, id))?.name : undefined
}

/**
 * Answers the office's question, once. Refuses with `not-asked` if there is no question, or the application is closed.
 */
export function answerQuestion(
  { db, clock }: Deps,
  { id, answer }: { id: number; answer: string },
): Promise<Outcome<null, Refused<'not-asked'>>> {
  return db.transaction().execute(async (tx) => {
    const found = await lockApplication(tx, id)
    if (found?.state !== 'asked') return refused('not-asked')
    await moveApplication(tx, found, { to: 'submitted', note: answer, actor: found.asked.ownerEmail, at: clock.now() })
    return ok(null)
  })
}

/** Withdraws an application that is open. Refuses `over` for any other. */
export function withdrawApplication(
  { db, clock }: Deps,
  { id }: { id: number },
): Promise<Outcome<null, Refused<'over'>>> {
  return db.transaction().execute(async (tx) => {
    const found = await lockApplication(tx, id)
    if (!found || !isOpen(found.state)) return refused('over')
    await moveApplication(tx, found, { to: 'withdrawn', actor: found.asked.ownerEmail, at: clock.now() })
    return ok(null)
  })
}

const perPage = 50

/** Lists a page of applications by state, newest first; `next` is the cursor of the following page. */
export async function listShopApplications(
  { db }: Pick<Deps, 'db'>,
  { state, before }: { state: ShopApplicationState; before: number | null },
): Promise<{ applications: ShopApplication[]; next: number | null }> {
  const found = await selectByState(db, { state, before, count: perPage + 1 })
  const applications = found.slice(0, perPage)
  return { applications, next: found.length > perPage ? (applications.at(-1)?.id ?? null) : null }
}

/** Lists the applications the office has to decide, longest waiting first. */
export function listWaitingShopApplications({ db }: Pick<Deps, 'db'>, limit: number): Promise<ShopApplication[]> {
  return selectWaiting(db, limit)
}

/** Returns an application with its history, oldest first. */
export async function findShopApplication(
  { db }: Pick<Deps, 'db'>,
  id: number,
): Promise<(ShopApplication & { story: ShopApplicationEvent[] }) | undefined> {
  const found = await selectApplication(db, id)
  return found && { ...found, story: await selectEvents(db, id) }
}

/** Finds the picture that came with an application. */
export function findShopPicture({ db }: Pick<Deps, 'db'>, id: number): Promise<NamedFile | undefined> {
  return selectPicture(db, id)
}

type DecisionRefusal = Refused<'not-allowed'> | Refused<'not-found'> | Refused<'not-open'>

/** Emails the applicant a question with a link for the answer. One question is open at a time. */
export function askApplicant(
  deps: Deps,
  { id, question, by }: { id: number; question: string; by: Actor },
): Promise<Outcome<null, DecisionRefusal>> {
  return decide(deps, { id, by, to: 'asked' }, async () => ({ note: question, move: { to: 'asked', note: question } }))
}

/** Refuses an application with words that are emailed as they are. */
export function refuseShop(
  deps: Deps,
  { id, reason, by }: { id: number; reason: string; by: Actor },
): Promise<Outcome<null, DecisionRefusal>> {
  return decide(deps, { id, by, to: 'refused' }, async () => ({ note: reason, move: { to: 'refused', note: reason } }))
}

/**
 * Approves an application. Creates the shop (or the van, if selected) in onboarding and hidden from shoppers, at the
 * center of its ZIP code, with its owner and bay manager as team members. Emails the owner.
 */
export function approveShop(
  deps: Deps,
  { id, by }: { id: number; by: Actor },
): Promise<Outcome<null, DecisionRefusal>> {
  return decide(deps, { id, by, to: 'approved' }, async (tx, { asked }, at) => {
    const place = await findPlace(tx, asked.zip)
    if (!place?.timeZone || place.latitude === null || place.longitude === null)
      throw new Error(`ZIP ${asked.zip} of application ${id} no longer has a location.`)
    const shopId = await addNewShop(tx, {
      name: asked.company,
      kind: asked.tireServices.includes('mobile-van') ? 'van' : 'shop',
      website: asked.shopWebsite,
      services: [...asked.tireServices, ...asked.otherServices],
      street: asked.street,
      city: asked.city,
      state: asked.state,
      zip: asked.zip,
      latitude: place.latitude,
      longitude: place.longitude,
      timeZone: place.timeZone,
      phone: asked.shopPhone,
      takesRunFlat: asked.tireServices.includes('run-flat'),
      takesLightTruck: asked.tireServices.includes('light-truck'),
      hours: asked.hours,
      members: [
        { email: asked.ownerEmail, name: `${asked.ownerFirstName} ${asked.ownerLastName}`, role: 'owner' },
        { email: asked.leadEmail, name: `${asked.leadFirstName} ${asked.leadLastName}`, role: 'technician' },
      ],
      by: by.name,
      at,
    })
    return { note: null, move: { to: 'approved', shopId } }
  })
}

type Decided =
  | { note: string; move: { to: 'asked' | 'refused'; note: string } }
  | { note: null; move: { to: 'approved'; shopId: number } }

/** Decides an open application in one transaction, with its email and its entry in the audit log. */
function decide(
  { db, clock }: Deps,
  { id, by, to }: { id: number; by: Actor; to: 'asked' | 'approved' | 'refused' },
  settle: (tx: Tx, found: ShopApplication, at: Temporal.Instant) => Promise<Decided>,
): Promise<Outcome<null, DecisionRefusal>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'shop-applications.decide', at)
    if (!permitted.ok) return permitted
    const found = await lockApplication(tx, id)
    if (!found) return refused('not-found')
    if (!shopApplicationLife[found.state].includes(to)) return refused('not-open')
    const { note, move } = await settle(tx, found, at)
    const event = await moveApplication(tx, found, { ...move, actor: by.name, at })
    if (event === undefined) throw new Error(`Application ${id} changed while it was locked.`)
    await recordAct(tx, {
      by,
      act: `shop-application.${to}`,
      subject: shopApplicationNumber(id),
      after: { company: found.asked.company, ...(note !== null && { note }) },
      at,
    })
    const kind = `shop-application-${to}` as const
    await queueMessage(tx, { kind, key: `${kind}:${id}:${event}`, to: found.asked.ownerEmail, orderId: null, at })
    return ok(null)
  })
}

function isOpen(state: ShopApplicationState): boolean {
  return shopApplicationLife[state].length > 0
}

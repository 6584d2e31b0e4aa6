/**
 * End-of-day manifests. The driver scans one carrier form per warehouse instead of each label.
 * The carrier has no idempotency keys. A manifest is stored with its parcels and a job before the carrier request, and a
 * retry looks up the parcels' form first.
 */
import { readFile, storeFile } from '#domain/kernel/files/files.server.ts'
import type { Files } from '#domain/kernel/files/file-store.port.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Carrier, CarrierManifest } from '#domain/ordering/orders/carrier.port.ts'
import { selectLabeledParcels, type LabeledParcel } from '#domain/ordering/orders/orders.server.ts'
import { listWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import {
  manifestNumber,
  maxManifestParcels,
  parcelRefusals,
  type ManifestRequest,
  type ManifestState,
} from './manifests.ts'
import {
  insertManifest,
  isOnManifest,
  lockManifests,
  lockRequested,
  lockWithoutFile,
  refuseParcels,
  selectByRef,
  selectManifest,
  selectManifestParcels,
  selectManifests,
  selectRequested,
  updateFile,
  updateManifest,
  type Manifest,
  type ManifestParcel,
} from './manifests.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export { selectManifestOf, type Manifest, type ManifestParcel } from './manifests.sql.server.ts'

type Deps = { db: Database; clock: Clock; carrier: Carrier }

/** The request itself is completed first; the job continues it if that was interrupted. */
const requestTakes = { minutes: 2 }

type Place = { id: number; timeZone: string }

/** `carriers` don't accept manifests. `older` is the number of parcels with a label from an earlier day. */
export type ManifestRefusal =
  | Refused<'not-allowed'>
  | Refused<'warehouse-not-found'>
  | Refused<'carrier-away'>
  | Refused<'no-parcels', { carriers: string[]; older: number }>

/**
 * Requests a manifest of a warehouse's parcels labeled today from each carrier that accepts one, and returns their
 * IDs. Resubmitting returns the same manifests, as does a concurrent submission. Parcels labeled on an earlier day are
 * listed on the manifest as refused. While the carrier is away, a job completes the manifests.
 */
export async function requestManifests(
  deps: Deps,
  by: Actor,
  { warehouse: code, key }: ManifestRequest,
): Promise<Outcome<number[], ManifestRefusal>> {
  const at = deps.clock.now()
  const permitted = await deps.db.transaction().execute((tx) => requirePermission(tx, by, 'parcels.ship', at))
  if (!permitted.ok) return permitted
  const warehouses = await listWarehouses(deps)
  const warehouse = warehouses.find((each) => each.code === code && each.supplierId === null)
  if (!warehouse) return refused('warehouse-not-found')
  const taking = await readTaking(deps, await selectWaiting(deps.db, warehouse.id, false))
  if (!taking) return refused('carrier-away')
  const requested = await deps.db.transaction().execute((tx) => request(tx, by, { place: warehouse, key, taking, at }))
  if (!requested.ok) return requested
  for (const id of requested.value) await advance(deps, id)
  return requested
}

/** Returns the carriers of these parcels that take manifests; undefined if a carrier is unavailable. */
async function readTaking(
  { carrier }: Deps,
  parcels: readonly LabeledParcel[],
): Promise<ReadonlySet<string> | undefined> {
  const taking = new Set<string>()
  for (const name of new Set(parcels.map((parcel) => parcel.carrier))) {
    const answer = await carrier.takesManifests(name)
    if (!answer.ok && answer.reason === 'unavailable') return undefined
    if (answer.ok && answer.value) taking.add(name)
  }
  return taking
}

function selectWaiting(db: Database, warehouseId: number, isLocked: boolean): Promise<LabeledParcel[]> {
  return selectLabeledParcels(db, { warehouseId, skip: isOnManifest, limit: maxManifestParcels, isLocked })
}

async function request(
  tx: Tx,
  by: Actor,
  { place, key, taking, at }: { place: Place; key: string; taking: ReadonlySet<string>; at: Temporal.Instant },
): Promise<Outcome<number[], ManifestRefusal>> {
  await lockManifests(tx, place.id)
  const before = await selectRequested(tx, place.id, key)
  if (before.length > 0) return ok(before)
  const waiting = await selectWaiting(tx, place.id, true)
  const dayOf = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(place.timeZone).toPlainDate()
  const isToday = ({ boughtAt }: LabeledParcel) => dayOf(boughtAt).equals(dayOf(at))
  const taken = waiting.filter(({ carrier }) => taking.has(carrier))
  const carriers = [...new Set(taken.filter(isToday).map(({ carrier }) => carrier))]
  if (carriers.length === 0) {
    const others = waiting.filter((parcel) => !taking.has(parcel.carrier))
    return refused('no-parcels', {
      carriers: taken.length > 0 ? [] : [...new Set(others.map(({ carrier }) => carrier))],
      older: taken.length,
    })
  }
  const ids: number[] = []
  for (const carrier of carriers) {
    const parcels = taken
      .filter((parcel) => parcel.carrier === carrier)
      .map((parcel) => ({ ...parcel, refusal: isToday(parcel) ? null : parcelRefusals.earlierDay }))
    const id = await insertManifest(tx, { warehouseId: place.id, carrier, key, at, by: by.name }, parcels)
    const job = { key: `create-manifest:${id}`, runAt: at.add(requestTakes) }
    await enqueue(tx, 'create-manifest', { manifestId: id }, job)
    const count = parcels.filter(({ refusal }) => refusal === null).length
    const subject = manifestNumber(id)
    await recordAct(tx, { by, act: 'manifest.requested', subject, after: { carrier, parcels: count }, at })
    ids.push(id)
  }
  return ok(ids)
}

/** Job that completes a manifest and stores its file. Throws while the carrier is away or creates it, to be retried. */
export async function completeManifest(deps: Deps, id: number): Promise<void> {
  if (!(await advance(deps, id))) throw new Error(`The manifest ${id} is not complete yet.`)
}

/** Continues a manifest as far as the carrier answers. Returns whether it is complete. Can run concurrently. */
async function advance(deps: Deps, id: number): Promise<boolean> {
  for (;;) {
    const manifest = await selectManifest(deps.db, id)
    if (!manifest || manifest.state === 'failed') return true
    if (manifest.state === 'created') return keepFile(deps, manifest)
    const parcels = (await selectManifestParcels(deps.db, id)).filter(({ refusal }) => refusal === null)
    const step = parcels.length === 0 ? noParcels : await ask(deps, manifest, parcels)
    if (step === 'wait') return false
    const isWaiting = await deps.db.transaction().execute((tx) => settle(tx, id, { step, at: deps.clock.now() }))
    if (isWaiting) return false
  }
}

type Step = { form: CarrierManifest } | { refusedRefs: readonly string[] } | { failure: string }

const noParcels: Step = { failure: 'None of its parcels can be on a manifest.' }

/** Requests the carrier's answer for a manifest with these accepted parcels. */
async function ask(
  deps: Deps,
  { id, carrierRef }: Manifest,
  parcels: readonly ManifestParcel[],
): Promise<Step | 'wait'> {
  const { carrier } = deps
  const found =
    carrierRef === null
      ? await findForm(
          deps,
          id,
          parcels.slice(0, 1).map(({ parcelRef }) => parcelRef),
        )
      : await carrier.readManifest(carrierRef)
  if (!found.ok) return found.reason === 'unavailable' ? 'wait' : { failure: failed }
  if (found.value) return { form: found.value }
  const made = await carrier.createManifest(parcels.map(({ parcelRef }) => parcelRef))
  if (made.ok) return { form: made.value }
  if (made.reason !== 'refused-parcels') return made.reason === 'unavailable' ? 'wait' : { failure: failed }
  // Another process may have created it between the two calls.
  const again = await findForm(deps, id, made.parcelRefs)
  if (!again.ok && again.reason === 'unavailable') return 'wait'
  return again.ok && again.value ? { form: again.value } : { refusedRefs: made.parcelRefs }
}

const failed = 'The carrier refused it. The driver scans each label.'

/** Returns the form that one of these parcels is on, unless it is another manifest's, or failed. */
async function findForm({ db, carrier }: Deps, id: number, parcelRefs: readonly string[]) {
  for (const parcelRef of parcelRefs) {
    const found = await carrier.findManifest(parcelRef)
    if (!found.ok) return found
    const form = found.value
    if (!form || form.state === 'failed') continue
    const owner = await selectByRef(db, form.manifestRef)
    if (owner === null || owner === id) return { ok: true as const, value: form }
  }
  return { ok: true as const, value: null }
}

/** Stores an answer, unless another process did. Returns whether the carrier is still creating the manifest. */
async function settle(tx: Tx, id: number, { step, at }: { step: Step; at: Temporal.Instant }): Promise<boolean> {
  if (!(await lockRequested(tx, id))) return false
  const parcels = (await selectManifestParcels(tx, id)).filter(({ refusal }) => refusal === null)
  const refsOf = (some: readonly ManifestParcel[]) => some.map(({ parcelRef }) => parcelRef)
  const fail = async (failure: string, carrierRef: string | null) => {
    await refuseParcels(tx, id, { parcelRefs: refsOf(parcels), refusal: failure })
    await updateManifest(tx, id, { state: 'failed', carrierRef, failure, at })
  }
  if ('refusedRefs' in step)
    await refuseParcels(tx, id, { parcelRefs: step.refusedRefs, refusal: parcelRefusals.refused })
  else if ('failure' in step) await fail(step.failure, null)
  else {
    const { manifestRef: carrierRef, state, trackingNumbers, message } = step.form
    if (state === 'failed') await fail((message ?? failed).slice(0, 300) || failed, carrierRef)
    else {
      await updateManifest(tx, id, { state: state === 'created' ? 'created' : 'requested', carrierRef, at })
      if (state === 'creating') return true
      const leftOff = parcels.filter(({ trackingNumber }) => !trackingNumbers.includes(trackingNumber))
      await refuseParcels(tx, id, { parcelRefs: refsOf(leftOff), refusal: parcelRefusals.leftOff })
    }
  }
  return false
}

/** Downloads and stores the file of a created manifest once. Returns whether it is stored. */
async function keepFile({ db, clock, carrier }: Deps, manifest: Manifest): Promise<boolean> {
  const { id, carrierRef, fileKey } = manifest
  if (fileKey !== null || carrierRef === null) return true
  const file = await carrier.readManifestFile(carrierRef)
  if (!file.ok) return false
  await db.transaction().execute(async (tx) => {
    if (!(await lockWithoutFile(tx, id))) return
    await updateFile(tx, id, await storeFile(tx, { contentType: 'application/pdf', bytes: file.value }, clock.now()))
  })
  return true
}

/** Lists manifests, newest first; `next` is the ID that the following page is before. */
export async function listManifests(
  { db }: Pick<Deps, 'db'>,
  query: { state: ManifestState | null; warehouseId: number | null; before: number | null },
  limit: number,
): Promise<{ manifests: Manifest[]; next: number | null }> {
  const found = await selectManifests(db, { ...query, limit: limit + 1 })
  const manifests = found.slice(0, limit)
  return { manifests, next: found.length > limit ? (manifests.at(-1)?.id ?? null) : null }
}

/** Returns a manifest and the parcels that were requested on it; undefined if it doesn't exist. */
export async function findManifest(
  { db }: Pick<Deps, 'db'>,
  id: number,
): Promise<{ manifest: Manifest; parcels: ManifestParcel[] } | undefined> {
  const manifest = await selectManifest(db, id)
  return manifest && { manifest, parcels: await selectManifestParcels(db, id) }
}

/**
 * The PDF of a manifest; undefined where it isn't created, or the carrier doesn't answer. A file that is not stored yet
 * is fetched now. The caller has checked that the reader may see it.
 */
export async function readManifestFile(deps: Deps & { files: Files }, id: number): Promise<Buffer | undefined> {
  const manifest = await selectManifest(deps.db, id)
  if (manifest?.state !== 'created') return undefined
  if (manifest.fileKey === null) await keepFile(deps, manifest)
  const key = manifest.fileKey ?? (await selectManifest(deps.db, id))?.fileKey
  return key ? (await readFile(deps, key))?.bytes : undefined
}

/**
 * Live availability from suppliers' services. Carts and orders query it if the last answer is older than a minute. After
 * a failure, the service is skipped for a while, and the last known stock remains for sale.
 */
import { maxPartNumbers, type AvailabilityService, type AvailablePart } from './availability.port.ts'
import {
  selectDueParts,
  selectHeldParts,
  selectServices,
  updateFault,
  writeAvailability,
  type AnsweredTire,
  type DuePart,
  type HeldPart,
  type StoredService,
} from './availability.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { createLiveReading, type LiveReading } from '#platform/live-reading.ts'
import type { Log } from '#platform/log.ts'
import { refused } from '#platform/outcome.ts'
import { unseal } from '#platform/sealing.ts'
import type { Secrets } from '#platform/secrets.ts'

/** The purpose that a service's key is sealed for. */
export const availabilityKeyPurpose = 'supplier-availability'

/** The maximum age of an answer for carts and orders. */
const freshSeconds = 60
/** The timeout for a cart's queries, which run in parallel. */
const cartTimeoutMs = 700
/** Carts skip a service for this time after a failure. */
const pauseSeconds = 30

/** The maximum age of an answer for the job. */
const jobFreshMinutes = 30
const jobTimeoutMs = 10_000
/** Requests to each supplier per run, of `maxPartNumbers` each. */
const jobRequests = 50

type Deps = { db: Database; clock: Clock; log: Pick<Log, 'warn'>; service: AvailabilityService; secret: Secrets }

export type SupplierAvailability = {
  /** Returns why a service can't be at this address; null if it can. */
  refuse: AvailabilityService['refuse']
  /** The suppliers with a service, as of the last second. */
  services: LiveReading<readonly StoredService[]>
  /** Queries tires with an answer older than a minute, and stores the result as stock. Never throws. */
  refresh(itemIds: readonly number[]): Promise<void>
  /**
   * Queries the services about an order before it is charged. Returns its held purchase orders with units that the
   * supplier no longer has. A service without an answer is assumed to have them.
   */
  findLacking(orderId: number): Promise<number[]>
  /** Queries all tires, oldest answers first. Stops at a service that fails. */
  refreshAll(): Promise<void>
}

/** Creates a process's availability, not yet reading the services. */
export function createSupplierAvailability(deps: Deps): SupplierAvailability {
  const { db, clock, log } = deps
  const services = createLiveReading<readonly StoredService[]>({ version: '', value: [] }, async (known) => {
    const value = await selectServices(db)
    const version = JSON.stringify(value.map(({ supplierId, version: of }) => [supplierId, of]))
    return version === known ? undefined : { version, value }
  })
  const pausedUntil = new Map<number, Temporal.Instant>()
  const running = new Map<string, Promise<AnsweredTire[] | null>>()

  function pause(supplierId: number): void {
    pausedUntil.set(supplierId, clock.now().add({ seconds: pauseSeconds }))
  }

  const isPaused = ({ supplierId }: StoredService) => {
    const until = pausedUntil.get(supplierId)
    return until !== undefined && Temporal.Instant.compare(clock.now(), until) < 0
  }

  /** Shares one query among carts that need the same tires at the same time. */
  function queryOnce(service: StoredService, parts: readonly DuePart[]): Promise<AnsweredTire[] | null> {
    const key = `${service.supplierId}: ${parts.map(({ itemId }) => itemId).join(' ')}`
    const before = running.get(key)
    if (before) return before
    const started = query(deps, service, { parts, timeoutMs: cartTimeoutMs }).finally(() => running.delete(key))
    running.set(key, started)
    return started
  }

  async function refreshParts(itemIds: readonly number[]): Promise<void> {
    const ready = services.current.filter((service) => !isPaused(service))
    if (ready.length === 0) return
    const due = await selectDueParts(db, {
      supplierIds: ready.map(({ supplierId }) => supplierId),
      itemIds,
      before: clock.now().subtract({ seconds: freshSeconds }),
      limit: maxPartNumbers,
    })
    await Promise.all(
      ready.map(async (service) => {
        const parts = due.filter(({ supplierId }) => supplierId === service.supplierId)
        if (parts.length > 0 && !(await queryOnce(service, parts))) pause(service.supplierId)
      }),
    )
  }

  return {
    refuse: (url) => deps.service.refuse(url),
    services,
    async refresh(itemIds) {
      if (services.current.length === 0 || itemIds.length === 0) return
      try {
        await refreshParts([...new Set(itemIds)])
      } catch (error) {
        // The last known stock remains for sale.
        log.warn({ err: error }, 'availability could not be queried for a cart')
      }
    },
    async findLacking(orderId) {
      if (services.current.length === 0) return []
      const parts = await selectHeldParts(db, orderId)
      const lacking = await Promise.all(
        services.current.map((service) =>
          lackingAt(
            deps,
            service,
            parts.filter(({ supplierId }) => supplierId === service.supplierId),
          ),
        ),
      )
      return [...new Set(lacking.flat())]
    },
    async refreshAll() {
      await services.read()
      await Promise.all(services.current.map((service) => queryAll(deps, service)))
    },
  }
}

async function queryAll(deps: Deps, service: StoredService): Promise<void> {
  const before = deps.clock.now().subtract({ minutes: jobFreshMinutes })
  for (let left = jobRequests; left > 0; left -= 1) {
    const parts = await selectDueParts(deps.db, {
      supplierIds: [service.supplierId],
      itemIds: null,
      before,
      limit: maxPartNumbers,
    })
    if (parts.length === 0 || !(await query(deps, service, { parts, timeoutMs: jobTimeoutMs }))) return
  }
}

/** Returns the purchase orders with more units than the supplier has left after earlier orders. */
async function lackingAt(deps: Deps, service: StoredService, parts: readonly HeldPart[]): Promise<number[]> {
  if (parts.length === 0) return []
  const tires = await query(deps, service, { parts, timeoutMs: jobTimeoutMs })
  if (!tires) return []
  return parts
    .filter(({ itemId, branch, quantity, ahead }) => {
      const branches = tires.find((tire) => tire.itemId === itemId)?.branches ?? []
      const units = Math.min(...branches.filter(({ id }) => id === branch).map((each) => each.units))
      return (Number.isFinite(units) ? units : 0) < ahead + quantity
    })
    .map(({ purchaseOrderId }) => purchaseOrderId)
}

/** Queries a service, and stores and returns its answer. On failure, returns null and stores the fault for staff. */
async function query(
  { db, clock, service, secret }: Deps,
  { supplierId, url, sealedKey }: StoredService,
  { parts, timeoutMs }: { parts: readonly DuePart[]; timeoutMs: number },
): Promise<AnsweredTire[] | null> {
  const queriedAt = clock.now()
  const key = unseal(secret, availabilityKeyPurpose, sealedKey)
  const numbers = [...new Set(parts.map(({ mpn }) => partNumberOf(mpn)))]
  const answer =
    key === undefined
      ? refused('unavailable', { fault: 'key unreadable' })
      : await service.query({ url, key }, numbers, { timeoutMs })
  if (!answer.ok) {
    await updateFault(db, { supplierId, fault: answer.detail.fault.slice(0, 200), at: queriedAt })
    return null
  }
  const tires = answeredTires(parts, answer.value)
  await db.transaction().execute((tx) => writeAvailability(tx, { supplierId, queriedAt, tires }))
  await updateFault(db, { supplierId, fault: null, at: queriedAt })
  return tires
}

/**
 * Finds the answered part of each tire. Part numbers are compared by letters and digits. Two brands can use the same
 * number; then the brand decides, and without a match the supplier doesn't have the tire.
 */
export function answeredTires(parts: readonly DuePart[], answer: readonly AvailablePart[]): AnsweredTire[] {
  return parts.map(({ itemId, mpn, brand }) => {
    const same = answer.filter(({ partNumber }) => partNumberOf(partNumber) === partNumberOf(mpn))
    const isAmbiguous =
      same.length > 1 || parts.some((other) => other.itemId !== itemId && partNumberOf(other.mpn) === partNumberOf(mpn))
    const [found] = isAmbiguous ? same.filter((part) => partNumberOf(part.brand) === partNumberOf(brand)) : same
    return { itemId, costCents: found?.costCents ?? null, branches: found?.branches ?? [] }
  })
}

/** Letters and digits only, as suppliers write part numbers in different ways. */
function partNumberOf(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
}

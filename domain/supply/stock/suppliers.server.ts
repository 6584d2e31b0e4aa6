/** Suppliers in the back office. Managers add, change and retire them. Rows are never deleted. */
import {
  addWarehouse,
  closeSupplierWarehouses,
  reopenSupplierWarehouses,
} from '#domain/supply/delivery/delivery.server.ts'
import type { WarehouseDraft } from '#domain/supply/delivery/delivery.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { availabilityKeyPurpose, type SupplierAvailability } from './availability.server.ts'
import type { SupplierDraft } from './supplier-form.ts'
import type { EdiMessage, SupplierConnection, SupplierWire } from './supplier.port.ts'
import {
  countOpenOrders,
  insertSupplier,
  lockSupplier,
  selectConnections,
  selectSuppliers,
  updateExchange,
  updateRetired,
  updateSupplier,
  type OfficeSupplier,
  type StoredConnection,
  type SupplierRow,
  type SupplierSecrets,
  type SupplierTerms,
} from './suppliers.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { seal, unseal } from '#platform/sealing.ts'
import type { Secrets } from '#platform/secrets.ts'

type Deps = {
  db: Database
  clock: Clock
  config: { session: { secret: Secrets } }
  supplierAvailability: Pick<SupplierAvailability, 'refuse'>
}
type RowRefusal =
  | Refused<'not-allowed'>
  | Refused<'secret-missing'>
  | Refused<'edi-secret-missing'>
  | Refused<'edi-bad-address'>
  | Refused<'edi-private-address'>
  | Refused<'key-missing'>
  | Refused<NonNullable<ReturnType<SupplierAvailability['refuse']>>>
type SaveRefusal = RowRefusal | Refused<'identity-taken'>

/** The purposes that a supplier system's secret and the login of its SFTP server are sealed for. */
export const supplierSecretPurpose = 'supplier-cxml'
export const ediSecretPurpose = 'supplier-edi'

/** Lists every supplier by name, active ones first, with its warehouses. */
export function listSuppliers({ db }: Pick<Deps, 'db'>): Promise<OfficeSupplier[]> {
  return selectSuppliers(db, null)
}

/** Returns the supplier with this id; undefined if not found. */
export async function findSupplier({ db }: Pick<Deps, 'db'>, id: number): Promise<OfficeSupplier | undefined> {
  return (await selectSuppliers(db, id))[0]
}

/**
 * Adds a supplier and returns its id. Refuses `not-allowed`, `code-taken`, `identity-taken` if another supplier has this
 * identity, `secret-missing` for a cXML address without a secret, `edi-secret-missing`, `edi-bad-address`, and
 * `edi-private-address` for an EDI server, `key-missing` for an availability service without a key, and `bad-address`, `not-https`, or `private-address`
 * for the service's address.
 */
export async function addSupplier(
  deps: Deps,
  by: Actor,
  draft: SupplierDraft,
): Promise<Outcome<{ id: number }, SaveRefusal | Refused<'code-taken'>>> {
  const { db, clock } = deps
  const at = clock.now()
  return refusingTaken(() =>
    db.transaction().execute(async (tx): Promise<Outcome<{ id: number }, SaveRefusal>> => {
      const row = await rowOf(tx, by, { ...deps, draft, kept: undefined, at })
      if (!row.ok) return row
      const id = await insertSupplier(tx, draft.code, row.value)
      await recordAct(tx, { by, act: 'supplier.added', subject: draft.code, after: recorded(draft), at })
      return ok({ id })
    }),
  )
}

/**
 * Changes a supplier, but not its code, and not its secret unless one is typed. Refuses as `addSupplier` does, `gone`
 * for an unknown one, and `changed-meanwhile` if the stored version is no longer the form's version.
 */
export async function changeSupplier(
  deps: Deps,
  by: Actor,
  id: number,
  draft: SupplierDraft,
): Promise<Outcome<null, SaveRefusal | Refused<'code-taken'> | Refused<'gone'> | Refused<'changed-meanwhile'>>> {
  const { db, clock } = deps
  const at = clock.now()
  return refusingTaken(() =>
    db
      .transaction()
      .execute(async (tx): Promise<Outcome<null, SaveRefusal | Refused<'gone'> | Refused<'changed-meanwhile'>>> => {
        const locked = await lockSupplier(tx, id)
        const row = await rowOf(tx, by, { ...deps, draft, kept: locked, at })
        if (!row.ok && row.reason === 'not-allowed') return row
        const [before] = await selectSuppliers(tx, id)
        if (!locked || !before) return refused('gone')
        if (!row.ok) return row
        if (locked.version !== draft.version) return refused('changed-meanwhile')
        await updateSupplier(tx, { id, version: locked.version }, row.value)
        await recordAct(tx, {
          by,
          act: 'supplier.changed',
          subject: before.code,
          before: recorded(before),
          after: {
            ...recorded(draft),
            ...(draft.cxmlSecret !== null && { secret: 'replaced' }),
            ...(draft.ediSecret !== null && { ediSecret: 'replaced' }),
            ...(draft.availabilityKey !== null && { availabilityKey: 'replaced' }),
          },
          at,
        })
        return ok(null)
      }),
  )
}

type RetireRefusal =
  | Refused<'not-allowed'>
  | Refused<'gone'>
  | Refused<'changed-meanwhile'>
  | Refused<'orders-open', { count: number }>

/**
 * Retires a supplier. The stock of its warehouses is cleared, and neither files nor staff can add stock again. Refuses
 * `orders-open` while a purchase order has not been sent or answered, or was rejected and not moved, or a stock order
 * is open. The stock is cleared before orders are counted, so that an order which took units first is counted.
 */
export function retireSupplier(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  by: Actor,
  { id, version }: { id: number; version: number },
): Promise<Outcome<null, RetireRefusal>> {
  return settle({ db, clock }, by, { id, version, retires: true })
}

/** Takes a retired supplier back. Its next stock file fills its warehouses again. */
export function restoreSupplier(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  by: Actor,
  { id, version }: { id: number; version: number },
): Promise<Outcome<null, RetireRefusal>> {
  return settle({ db, clock }, by, { id, version, retires: false })
}

async function settle(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  by: Actor,
  { id, version, retires }: { id: number; version: number; retires: boolean },
): Promise<Outcome<null, RetireRefusal>> {
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, 'suppliers.manage', at)
      if (!permitted.ok) return permitted
      const [supplier] = await selectSuppliers(tx, id)
      if (!supplier) return refused('gone')
      // Stock before the supplier, as an order locks them.
      if (retires) await closeSupplierWarehouses(tx, id, at)
      const locked = await lockSupplier(tx, id)
      if (locked?.version !== version || (locked.retiredAt !== null) === retires)
        throw new NotRetired(refused('changed-meanwhile'))
      const count = retires ? await countOpenOrders(tx, id) : 0
      if (count > 0) throw new NotRetired(refused('orders-open', { count }))
      if (!retires) await reopenSupplierWarehouses(tx, id, supplier.retiredAt)
      await updateRetired(tx, { id, version }, { retiredAt: retires ? at : null, by: by.name, at })
      await recordAct(tx, { by, act: retires ? 'supplier.retired' : 'supplier.restored', subject: supplier.code, at })
      return ok(null)
    })
  } catch (error) {
    if (error instanceof NotRetired) return error.refusal
    throw error
  }
}

/** Ends a transaction that has cleared stock already, so that the stock stays. */
class NotRetired extends Error {
  readonly refusal: RetireRefusal
  constructor(refusal: RetireRefusal) {
    super(refusal.reason)
    this.refusal = refusal
  }
}

async function refusingTaken<Value, Reason extends Refused<string>>(
  save: () => Promise<Outcome<Value, Reason>>,
): Promise<Outcome<Value, Reason | Refused<'code-taken'> | Refused<'identity-taken'>>> {
  try {
    return await save()
  } catch (error) {
    if (violatedConstraint(error) === 'supplier_code_key') return refused('code-taken')
    if (violatedConstraint(error) === 'supplier_network_id_key') return refused('identity-taken')
    throw error
  }
}

async function rowOf(
  tx: Tx,
  by: Actor,
  {
    draft,
    config,
    supplierAvailability,
    kept,
    at,
  }: Deps & { draft: SupplierDraft; kept: SupplierSecrets | undefined; at: Temporal.Instant },
): Promise<Outcome<SupplierRow, RowRefusal>> {
  const permitted = await requirePermission(tx, by, 'suppliers.manage', at)
  if (!permitted.ok) return permitted
  const { code: _code, version: _version, cxmlSecret: typed, ediSecret: typedLogin, ...others } = draft
  const { availabilityKey: typedKey, ...terms } = others
  const sealed = (purpose: string, text: string | null, before: Buffer | null = null) =>
    text === null ? before : seal(config.session.secret, purpose, text)
  const secret = sealed(supplierSecretPurpose, typed, kept?.cxmlSecret)
  const login = sealed(ediSecretPurpose, typedLogin, kept?.ediSecret)
  const key = sealed(availabilityKeyPurpose, typedKey, kept?.availabilityKey)
  const fault = systemFault(supplierAvailability, terms, { secret, login, key })
  if (fault) return refused(fault)
  return ok({
    ...terms,
    cxmlSecret: terms.cxmlUrl === null ? null : secret,
    ediSecret: terms.ediUrl === null ? null : login,
    availabilityKey: terms.availabilityUrl === null ? null : key,
    by: by.name,
    at,
  })
}

type SystemFault = Exclude<RowRefusal['reason'], 'not-allowed'>

/** Returns why the entered systems can't be used. */
function systemFault(
  availability: Pick<SupplierAvailability, 'refuse'>,
  { cxmlUrl, ediUrl, availabilityUrl }: Pick<SupplierTerms, 'cxmlUrl' | 'ediUrl' | 'availabilityUrl'>,
  { secret, login, key }: Record<'secret' | 'login' | 'key', Buffer | null>,
): SystemFault | null {
  if (cxmlUrl !== null && secret === null) return 'secret-missing'
  if (ediUrl !== null) {
    const fault = ediFault(availability, ediUrl) ?? (login === null ? 'edi-secret-missing' : null)
    if (fault) return fault
  }
  if (availabilityUrl === null) return null
  return availability.refuse(availabilityUrl) ?? (key === null ? 'key-missing' : null)
}

/** Returns why an SFTP server can't be at this address, checked like a web service's address. */
function ediFault({ refuse }: Pick<SupplierAvailability, 'refuse'>, url: string) {
  const { hostname, port } = new URL(url)
  const fault = refuse(`https://${hostname}${port === '' || port === '22' ? '' : `:${port}`}`)
  if (fault === null) return null
  return fault === 'private-address' ? 'edi-private-address' : 'edi-bad-address'
}

function recorded(of: SupplierTerms) {
  const { name, accountNumber, leadDays, discountPpm, freightCents, minimumOrderCents, paymentDays } = of
  return {
    name,
    accountNumber,
    leadDays,
    discountPpm,
    freightCents,
    minimumOrderCents,
    paymentDays,
    networkId: of.networkId,
    cxmlUrl: of.cxmlUrl,
    cxmlIdentity: of.cxmlIdentity,
    ediUrl: of.ediUrl,
    ediIdentity: of.ediIdentity,
    ediUsername: of.ediUsername,
    ediHostKey: of.ediHostKey,
    availabilityUrl: of.availabilityUrl,
  }
}

/**
 * Returns the connection for a supplier that has this identity and its own system. If the secret can't be decrypted, there
 * is no connection until staff enter it again.
 */
export async function connectionFinder({
  db,
  config,
}: Pick<Deps, 'db' | 'config'>): Promise<(networkId: string) => SupplierConnection | 'unreadable' | null> {
  const connections = new Map((await selectConnections(db)).map((each) => [each.networkId, each]))
  return (networkId) => connectionOf(config, connections.get(networkId))
}

function connectionOf(
  { session }: Deps['config'],
  stored: StoredConnection | undefined,
): SupplierConnection | 'unreadable' | null {
  if (!stored) return null
  const { cxmlUrl, cxmlIdentity, cxmlSecret, ediUrl, ediIdentity, ediUsername, ediSecret, ediHostKey } = stored
  if (cxmlUrl !== null && cxmlIdentity !== null && cxmlSecret !== null) {
    const secret = unseal(session.secret, supplierSecretPurpose, cxmlSecret)
    return secret === undefined ? 'unreadable' : { protocol: 'cxml', url: cxmlUrl, identity: cxmlIdentity, secret }
  }
  if (ediUrl === null || ediIdentity === null || ediUsername === null || ediSecret === null || ediHostKey === null)
    return null
  const secret = unseal(session.secret, ediSecretPurpose, ediSecret)
  const edi = { url: ediUrl, identity: ediIdentity, username: ediUsername, hostKey: ediHostKey }
  return secret === undefined ? 'unreadable' : { protocol: 'edi', ...edi, secret }
}

/**
 * Reads the new EDI files of every supplier, and passes each message to `take`. What failed is stored with the supplier.
 * Suppliers without an EDI server are skipped.
 */
export async function collectEdi(
  {
    db,
    clock,
    config,
    suppliers,
  }: Pick<Deps, 'db' | 'clock' | 'config'> & { suppliers: Pick<SupplierWire, 'collect'> },
  take: (supplier: { id: number; networkId: string }, message: EdiMessage) => Promise<void>,
): Promise<void> {
  for (const stored of await selectConnections(db, 'active')) {
    const { id, networkId } = stored
    const connection = connectionOf(config, stored)
    if (networkId === null || connection === null) continue
    if (connection === 'unreadable') {
      if (stored.ediUrl !== null) await updateExchange(db, id, { fault: 'sealed', at: clock.now() })
      continue
    }
    if (connection.protocol !== 'edi') continue
    const read = await suppliers.collect({ networkId, connection }, async (messages) => {
      for (const message of messages) await take({ id, networkId }, message)
    })
    await updateExchange(db, id, { fault: read.ok ? null : read.detail.fault.slice(0, 200), at: clock.now() })
  }
}

/**
 * Adds a warehouse of the store or of a supplier, as `addWarehouse`; also refuses `supplier-retired` for a supplier
 * that is retired or unknown.
 */
export function addHeldWarehouse(deps: Pick<Deps, 'db' | 'clock'>, by: Actor, draft: WarehouseDraft) {
  const { supplierId } = draft
  return addWarehouse(deps, by, draft, async (tx) => {
    if (supplierId === null) return ok(null)
    const supplier = await lockSupplier(tx, supplierId)
    return supplier && supplier.retiredAt === null ? ok(null) : refused('supplier-retired')
  })
}

/**
 * Connects the demo's two wholesalers to the sandbox, as a manager does in the office, and queries their stock. Both have
 * an availability service. Great Lakes exchanges orders and stock as EDI files, and Broadmoor orders in cXML. Run by
 * `npm start` after startup. Idempotent. Doesn't reconnect a supplier that staff changed.
 */
import { z } from 'zod'
import { feedForm, weekdays } from '#domain/catalog/supplier-feeds/supplier-feeds.ts'
import { addFeed, changeFeed, listFeeds } from '#domain/catalog/supplier-feeds/supplier-feeds.server.ts'
import { changeSupplier, listSuppliers, type SupplierAvailability } from '#domain/supply/stock/stock.server.ts'
import { loadConfig } from '#platform/config.ts'
import type { Outcome, Refused } from '#platform/outcome.ts'
import { demoEdiIdentity, demoEdiLogin } from '#sandbox/suppliers/edi.ts'
import { createApplication } from '#application'
import { commandActor, runCommand } from './command.ts'

/** Wholesalers by their code at the store, which in lower case is their name in the sandbox. */
const codes = ['GREATLAKES', 'BROADMOOR']
/** The wholesaler with an SFTP server. */
const ediCode = 'GREATLAKES'
/** The name of its stock file in the office. */
const feedName = 'Great Lakes stock (846)'
/** Each query is about up to 5,000 tires. The job `query-suppliers` continues with larger catalogs. */
const firstQueries = 3
/** The tires in the stock file. */
const listedTires = 500

type Deps = Parameters<typeof changeSupplier>[0] &
  Parameters<typeof addFeed>[0] & {
    config: { suppliers: { secret: string; isTest: boolean } | null; sandbox: { origin: string } }
    supplierAvailability: Pick<SupplierAvailability, 'refuse' | 'refreshAll'>
  }
type Supplier = Awaited<ReturnType<typeof listSuppliers>>[number]
type SftpServer = z.infer<typeof sftpServer>

const sftpServer = z.object({ port: z.int(), username: z.string(), fingerprint: z.string() }).nullable()

/** Connects the wholesalers that aren't connected, and queries all if one of them is new. */
export async function connectWholesalers(deps: Deps): Promise<void> {
  if (!deps.config.suppliers?.isTest) return
  const wholesalers = (await listSuppliers(deps)).filter(({ code }) => codes.includes(code))
  const server = wholesalers.length === 0 ? null : await readSftpServer(deps)
  const connected: boolean[] = []
  for (const supplier of wholesalers)
    connected.push(await connect(deps, supplier, supplier.code === ediCode ? server : null))
  if (connected.includes(true))
    for (let query = 0; query < firstQueries; query += 1) await deps.supplierAvailability.refreshAll()
  if (server === null) return
  const supplier = (await listSuppliers(deps)).find(({ code }) => code === ediCode)
  if (supplier?.ediUrl === folderOf(server)) await subscribeToStock(deps, supplier, server)
}

/** Returns the sandbox's SFTP server, or null without one. */
async function readSftpServer({ config, supplierAvailability }: Deps): Promise<SftpServer> {
  const response = await fetch(`${config.sandbox.origin}/suppliers/edi.json`).catch(() => null)
  const server = response?.ok ? sftpServer.parse(await response.json()) : null
  // A store at an https address doesn't reach servers on this machine.
  return server && supplierAvailability.refuse(`https://localhost:${server.port}`) === null ? server : null
}

const folderOf = ({ port }: { port: number }) => `sftp://localhost:${port}/${ediCode}`

/** Connects a supplier. Returns false if it is already connected. */
async function connect(
  deps: Deps,
  { id, version, warehouses: _held, ...terms }: Supplier,
  server: SftpServer,
): Promise<boolean> {
  if (terms.retiredAt !== null) return false
  const changes = { ...availabilityOf(deps, { ...terms, version }), ...ediOf(terms, server, version) }
  if (Object.keys(changes).length === 0) return false
  const secrets = { cxmlSecret: null, ediSecret: null, availabilityKey: null }
  requireDone(
    `The demo's supplier ${terms.code}`,
    await changeSupplier(deps, commandActor(), id, { ...terms, ...secrets, ...changes, version }),
  )
  return true
}

/** Returns the sandbox's availability service, for a new supplier or after the sandbox's port changed. */
function availabilityOf(
  { config: { suppliers, sandbox }, supplierAvailability }: Deps,
  { code, version, availabilityUrl: known }: Pick<Supplier, 'code' | 'version' | 'availabilityUrl'>,
) {
  const path = `/wholesale/${code.toLowerCase()}/search/by-part-numbers`
  const availabilityUrl = sandbox.origin + path
  const isNew = known === null && version === 1
  const isMoved = known !== availabilityUrl && known?.endsWith(path) === true
  return (isNew || isMoved) && supplierAvailability.refuse(availabilityUrl) === null
    ? { availabilityUrl, availabilityKey: suppliers?.secret ?? null }
    : {}
}

/** Returns the folder on the sandbox's SFTP server, for a new supplier or after the server's port or key changed. */
function ediOf({ ediUrl, ediHostKey }: Pick<Supplier, 'ediUrl' | 'ediHostKey'>, server: SftpServer, version: number) {
  if (server === null) return {}
  const isNew = ediUrl === null && version === 1
  const isDemo = ediUrl?.startsWith('sftp://localhost:') === true && ediUrl.endsWith(`/${ediCode}`)
  const isMoved = isDemo && (ediUrl !== folderOf(server) || ediHostKey !== server.fingerprint)
  return isNew || isMoved
    ? {
        ediUrl: folderOf(server),
        ediIdentity: demoEdiIdentity,
        ediUsername: server.username,
        ediSecret: demoEdiLogin.password,
        ediHostKey: server.fingerprint,
      }
    : {}
}

/** Sends our numbers to the wholesaler once, and fetches its stock file every hour. */
async function subscribeToStock(deps: Deps, supplier: Supplier, server: NonNullable<SftpServer>): Promise<void> {
  const feed = (await listFeeds(deps)).find(({ name }) => name === feedName)
  const url = `${folderOf(server)}/inventory.edi`
  if (feed && feed.url === url && feed.hostKey === server.fingerprint) return
  if (feed && !feed.url.startsWith('sftp://localhost:')) return
  await sendNumbers(deps, supplier)
  const draft = feedForm.parse({
    name: feedName,
    kind: 'stock',
    mode: 'per-row',
    url,
    username: server.username,
    password: demoEdiLogin.password,
    privateKey: '',
    hostKey: server.fingerprint,
    ...Object.fromEntries(weekdays.map((day) => [day, '1'])),
    times: Array.from({ length: 24 }, (_, hour) => `${hour}:45`).join(', '),
    maxPricePercent: '20',
    version: String(feed?.version ?? 0),
  })
  const saved = feed
    ? await changeFeed(deps, commandActor(), feed.id, draft)
    : await addFeed(deps, commandActor(), draft)
  requireDone(`The feed ${feedName}`, saved)
}

/** Sends the store's SKUs of the wholesaler's tires, which its stock file lists. */
async function sendNumbers({ db, config }: Deps, { id, code, warehouses }: Supplier): Promise<void> {
  const [warehouse] = warehouses
  if (!warehouse) return
  const numbers = await db
    .selectFrom('supplier_availability')
    .innerJoin('item', 'item.id', 'supplier_availability.item_id')
    .select(['item.sku', 'item.mpn as partNumber'])
    .where('supplier_availability.supplier_id', '=', id)
    .where('supplier_availability.units', '>', 0)
    .where('item.mpn', 'is not', null)
    .orderBy('item.id')
    .limit(listedTires)
    .execute()
  const response = await fetch(`${config.sandbox.origin}/wholesale/numbers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ supplier: code.toLowerCase(), warehouse: warehouse.code, numbers }),
  })
  if (!response.ok) throw new Error(`The sandbox refused the numbers for ${code}: ${response.status}.`)
}

function requireDone(subject: string, outcome: Outcome<unknown, Refused<string>>): void {
  if (!outcome.ok) throw new Error(`${subject} was refused: ${outcome.reason}.`)
}

if (import.meta.main)
  await runCommand(async () => {
    const app = createApplication(loadConfig())
    await using _closed = { [Symbol.asyncDispose]: () => app.close() }
    await connectWholesalers(app)
  })

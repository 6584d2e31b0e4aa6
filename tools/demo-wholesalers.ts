/**
 * Connects the demo's two wholesalers to their availability services in the sandbox, as a manager does in the office,
 * and queries their stock. Run by `npm start` after startup. Idempotent. Doesn't reconnect a supplier that staff changed.
 */
import { changeSupplier, listSuppliers, type SupplierAvailability } from '#domain/supply/stock/stock.server.ts'
import { loadConfig } from '#platform/config.ts'
import { createApplication } from '#application'
import { commandActor, runCommand } from './command.ts'

/** Wholesalers by their code at the store, which in lower case is their name in the sandbox. */
const codes = ['GREATLAKES', 'BROADMOOR']
/** Each query is about up to 5,000 tires. The job `query-suppliers` continues with larger catalogs. */
const firstQueries = 3

type Deps = Parameters<typeof changeSupplier>[0] & {
  config: { suppliers: { secret: string; isTest: boolean } | null; sandbox: { origin: string } }
  supplierAvailability: Pick<SupplierAvailability, 'refuse' | 'refreshAll'>
}
type Supplier = Awaited<ReturnType<typeof listSuppliers>>[number]

/** Connects the wholesalers that aren't connected, and queries all if one of them is new. */
export async function connectWholesalers(deps: Deps): Promise<void> {
  const wholesalers = (await listSuppliers(deps)).filter(({ code }) => codes.includes(code))
  const connected: boolean[] = []
  for (const supplier of wholesalers) connected.push(await connect(deps, supplier))
  if (!connected.includes(true)) return
  for (let query = 0; query < firstQueries; query += 1) await deps.supplierAvailability.refreshAll()
}

/** Connects a supplier. Returns false if there is nothing to change. */
async function connect(deps: Deps, { id, version, warehouses: _held, ...terms }: Supplier): Promise<boolean> {
  const { suppliers: network, sandbox } = deps.config
  if (!network?.isTest || terms.retiredAt !== null) return false
  const path = `/wholesale/${terms.code.toLowerCase()}/search/by-part-numbers`
  const availabilityUrl = sandbox.origin + path
  const isNew = terms.availabilityUrl === null && version === 1
  // The sandbox has another port than before.
  const isMoved = terms.availabilityUrl !== availabilityUrl && terms.availabilityUrl?.endsWith(path) === true
  if (!(isNew || isMoved) || deps.supplierAvailability.refuse(availabilityUrl) !== null) return false
  const draft = {
    ...terms,
    cxmlSecret: null,
    ediSecret: null,
    availabilityUrl,
    availabilityKey: network.secret,
    version,
  }
  const changed = await changeSupplier(deps, commandActor(), id, draft)
  if (!changed.ok) throw new Error(`The demo's supplier ${terms.code} was refused: ${changed.reason}.`)
  return true
}

if (import.meta.main)
  await runCommand(async () => {
    const app = createApplication(loadConfig())
    await using _closed = { [Symbol.asyncDispose]: () => app.close() }
    await connectWholesalers(app)
  })

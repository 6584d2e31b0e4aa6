/**
 * Wholesalers' web services for availability and cost, in the form of TireConnect's "Wholesale Web Services
 * Requirements Overview", search by part numbers. https://eaxisinc.atlassian.net/wiki/x/AwBDkw
 */
import { Hono } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import { formFields } from '../body.ts'
import { moment, page, type Html } from '../pages/layout.ts'
import { isSameSecret } from '../signature.ts'
import type { Collection, Store } from '../store.ts'
import { demoPart, nextDelivery, numberOf } from './demo-stock.ts'
import type { InventoryLine } from './x12.ts'

/**
 * A part with its current units. Money is in dollars, as in the service's answers, and null if the buyer's price list
 * applies.
 */
type Part = {
  supplier: string
  partNumber: string
  brand: string
  cost: number | null
  branches: { id: string; quantity: number }[]
  /** The time of the quantities. */
  at?: string
}

/** A request, for tests and for the page. */
type SearchRequest = { supplier: string; partNumbers: string[] }

/** A part's SKU at the store, and its warehouse's code there. */
type StoreNumber = { supplier: string; partNumber: string; sku: string; warehouse: string }

export type Wholesale = {
  readonly parts: Collection<Part>
  readonly requests: Collection<SearchRequest>
  readonly numbers: Collection<StoreNumber>
  readonly key: string
  readonly stallSeconds: number
  /** Whether the demo's wholesalers stock parts of its brands (`demo-stock.ts`). */
  readonly hasDemoStock: boolean
  now(): Temporal.Instant
}

/** Supplier names in the address for which the service fails. */
export const wholesaleFaults = { down: 'down', slow: 'slow', broken: 'broken', limited: 'limited' } as const

/** Suppliers that have every part, with quantities that change every five minutes, and their branches. */
export const movingStock: Readonly<Record<string, readonly string[]>> = { north: ['N1', 'N2'], south: ['S1', 'S2'] }

export function openWholesale(
  store: Store,
  options: { key: string; stallSeconds: number; hasDemoStock: boolean; now: () => Temporal.Instant },
): Wholesale {
  return {
    ...options,
    parts: store.collection('wholesale-part'),
    requests: store.collection('wholesale-request'),
    numbers: store.collection('wholesale-number'),
  }
}

/** The maximum number of parts with a store SKU. */
const maxNumbers = 2_000

/** Returns a supplier's units by store SKU, sorted by SKU. Parts without one are left out. */
export function inventoryOf(wholesale: Wholesale, supplier: string): InventoryLine[] {
  return wholesale.numbers
    .list({ limit: maxNumbers })
    .filter((number) => number.supplier === supplier.toLowerCase())
    .flatMap(({ partNumber, sku, warehouse }): InventoryLine[] => {
      const units = unitsOf(wholesale, supplier, partNumber)
      return units === undefined ? [] : [{ sku, part: partNumber, warehouse, units }]
    })
    .toSorted((one, other) => (one.sku < other.sku ? -1 : 1))
}

/**
 * Returns the units that a supplier, by its identity on the network, has of a part; undefined for a part that it doesn't
 * list.
 */
export function unitsOf(wholesale: Wholesale, supplier: string, part: string): number | undefined {
  const found = findListed(wholesale, supplier.toLowerCase(), plainNumber(part))
  return found && totalOf(found.branches)
}

/** Subtracts a part's units from a supplier's branches. A negative number adds units. */
export function takeUnits(
  wholesale: Wholesale,
  supplier: string,
  { part, units }: { part: string; units: number },
): void {
  const found = findListed(wholesale, supplier.toLowerCase(), plainNumber(part))
  if (!found) return
  let left = units
  const branches = found.branches.map(({ id, quantity }) => {
    const taken = Math.min(left, quantity)
    left -= taken
    return { id, quantity: quantity - taken }
  })
  const at = found.at === undefined ? {} : { at: wholesale.now().toString() }
  wholesale.parts.put(keyOf(found.supplier, found.partNumber), { ...found, branches, ...at })
}

const searchSchema = z.object({
  part_numbers: z
    .array(z.string().regex(/^[A-Za-z0-9]{1,70}$/))
    .min(1)
    .max(100),
  min_quantity: z.int().min(0).default(0),
})

/** A service per supplier and the page of their parts, mounted at /wholesale. */
export function createWholesaleSite(wholesale: Wholesale): Hono {
  return new Hono().route('/', createWholesaleApi(wholesale)).route('/', createWholesaleBoard(wholesale))
}

function createWholesaleApi(wholesale: Wholesale): Hono {
  const app = new Hono()
  app.post('/:supplier/search/by-part-numbers', async (c) => {
    const supplier = c.req.param('supplier')
    if (supplier === wholesaleFaults.down) return c.json({ message: 'Out of order.' }, 503)
    if (supplier === wholesaleFaults.limited) return c.json({ message: 'Too many requests.' }, 429)
    if (supplier === wholesaleFaults.broken) return c.text('[{"part_number":')
    const key = /^bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
    if (!isSameSecret(key, wholesale.key)) return c.json({ message: 'The key is wrong.' }, 401)
    const search = searchSchema.safeParse(await c.req.json().catch(() => undefined))
    if (!search.success) return c.json({ message: 'Send "part_numbers" with letters and digits only.' }, 400)
    const { part_numbers: partNumbers, min_quantity: least } = search.data
    noteRequest(wholesale, { supplier, partNumbers })
    const found = partNumbers.flatMap((partNumber) => findPart(wholesale, supplier, partNumber) ?? [])
    if (supplier === wholesaleFaults.slow)
      await new Promise((resolve) => setTimeout(resolve, wholesale.stallSeconds * 1000).unref())
    return c.json(found.filter(({ branches }) => totalOf(branches) >= least).map(written))
  })
  return app
}

/** Stores a request for two hours. */
function noteRequest(wholesale: Wholesale, request: SearchRequest): void {
  const { requests } = wholesale
  const now = wholesale.now()
  requests.put(`${now.epochNanoseconds} ${crypto.randomUUID()}`, request, now.add({ hours: 2 }))
  for (let old = requests.nextDue(now); old; old = requests.nextDue(now)) requests.remove(old.id)
}

/** Returns a part that was set on the page, or that a wholesaler of the demo stocks. */
function findListed(wholesale: Wholesale, supplier: string, partNumber: string): Part | undefined {
  const known = wholesale.parts.get(keyOf(supplier, partNumber))
  if (known && known.at === undefined) return known
  return wholesale.hasDemoStock ? demoPart({ supplier, partNumber, known }, wholesale.now()) : undefined
}

function findPart(wholesale: Wholesale, supplier: string, partNumber: string): Part | undefined {
  const listed = findListed(wholesale, supplier, partNumber)
  if (listed) return listed
  const branches = movingStock[supplier]
  if (!branches) return undefined
  const cost = 40 + (numberOf(`${supplier} ${partNumber}`) % 20_000) / 100
  const window = Math.floor(wholesale.now().epochMilliseconds / 300_000)
  return {
    supplier,
    partNumber,
    brand: '',
    cost,
    branches: branches.map((id) => ({ id, quantity: numberOf(`${supplier} ${partNumber} ${id} ${window}`) % 40 })),
  }
}

function written({ partNumber, brand, cost, branches }: Part) {
  return {
    part_number: partNumber,
    brand,
    cost,
    branches: branches.map(({ id, quantity }) => ({ name: `Branch ${id}`, id, quantity })),
  }
}

function totalOf(branches: Part['branches']): number {
  return branches.reduce((sum, { quantity }) => sum + quantity, 0)
}

function keyOf(supplier: string, partNumber: string): string {
  return `${supplier} ${partNumber}`
}

/** A part number as the service takes it. */
function plainNumber(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
}

/** The parts that moved or were set, and the last queried ones, with a form to set one. */
function createWholesaleBoard(wholesale: Wholesale): Hono {
  const app = new Hono()
  app.get('/', (c) => c.html(page('Wholesalers', board(wholesale, shownParts(wholesale)))))
  app.get('/requests.json', (c) => c.json({ requests: wholesale.requests.list({ limit: 1_000 }) }))
  app.post('/numbers', async (c) => {
    const posted = storeNumbers.safeParse(await c.req.json().catch(() => undefined))
    if (!posted.success) return c.json({ message: 'Send supplier, warehouse, and up to 500 numbers.' }, 400)
    const { supplier, warehouse, numbers } = posted.data
    for (const { partNumber, sku } of numbers)
      wholesale.numbers.put(keyOf(supplier, plainNumber(partNumber)), { supplier, partNumber, sku, warehouse })
    return c.body(null, 204)
  })
  app.post('/parts', async (c) => {
    const part = partOf(await formFields(c))
    if (!part) return c.html(page('Wholesalers', html`<p class="error">Fill in every field.</p>`), 422)
    wholesale.parts.put(keyOf(part.supplier, part.partNumber), part)
    return c.redirect('/wholesale', 303)
  })
  return app
}

const storeNumbers = z.object({
  supplier: z.string().regex(/^[a-z0-9-]{1,40}$/),
  warehouse: z.string().regex(/^[A-Z0-9]{1,10}$/),
  numbers: z
    .array(
      z.object({ partNumber: z.string().regex(/^[A-Za-z0-9-]{1,70}$/), sku: z.string().regex(/^[A-Z0-9._-]{1,40}$/) }),
    )
    .max(500),
})

const partForm = z.object({
  supplier: z.string().regex(/^[a-z0-9-]{1,40}$/),
  partNumber: z
    .string()
    .transform(plainNumber)
    .pipe(z.string().regex(/^[A-Z0-9]{1,70}$/)),
  brand: z.string().max(100).default(''),
  cost: z.coerce.number().positive().max(1_000_000),
  branch: z.string().regex(/^[A-Za-z0-9._-]{1,40}$/),
  quantity: z.coerce.number().int().min(0).max(100_000),
})

function partOf(fields: ReadonlyMap<string, string>): Part | undefined {
  const parsed = partForm.safeParse(Object.fromEntries(fields))
  if (!parsed.success) return undefined
  const { branch: id, quantity, ...part } = parsed.data
  return { ...part, branches: [{ id, quantity }] }
}

function shownParts(wholesale: Wholesale): Part[] {
  const asked = wholesale.requests
    .list({ limit: 20 })
    .flatMap(({ supplier, partNumbers }) => partNumbers.map((partNumber) => ({ supplier, partNumber })))
    .slice(0, 60)
  const all = [...wholesale.parts.list({ limit: 200 }), ...asked]
  const keys = new Map(all.map((part) => [keyOf(part.supplier, part.partNumber), part]))
  return [...keys.values()].flatMap(({ supplier, partNumber }) => findListed(wholesale, supplier, partNumber) ?? [])
}

function board(wholesale: Wholesale, parts: Part[]): Html {
  return html`${
      wholesale.hasDemoStock
        ? html`<p>
            Orders to Great Lakes Tire Supply and Broadmoor Wholesale lower their stock. The next trucks arrive at
            ${moment(nextDelivery(wholesale.now()))}.
          </p>`
        : html``
    }
    <form method="post" action="/wholesale/parts">
      ${['supplier', 'partNumber', 'brand', 'cost', 'branch', 'quantity'].map(
        (name) =>
          html`<p>
            <label>${name} <input name="${name}" /></label>
          </p>`,
      )}
      <button class="button">Set</button>
    </form>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Supplier</th>
            <th scope="col">Part</th>
            <th scope="col">Cost</th>
            <th scope="col">Units by branch</th>
          </tr>
        </thead>
        <tbody>
          ${parts.map(
            ({ supplier, partNumber, brand, cost, branches }) =>
              html`<tr>
                <td>${supplier}</td>
                <td>${brand} ${partNumber}</td>
                <td>${cost === null ? '' : `$${cost.toFixed(2)}`}</td>
                <td>${branches.map(({ id, quantity }) => `${id}: ${quantity}`).join(', ')}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

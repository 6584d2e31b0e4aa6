/** The statements of fleet quotes. */
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { ListedVehicle } from './vehicle-file.server.ts'

export type FleetQuote = {
  id: string
  companyId: string
  zip: string
  createdAt: Temporal.Instant
  heldAt: Temporal.Instant | null
  goodThrough: Temporal.PlainDate | null
}

/** A vehicle in the list. `front` and `rear` are its tires, or null while unknown. */
export type FleetVehicle = ListedVehicle & {
  decoded: string | null
  vehicle: ChosenVehicle | null
  front: string | null
  rear: string | null
  dualRearWheels: boolean
  salesQuoteId: number | null
}

/** The tires that are held for all vehicles with these sizes; both articles are one where the sizes are. */
export type HeldTire = {
  front: string
  rear: string
  frontItemId: number
  rearItemId: number
  frontUnitCents: number
  rearUnitCents: number
}

const columns = [
  'id',
  'company_id as companyId',
  'zip',
  'created_at as createdAt',
  'held_at as heldAt',
  'good_through_on as goodThroughOn',
] as const

function toQuote({ goodThroughOn, ...row }: Omit<FleetQuote, 'goodThrough'> & { goodThroughOn: string | null }) {
  return { ...row, goodThrough: goodThroughOn === null ? null : Temporal.PlainDate.from(goodThroughOn) }
}

/** Returns this company's quote; undefined for other ids. */
export async function selectFleetQuote(
  db: Database,
  { id, companyId }: { id: string; companyId: string },
): Promise<FleetQuote | undefined> {
  const row = await db
    .selectFrom('fleet_quote')
    .select(columns)
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .executeTakeFirst()
  return row && toQuote(row)
}

/** The same, locked until the transaction ends. */
export async function lockFleetQuote(tx: Tx, key: { id: string; companyId: string }): Promise<FleetQuote | undefined> {
  await tx.selectFrom('fleet_quote').select('id').where('id', '=', key.id).forUpdate().execute()
  return selectFleetQuote(tx, key)
}

/** Selects up to `count` of a company's quotes, newest first, with their vehicle counts. */
export async function selectFleetQuotes(
  db: Database,
  companyId: string,
  count: number,
): Promise<(FleetQuote & { vehicles: number })[]> {
  const rows = await db
    .selectFrom('fleet_quote')
    .select(columns)
    .select((eb) =>
      eb
        .selectFrom('fleet_quote_vehicle')
        .select((each) => each.cast<number>(each.fn.countAll(), 'integer').as('vehicles'))
        .whereRef('fleet_quote_id', '=', 'fleet_quote.id')
        .as('vehicles'),
    )
    .where('company_id', '=', companyId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(count)
    .execute()
  return rows.map(({ vehicles, ...row }) => ({ ...toQuote(row), vehicles: vehicles ?? 0 }))
}

/** Returns the quote created by this form, for any company. */
export function selectByKey(db: Database, formKey: string): Promise<{ id: string; companyId: string } | undefined> {
  return db
    .selectFrom('fleet_quote')
    .select(['id', 'company_id as companyId'])
    .where('form_key', '=', formKey)
    .executeTakeFirst()
}

/** Inserts a quote with its vehicles; false if this form already created one. */
export async function insertFleetQuote(
  tx: Tx,
  quote: { id: string; companyId: string; accountId: string; formKey: string; zip: string; at: Temporal.Instant },
  vehicles: readonly Omit<FleetVehicle, 'salesQuoteId'>[],
): Promise<boolean> {
  const made = await tx
    .insertInto('fleet_quote')
    .values({
      id: quote.id,
      company_id: quote.companyId,
      account_id: quote.accountId,
      form_key: quote.formKey,
      zip: quote.zip,
      created_at: quote.at,
    })
    .onConflict((conflict) => conflict.column('form_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return false
  await tx
    .insertInto('fleet_quote_vehicle')
    .values(
      vehicles.map(({ plateState, vehicle, dualRearWheels, ...row }) => ({
        ...row,
        fleet_quote_id: quote.id,
        plate_state: plateState,
        vehicle: vehicle && JSON.stringify(vehicle),
        dual_rear_wheels: dualRearWheels,
      })),
    )
    .execute()
  return true
}

/** Selects a quote's vehicles, in list order. */
export async function selectFleetVehicles(db: Database, id: string): Promise<FleetVehicle[]> {
  const rows = await db
    .selectFrom('fleet_quote_vehicle')
    .select(['line', 'vin', 'unit', 'plate', 'plate_state as plateState', 'decoded', 'vehicle', 'front', 'rear'])
    .select(['dual_rear_wheels as dualRearWheels', 'sales_quote_id as salesQuoteId'])
    .where('fleet_quote_id', '=', id)
    .orderBy('line')
    .execute()
  return rows.map((row) => ({ ...row, vehicle: row.vehicle as ChosenVehicle | null }))
}

/** Which vehicle a line is, and its tires. */
export async function updateVehicle(
  tx: Tx,
  id: string,
  { line, vehicle, front, rear }: Pick<FleetVehicle, 'line' | 'vehicle' | 'front' | 'rear'>,
): Promise<void> {
  await tx
    .updateTable('fleet_quote_vehicle')
    .set({ vehicle: vehicle && JSON.stringify(vehicle), front, rear })
    .where('fleet_quote_id', '=', id)
    .where('line', '=', line)
    .execute()
}

/** Holds these tires through a day. */
export async function insertHeld(
  tx: Tx,
  id: string,
  { tires, goodThrough, at }: { tires: readonly HeldTire[]; goodThrough: Temporal.PlainDate; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('fleet_quote_tire')
    .values(
      tires.map((tire) => ({
        fleet_quote_id: id,
        front: tire.front,
        rear: tire.rear,
        front_item_id: tire.frontItemId,
        rear_item_id: tire.rearItemId,
        front_unit_cents: tire.frontUnitCents,
        rear_unit_cents: tire.rearUnitCents,
      })),
    )
    .execute()
  await tx
    .updateTable('fleet_quote')
    .set({ held_at: at, good_through_on: goodThrough.toString() })
    .where('id', '=', id)
    .execute()
}

/** The tires that are held, by their sizes. */
export function selectHeld(db: Database, id: string): Promise<HeldTire[]> {
  return db
    .selectFrom('fleet_quote_tire')
    .select(['front', 'rear', 'front_item_id as frontItemId', 'rear_item_id as rearItemId'])
    .select(['front_unit_cents as frontUnitCents', 'rear_unit_cents as rearUnitCents'])
    .where('fleet_quote_id', '=', id)
    .orderBy('front')
    .orderBy('rear')
    .execute()
}

/** Stores the sales quote for a vehicle's order. */
export async function updateSalesQuote(tx: Tx, id: string, line: number, salesQuoteId: number): Promise<void> {
  await tx
    .updateTable('fleet_quote_vehicle')
    .set({ sales_quote_id: salesQuoteId })
    .where('fleet_quote_id', '=', id)
    .where('line', '=', line)
    .execute()
}

/** Deletes lists created before `before`; returns how many. */
export async function deleteOld(db: Database, before: Temporal.Instant): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('fleet_quote').where('created_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}

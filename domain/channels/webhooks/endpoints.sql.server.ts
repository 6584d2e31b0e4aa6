/** The statements for endpoints of webhooks. */
import type { Database, Tx } from '#platform/db.ts'
import type { EndpointState, PauseReason, StoreType, WebhookOwner } from './webhooks.ts'

export type Endpoint = {
  id: string
  owner: WebhookOwner
  url: string
  types: StoreType[]
  state: EndpointState
  pausedBecause: PauseReason | null
  secretNo: number
  rotatedAt: Temporal.Instant | null
  secretShownAt: Temporal.Instant | null
  failingSince: Temporal.Instant | null
  createdAt: Temporal.Instant
}

const columns = [
  'id',
  'company_id',
  'widget_id',
  'is_store',
  'url',
  'event_types',
  'state',
  'paused_because',
  'secret_no',
  'rotated_at',
  'secret_shown_at',
  'failing_since',
  'created_at',
] as const

/** The endpoints of an owner that were not removed, oldest first. */
export async function selectEndpoints(db: Database, owner: WebhookOwner): Promise<Endpoint[]> {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select(columns)
    .where('state', '<>', 'removed')
    .where((eb) => {
      if (owner.kind === 'store') return eb('is_store', '=', true)
      return owner.kind === 'company' ? eb('company_id', '=', owner.companyId) : eb('widget_id', '=', owner.widgetId)
    })
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.flatMap((row) => endpointOf(row) ?? [])
}

/** An endpoint that was not removed; `isLocked` until the end of the transaction. */
export async function selectEndpoint(
  db: Database,
  id: string,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<Endpoint | undefined> {
  const row = await db
    .selectFrom('webhook_endpoint')
    .select(columns)
    .where('id', '=', id)
    .where('state', '<>', 'removed')
    .$if(isLocked, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  return row && endpointOf(row)
}

type OwnerColumns = { company_id: string | null; widget_id: string | null; is_store: boolean }

function endpointOf(
  row: OwnerColumns & {
    id: string
    url: string
    event_types: string[]
    state: string
    paused_because: string | null
    secret_no: number
    rotated_at: Temporal.Instant | null
    secret_shown_at: Temporal.Instant | null
    failing_since: Temporal.Instant | null
    created_at: Temporal.Instant
  },
): Endpoint | undefined {
  const owner = ownerOf(row)
  return (
    owner && {
      id: row.id,
      owner,
      url: row.url,
      types: row.event_types as StoreType[],
      state: row.state as EndpointState,
      pausedBecause: row.paused_because as PauseReason | null,
      secretNo: row.secret_no,
      rotatedAt: row.rotated_at,
      secretShownAt: row.secret_shown_at,
      failingSince: row.failing_since,
      createdAt: row.created_at,
    }
  )
}

/** Who an endpoint belongs to, from its columns. */
export function ownerOf(row: OwnerColumns): WebhookOwner | undefined {
  if (row.is_store) return { kind: 'store' }
  if (row.company_id !== null) return { kind: 'company', companyId: row.company_id }
  return row.widget_id === null ? undefined : { kind: 'partner', widgetId: row.widget_id }
}

/** Adds an endpoint; throws on the constraint `webhook_endpoint_of_…_once` of its owner. */
export async function insertEndpoint(
  tx: Tx,
  endpoint: { id: string; owner: WebhookOwner; url: string; types: readonly StoreType[]; at: Temporal.Instant },
): Promise<void> {
  const { owner } = endpoint
  await tx
    .insertInto('webhook_endpoint')
    .values({
      id: endpoint.id,
      company_id: owner.kind === 'company' ? owner.companyId : null,
      widget_id: owner.kind === 'partner' ? owner.widgetId : null,
      is_store: owner.kind === 'store',
      url: endpoint.url,
      event_types: [...endpoint.types],
      created_at: endpoint.at,
      changed_at: endpoint.at,
    })
    .execute()
}

export type EndpointChange = {
  url?: string
  event_types?: string[]
  state?: EndpointState | 'removed'
  paused_because?: PauseReason | null
  secret_no?: number
  rotated_at?: Temporal.Instant
  secret_shown_at?: Temporal.Instant | null
  failing_since?: Temporal.Instant | null
}

/** Changes an endpoint. */
export async function updateEndpoint(tx: Tx, id: string, change: EndpointChange, at: Temporal.Instant): Promise<void> {
  await tx
    .updateTable('webhook_endpoint')
    .set({ ...change, changed_at: at })
    .where('id', '=', id)
    .execute()
}

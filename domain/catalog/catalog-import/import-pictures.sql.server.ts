/** The rows of import_picture. */
import { sql } from 'kysely'
import type { PictureOwner } from '#domain/catalog/catalog/catalog.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { maxPictures, type PictureProblem } from './import-pictures.ts'

/**
 * Inserts the picture addresses of a run's rows that aren't known yet, or failed before. An address that all rows of a
 * line have is the line's, others are their items'. Those above the limit fail.
 */
export async function insertPictures(tx: Tx, runId: number, at: Temporal.Instant): Promise<void> {
  await sql`
    create temporary table import_picture_plan on commit drop as
    select case when is_shared then line_id end as product_line_id, case when not is_shared then item_id end as item_id, picture_url as url, min(row_no) as row_no
    from (
      select import_plan.line_id, import_plan.item_id, import_plan.row_no, staged.picture_url,
        count(*) over line = count(staged.picture_url) over line and min(staged.picture_url) over line = max(staged.picture_url) over line as is_shared
      from import_plan join import_product as staged on staged.run_id = ${sql.lit(runId)} and staged.row_no = import_plan.row_no
      window line as (partition by import_plan.line_id)) as named
    where picture_url is not null group by 1, 2, 3`.execute(tx)
  const isKnown = sql`known.url = wanted.url and (known.product_line_id = wanted.product_line_id or known.item_id = wanted.item_id)`
  await sql`delete from import_picture as known using import_picture_plan as wanted where known.state = 'failed' and ${isKnown}`.execute(
    tx,
  )
  await sql`
    insert into import_picture (run_id, product_line_id, item_id, url, due_at, state, problem)
    select ${runId}::int, product_line_id, item_id, url, ${at.toString()}::timestamptz,
      case when place > ${maxPictures} then 'failed' else 'waiting' end, case when place > ${maxPictures} then 'too-many-in-import' end
    from (
      select wanted.*, row_number() over (order by row_no, item_id) as place from import_picture_plan as wanted
      where not exists (select from import_picture as known where ${isKnown})) as wanted
    order by place`.execute(tx)
}

/** A picture that is being loaded, with the text that describes it. */
export type DuePicture = { id: number; url: string; attempts: number; of: PictureOwner; description: string }

/**
 * Takes up to `count` due pictures and counts an attempt for each. They are due again at `retryAt`, in case the worker
 * crashes.
 */
export async function takeDuePictures(
  db: Database,
  runId: number,
  { now, retryAt, count }: { now: Temporal.Instant; retryAt: Temporal.Instant; count: number },
): Promise<DuePicture[]> {
  const { rows } = await sql<Omit<DuePicture, 'of'> & { lineId: number | null; itemId: number | null }>`
    with due as (
      select id from import_picture where run_id = ${runId}::int and state = 'waiting' and due_at <= ${now.toString()}::timestamptz
      order by due_at, id limit ${count} for no key update skip locked),
    taken as (
      update import_picture set attempts = attempts + 1, due_at = ${retryAt.toString()}::timestamptz from due where import_picture.id = due.id
      returning import_picture.*)
    select taken.id, taken.url, taken.attempts, taken.product_line_id as "lineId", taken.item_id as "itemId",
      concat_ws(' ', brand.name, product_line.name, size.designation) as description
    from taken left join item on item.id = taken.item_id left join size on size.id = item.size_id
    join product_line on product_line.id = coalesce(taken.product_line_id, item.product_line_id) join brand on brand.id = product_line.brand_id
    order by taken.id`.execute(db)
  return rows.map(({ lineId, itemId, ...picture }) => ({
    ...picture,
    of: itemId === null ? { kind: 'line', id: lineId ?? 0 } : { kind: 'item', id: itemId },
  }))
}

/** Locks a waiting picture. Returns false if it is gone or done. */
export async function lockWaitingPicture(tx: Tx, id: number): Promise<boolean> {
  const found = await tx
    .selectFrom('import_picture')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst()
  return found !== undefined
}

/** Sets a locked picture to added. `photo` is the photo made from it; null if there was one with the same content. */
export async function setPictureAdded(
  tx: Tx,
  id: number,
  photo: { id: number; description: string; position: number } | null,
): Promise<void> {
  const { id: photoId = null, description = null, position = null } = photo ?? {}
  await tx
    .updateTable('import_picture')
    .set({ state: 'added', line_picture_id: photoId, description, position })
    .where('id', '=', id)
    .execute()
}

/** Sets a waiting picture to failed. */
export async function setPictureFailed(db: Database | Tx, id: number, problem: PictureProblem): Promise<void> {
  await db
    .updateTable('import_picture')
    .set({ state: 'failed', problem })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** Returns when the run's next picture is due; null if all are loaded. */
export async function selectNextDue(db: Database | Tx, runId: number): Promise<Temporal.Instant | null> {
  const { rows } = await sql<{ at: Temporal.Instant | null }>`
    select min(due_at) as at from import_picture where run_id = ${runId}::int and state = 'waiting'`.execute(db)
  return rows[0]?.at ?? null
}

/** Deletes a run's pictures. Returns their photos, with the description and position at that time. */
export async function deletePictures(
  tx: Tx,
  runId: number,
): Promise<{ id: number; description: string; position: number }[]> {
  const rows = await tx
    .deleteFrom('import_picture')
    .where('run_id', '=', runId)
    .returning(['line_picture_id as id', 'description', 'position'])
    .execute()
  return rows.flatMap(({ id, description, position }) =>
    id === null || description === null || position === null ? [] : [{ id, description, position }],
  )
}

/** A picture that could not be loaded. */
export type FailedPicture = { url: string; problem: PictureProblem }
export type ImportPictures = { waiting: number; added: number; failed: number; failures: FailedPicture[] }

/** Counts a run's pictures by state, with up to `count` that could not be loaded. */
export async function selectPictures(db: Database, runId: number, count: number): Promise<ImportPictures> {
  const { rows } = await sql<{ state: 'waiting' | 'added' | 'failed'; count: number }>`
    select state, count(*)::int as count from import_picture where run_id = ${runId}::int group by state`.execute(db)
  const countOf = (state: string) => rows.find((row) => row.state === state)?.count ?? 0
  const failures = await db
    .selectFrom('import_picture')
    .select(['url', 'problem'])
    .where('run_id', '=', runId)
    .where('state', '=', 'failed')
    .orderBy('id')
    .limit(count)
    .execute()
  return {
    waiting: countOf('waiting'),
    added: countOf('added'),
    failed: countOf('failed'),
    failures: failures.map(({ url, problem }) => ({ url, problem: problem as PictureProblem })),
  }
}

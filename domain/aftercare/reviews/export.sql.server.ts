/** A reviewer's data export. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/**
 * Exports reviews by a verified email (empty for null) and the account's helpful votes, as plain data for JSON, with
 * timestamps in PostgreSQL's format.
 */
export async function exportReviews(
  db: Database,
  { accountId, email }: { accountId: string; email: string | null },
): Promise<{ reviews: object[]; helpfulVotes: object[] }> {
  const { rows } = await sql<{ reviews: object[]; helpfulVotes: object[] }>`
    select (
        select coalesce(json_agg(to_jsonb(review) - array['id', 'product_line_id', 'writer_id', 'sample'] || jsonb_build_object('line', line.name) order by review.id), '[]')
        from review join product_line line on line.id = review.product_line_id where lower(review.email) = ${email}) as reviews,
      (select coalesce(json_agg(json_build_object('review', review.summary, 'line', line.name, 'at', vote.at) order by vote.at), '[]')
        from review_vote vote join review on review.id = vote.review_id join product_line line on line.id = review.product_line_id
        where vote.account_id = ${accountId}::uuid) as "helpfulVotes"`.execute(db)
  return rows[0] ?? { reviews: [], helpfulVotes: [] }
}

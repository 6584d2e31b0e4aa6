/** The statements for emails as they were sent. */
import type { Database } from '#platform/db.ts'
import { turnMonths } from '#platform/months.ts'

/** An email as it was sent, without its code and the keys in its links; of attachments, the names. */
export type EmailCopy = { subject: string; text: string; html: string; attachments: string[]; sentAt: Temporal.Instant }

/** Keeps an email as sent, unless it is kept already. */
export async function insertEmailCopy(db: Database, messageId: string, copy: EmailCopy): Promise<void> {
  await db
    .insertInto('email_copy')
    .values({
      message_id: messageId,
      subject: copy.subject,
      body_text: copy.text,
      body_html: copy.html,
      attachments: copy.attachments,
      sent_at: copy.sentAt,
    })
    .onConflict((conflict) => conflict.column('message_id').doNothing())
    .execute()
}

/** An email as it was sent; undefined if it was not sent, or its copy was deleted. */
export async function selectEmailCopy(db: Database, messageId: string): Promise<EmailCopy | undefined> {
  return db
    .selectFrom('email_copy')
    .select(['subject', 'body_text as text', 'body_html as html', 'attachments', 'sent_at as sentAt'])
    .where('message_id', '=', messageId)
    .executeTakeFirst()
}

/**
 * Deletes the copies of emails sent before then, and returns how many. The copies of a month go together, with the
 * first of them: up to a month sooner than they must.
 */
export async function forgetOldEmailCopies(db: Database, before: Temporal.Instant): Promise<number> {
  const dropped = await turnMonths(db, 'email_copy', before)
  const { numDeletedRows } = await db.deleteFrom('email_copy').where('sent_at', '<', before).executeTakeFirst()
  return dropped + Number(numDeletedRows)
}

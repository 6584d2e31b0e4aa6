/** Queries for sent email copies. */
import type { Database } from '#platform/db.ts'
import { turnMonths } from '#platform/months.ts'

/** A sent email without its code and link keys, and with only the names of attachments. */
export type EmailCopy = { subject: string; text: string; html: string; attachments: string[]; sentAt: Temporal.Instant }

/** Stores a sent email, unless already stored. */
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

/** Returns a sent email; undefined if it wasn't sent, or its copy was deleted. */
export async function selectEmailCopy(db: Database, messageId: string): Promise<EmailCopy | undefined> {
  return db
    .selectFrom('email_copy')
    .select(['subject', 'body_text as text', 'body_html as html', 'attachments', 'sent_at as sentAt'])
    .where('message_id', '=', messageId)
    .executeTakeFirst()
}

/**
 * Deletes copies of emails sent before the given time, and returns how many. Copies are dropped by monthly partition,
 * up to a month earlier than required.
 */
export async function forgetOldEmailCopies(db: Database, before: Temporal.Instant): Promise<number> {
  const dropped = await turnMonths(db, 'email_copy', before)
  const { numDeletedRows } = await db.deleteFrom('email_copy').where('sent_at', '<', before).executeTakeFirst()
  return dropped + Number(numDeletedRows)
}

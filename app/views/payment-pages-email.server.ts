/** The email about new findings on payment pages. */
import { officePaths } from '#content/office-paths.ts'
import type { MessageValues } from '#domain/messaging/messages/messages.ts'
import { readNoticedFindings } from '#domain/payments/payment-pages/payment-pages.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

/** Returns the values of the email. */
export async function paymentPagesMessageValues(
  app: Pick<Application, 'db' | 'config'>,
  { key }: { key: string },
): Promise<MessageValues> {
  const findings = await readNoticedFindings(app, key)
  return {
    differences: countOf(findings.length, 'difference'),
    rows: findings.map(({ page, subject, detail }) => ({ left: page, right: `${subject}: ${detail}` })),
    pagesUrl: app.config.web.origin + officePaths.officePaymentPages(),
  }
}

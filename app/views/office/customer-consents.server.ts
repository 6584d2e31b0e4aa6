/** A customer's consents by kind. Read-only for staff, because only the customer can consent. */
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { readMailPreferences } from '#domain/messaging/messages/messages.server.ts'
import { stoppableKinds } from '#domain/messaging/messages/messages.ts'
import { selectTextConsents, type TextConsent } from '#domain/messaging/texts/texts.server.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeDateText } from '#platform/store-zone.ts'
import type { Application } from '#application'

export type ConsentView = { key: string; label: string; note: string; isOn: boolean }

export async function readConsents(
  app: Application,
  of: { accountIds: readonly string[]; orderIds: readonly number[]; emails: readonly string[] },
): Promise<ConsentView[]> {
  const [email] = of.emails
  const [texts, mails] = await Promise.all([
    selectTextConsents(app.db, of),
    email === undefined ? [] : readMailPreferences(app, email),
  ])
  return [
    ...(texts.length === 0 ? [{ key: 'texts', label: 'Order texts', note: 'Never asked', isOn: false }] : []),
    ...texts.map(textConsent),
    ...mails.map(({ kind, isWanted }) => ({
      key: kind,
      label: `Email: ${stoppableKinds[kind]}`.replace('your', 'their'),
      note: isWanted ? 'Not unsubscribed' : 'Unsubscribed by email link or in the account',
      isOn: isWanted,
    })),
  ]
}

function textConsent({ phone, state, askedAt, confirmedAt, stoppedAt, orderId }: TextConsent): ConsentView {
  const where = orderId === null ? 'Account' : `Checkout, ${orderNumber(orderId)}`
  const notes = {
    asked: `${where}, asked ${storeDateText(askedAt)}, not confirmed`,
    confirmed: `${where}, confirmed by text ${storeDateText(confirmedAt ?? askedAt)}`,
    stopped: `${where}, stopped by text ${storeDateText(stoppedAt ?? askedAt)}`,
  }
  return {
    key: phone,
    label: `Order texts to ${phoneText(phone.replace(/^\+1/, ''))}`,
    note: notes[state],
    isOn: state === 'confirmed',
  }
}

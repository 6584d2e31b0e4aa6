/**
 * Runs setup checks on demand for a test charge, a test email, and the carrier. Each uses the same port as the store,
 * and its result is recorded with an audit entry.
 */
import { selectShipFrom, type CheckedAddress } from './warehouse-address.sql.server.ts'
import type { DnsTexts } from './dns-texts.port.ts'
import { checkDomain, domainOf } from './email-domain.ts'
import { providerIdOf, type CheckProviders } from './check-providers.server.ts'
import type { SetupCheckKind } from './checks.ts'
import { endCheck, insertCheck, lockOpenCheck } from './facts.sql.server.ts'
import type { Mailer } from '#domain/messaging/messages/mail.port.ts'
import type { Carrier } from '#domain/ordering/orders/carrier.port.ts'
import type { PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import { listStaffEmails, recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Permission } from '#domain/kernel/staff/staff.ts'
import type { Clock } from '#platform/clock.ts'
import { formatCents } from '#platform/money.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; checkProviders: CheckProviders }

/** A dollar. It is authorized and voided, never captured. */
export const testChargeCents = 100
/** About as much as one tire. */
const testParcelLb = 25

const labels = {
  payments: 'test charge',
  email: 'test email',
  'email-domain': 'sender domain',
  carrier: 'carrier',
} as const satisfies Partial<Record<SetupCheckKind, string>>

/**
 * Opens the provider's page on which a test charge is paid, and returns its address. Refuses `not-allowed`, and
 * `no-answer` when the provider refuses or does not respond, which the step then shows.
 */
export async function startTestCharge(
  deps: Deps & { payments: PaymentProvider },
  by: Actor,
  { email, returnUrl }: { email: string; returnUrl: string },
): Promise<Outcome<{ url: string }, Refused<'not-allowed'> | Refused<'no-answer'>>> {
  const permitted = await deps.db.transaction().execute((tx) => permit(deps, tx, by, 'store.open'))
  if (!permitted.ok) return permitted
  const id = newTimedId()
  const opened = await deps.payments.openHostedPage({
    method: 'card',
    amountCents: testChargeCents,
    reference: id,
    email,
    description: 'Store setup test charge',
    returnUrl,
    cancelUrl: returnUrl,
    key: `setup:${id}`,
    order: null,
  })
  const words = opened.ok
    ? 'A test charge was started. Pay it, then finish it here'
    : opened.reason === 'declined'
      ? `your payment provider refused: ${opened.message}.`
      : 'your payment provider did not respond, or refused the keys of the store.'
  const kept = await keep(deps, by, 'store.open', {
    id,
    kind: 'payments',
    passed: opened.ok ? null : false,
    words,
    ...(opened.ok && { hostedRef: opened.value.hostedRef }),
  })
  if (!kept.ok) return kept
  return opened.ok ? ok({ url: opened.value.url }) : refused('no-answer')
}

/**
 * Reads what came of the test charge, voids it, and writes it down. Refuses `not-allowed`, and `gone` without a charge
 * that is open.
 */
export async function finishTestCharge(
  deps: Deps & { payments: PaymentProvider },
  by: Actor,
): Promise<Outcome<{ passed: boolean | null }, Refused<'not-allowed'> | Refused<'gone'>>> {
  const open = await deps.db.transaction().execute(async (tx) => {
    const permitted = await permit(deps, tx, by, 'store.open')
    if (!permitted.ok) return permitted
    return ok(await lockOpenCheck(tx, 'payments'))
  })
  if (!open.ok) return open
  if (!open.value) return refused('gone')
  const { id, hostedRef } = open.value
  const result = await settleTestCharge(deps, id, hostedRef)
  return deps.db.transaction().execute(async (tx) => {
    const permitted = await permit(deps, tx, by, 'store.open')
    if (!permitted.ok) return permitted
    // Another window finished it, so its result applies.
    if ((await lockOpenCheck(tx, 'payments'))?.id !== id) return refused('gone')
    await endCheck(tx, id, result)
    if (result.passed !== null) await record(deps, tx, by, 'payments', result)
    return ok({ passed: result.passed })
  })
}

type Result = { passed: boolean | null; words: string }

/** Reads the page's charge and voids it. */
async function settleTestCharge(
  { payments }: { payments: PaymentProvider },
  id: string,
  hostedRef: string,
): Promise<Result> {
  const unknown = { passed: null, words: 'Your payment provider did not respond. Finish the test charge again' }
  const visit = await payments.readHostedPage(hostedRef)
  if (!visit.ok) return unknown
  const { charge } = visit.value
  if (!charge) {
    const closed = await payments.closeHostedPage({ hostedRef, key: `setup-close:${id}` })
    return closed.ok && !closed.value.completed
      ? { passed: false, words: 'the test charge was not paid. Run it again.' }
      : unknown
  }
  if (charge.state === 'processing') return unknown
  if (charge.state !== 'authorized' && charge.state !== 'voided')
    return { passed: false, words: 'the test charge was declined. Run it with another card.' }
  const voided = await payments.voidCharge({ ref: charge.ref, key: `setup-void:${id}` })
  if (!voided.ok) return unknown
  return { passed: true, words: 'A test charge of $1.00 was authorized and voided' }
}

/**
 * Sends a test email to the person who runs the check if they're an owner, else to the first owner. Done when the mail
 * server accepts it. Refuses `not-allowed`.
 */
export async function sendTestEmail(
  deps: Deps & { mailer: Mailer; storeName: string },
  by: Actor,
): Promise<Outcome<{ passed: boolean }, Refused<'not-allowed'>>> {
  const permitted = await deps.db.transaction().execute((tx) => permit(deps, tx, by, 'setup.manage'))
  if (!permitted.ok) return permitted
  const owners = await listStaffEmails(deps.db, 'store.open', deps.clock.now())
  const to = owners.includes(by.name) ? by.name : (owners[0] ?? by.name)
  const id = newTimedId()
  const text = `${deps.storeName} can send email. ${by.name} sent this message from the store setup.`
  const sent = await deps.mailer.send({
    key: `setup-email:${id}`,
    to,
    subject: `Test email from ${deps.storeName}`,
    text,
    html: `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`,
    fromName: null,
    replyTo: null,
    stopUrl: null,
    attachments: [],
  })
  const words = sent.ok
    ? `A test email to ${to} was accepted`
    : sent.reason === 'refused'
      ? 'the mail server refused the test email. Check the sender’s domain and the server’s password with your host.'
      : 'the mail server did not respond. Check its address with your host.'
  return keep(deps, by, 'setup.manage', { id, kind: 'email', passed: sent.ok, words })
}

/**
 * Looks up whether the domain of the sender `from` is set up for email. Refuses `not-allowed`, and `no-domain` for a
 * sender without one.
 */
export async function checkEmailDomain(
  deps: Deps & { dns: DnsTexts },
  by: Actor,
  from: string,
): Promise<Outcome<{ passed: boolean }, Refused<'not-allowed'> | Refused<'no-domain'>>> {
  const permitted = await deps.db.transaction().execute((tx) => permit(deps, tx, by, 'setup.manage'))
  if (!permitted.ok) return permitted
  const domain = domainOf(from)
  if (domain === null) return refused('no-domain')
  const id = newTimedId()
  return keep(deps, by, 'setup.manage', { id, kind: 'email-domain', ...(await checkDomain(deps.dns, domain)) })
}

/**
 * Verifies the store warehouse's address with the carrier, buys a label for a parcel from there to itself, and voids it.
 * A check that was interrupted is continued with the same parcel, so that no second label is bought. Refuses
 * `not-allowed`, and `no-warehouse` without one that has a street.
 */
export async function checkCarrier(
  deps: Deps & { carrier: Carrier },
  by: Actor,
): Promise<Outcome<{ passed: boolean | null }, Refused<'not-allowed'> | Refused<'no-warehouse'>>> {
  const begun = await deps.db.transaction().execute(async (tx) => {
    const permitted = await permit(deps, tx, by, 'setup.manage')
    return permitted.ok ? ok(await lockOpenCheck(tx, 'carrier')) : permitted
  })
  if (!begun.ok) return begun
  if (begun.value) return endLabel(deps, by, begun.value)
  const from = await selectShipFrom(deps.db)
  if (!from) return refused('no-warehouse')
  const id = newTimedId()
  const prepared = await prepareLabel(deps, id, from)
  if (!prepared.ok)
    return keep(deps, by, 'setup.manage', { id, kind: 'carrier', passed: false, words: prepared.detail })
  const kept = await keep(deps, by, 'setup.manage', {
    id,
    kind: 'carrier',
    passed: null,
    words: unfinishedLabel,
    hostedRef: prepared.value,
  })
  return kept.ok ? endLabel(deps, by, { id, hostedRef: prepared.value }) : kept
}

const unfinishedLabel = 'A test label was started. Check again to finish'
const carrierAway = 'the carrier did not respond, or refused the key of the store.'

/** Verifies the address, and prepares a parcel. Returns the carrier's reference to it, or the reason in words. */
async function prepareLabel(
  { carrier }: { carrier: Carrier },
  id: string,
  from: CheckedAddress,
): Promise<Outcome<string, Refused<'failed', string>>> {
  const verified = await carrier.verifyAddress(from)
  if (!verified.ok) return refused('failed', verified.reason === 'unavailable' ? carrierAway : badAddress(from, []))
  if (!verified.value.isDeliverable) return refused('failed', badAddress(from, verified.value.suggestions))
  const prepared = await carrier.prepare({ reference: `setup-${id}`, from, to: from, weightLb: testParcelLb })
  if (prepared.ok) return ok(prepared.value.parcelRef)
  const noRate = 'the carrier has no rate for a parcel from your warehouse. Connect an account there.'
  return refused('failed', prepared.reason === 'unavailable' ? carrierAway : noRate)
}

/** Buys a prepared parcel's label, voids it, and saves the result. */
async function endLabel(
  deps: Deps & { carrier: Carrier },
  by: Actor,
  { id, hostedRef }: { id: string; hostedRef: string },
): Promise<Outcome<{ passed: boolean | null }, Refused<'not-allowed'>>> {
  const result = await buyAndVoid(deps, hostedRef)
  return deps.db.transaction().execute(async (tx) => {
    const permitted = await permit(deps, tx, by, 'setup.manage')
    if (!permitted.ok) return permitted
    await endCheck(tx, id, result)
    if (result.passed !== null) await record(deps, tx, by, 'carrier', result)
    return ok({ passed: result.passed })
  })
}

async function buyAndVoid({ carrier }: { carrier: Carrier }, parcelRef: string): Promise<Result> {
  const unfinished = { passed: null, words: `The carrier did not respond. ${unfinishedLabel}` }
  const bought = await carrier.buyLabel(parcelRef)
  if (!bought.ok)
    return bought.reason === 'unavailable'
      ? unfinished
      : { passed: false, words: 'the carrier sold no label. Check the balance of your carrier account.' }
  const { carrier: name, trackingNumber, costCents } = bought.value
  const voided = await carrier.refundLabel(parcelRef)
  if (voided.ok)
    return {
      passed: true,
      words: `A ${name} label for ${formatCents(costCents)} was bought from your warehouse and voided`,
    }
  return voided.reason === 'unavailable'
    ? unfinished
    : { passed: false, words: `label ${trackingNumber} was bought but not voided. Void it in your carrier account.` }
}

function badAddress({ street, city }: CheckedAddress, suggestions: readonly string[]): string {
  return [`the carrier does not find ${street}, ${city}.`, ...suggestions].join(' ')
}

function permit({ clock }: Pick<Deps, 'clock'>, tx: Tx, by: Actor, permission: Permission) {
  return requirePermission(tx, by, permission, clock.now())
}

type Kept<Passed extends boolean | null> = {
  id: string
  kind: keyof typeof labels
  passed: Passed
  words: string
  hostedRef?: string
}

/** Writes down what came of a check, with its act. */
function keep<Passed extends boolean | null>(
  deps: Deps,
  by: Actor,
  permission: Permission,
  check: Kept<Passed>,
): Promise<Outcome<{ passed: Passed }, Refused<'not-allowed'>>> {
  return deps.db.transaction().execute(async (tx) => {
    const permitted = await permit(deps, tx, by, permission)
    if (!permitted.ok) return permitted
    const provider = providerIdOf(deps.checkProviders, check.kind)
    await insertCheck(tx, { ...check, at: deps.clock.now(), by: by.name, provider })
    if (check.passed !== null) await record(deps, tx, by, check.kind, check)
    return ok({ passed: check.passed })
  })
}

function record(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  by: Actor,
  kind: keyof typeof labels,
  { passed, words }: Result,
) {
  return recordAct(tx, {
    by,
    act: 'setup.checked',
    subject: labels[kind],
    after: { passed, words: words.slice(0, 300) },
    at: clock.now(),
  })
}

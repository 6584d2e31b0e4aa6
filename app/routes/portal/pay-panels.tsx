import type { FormReply } from '#app/forms/form.ts'
import { TextAreaField } from '#app/ui/field.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { countOf } from '#platform/count-text.ts'

/** What is owed, and when the next of it is due. */
export function NextPayout({
  owed,
  isNegative,
  next,
  account,
}: {
  owed: string
  isNegative: boolean
  next: { when: string; jobs: number; cents: string } | undefined
  account: { state: string } | undefined
}) {
  const isReady = account?.state === 'ready'
  return (
    <section className="pay-panel pay-next tabular" aria-labelledby="next">
      <h2 id="next">Next payout</h2>
      <p className="pay-owed">{owed}</p>
      {isNegative ? <p>Below zero: it comes off your next jobs.</p> : null}
      {next ? (
        <p>
          <b>{isReady ? `Leaves from ${next.when}` : `Due ${next.when}`}</b>
          <br />
          {countOf(next.jobs, 'job')} not sent yet, {next.cents}. Each job has its own clock.
        </p>
      ) : (
        <p>Nothing waits to be sent.</p>
      )}
      {isReady ? null : <p className="pay-wait">Your pay waits until your bank details are complete.</p>}
    </section>
  )
}

/** Where the money goes. Bank details are entered at the payout provider alone. */
export function BankPanel({
  shopCode,
  account,
  bank,
}: {
  shopCode: string
  account: { state: string; last4: string | null } | undefined
  bank: readonly { ref: string; words: string; isFailed: boolean }[]
}) {
  return (
    <section className="pay-panel" aria-labelledby="bank">
      <h2 id="bank">Bank</h2>
      <p>
        {account?.last4 ? `Account ending in ${account.last4}, kept by the payout provider.` : 'No bank details yet.'}
        {account?.state === 'restricted' ? ' The provider needs more from you.' : null}
      </p>
      {bank.length > 0 ? (
        <ul className="pay-bank tabular">
          {bank.map(({ ref, words, isFailed }) => (
            <li key={ref} className={isFailed ? 'is-failed' : undefined}>
              {words}
            </li>
          ))}
        </ul>
      ) : null}
      <form method="post" action={portalPaths.payBank(shopCode)}>
        <button className={account?.state === 'ready' ? 'btn wide' : 'btn primary wide'}>
          {account?.last4 ? 'Change bank details' : 'Enter bank details'}
        </button>
      </form>
      <p className="small muted">Needs a fresh sign-in. Every owner of the shop gets an email about a change.</p>
    </section>
  )
}

/** Objecting to a job's pay or an adjustment, in words. */
export function DisputeForm({
  about,
  reply,
}: {
  about: { value: string; words: string } | undefined
  reply: FormReply | undefined
}) {
  const value = about?.value ?? reply?.values['about']
  if (!value) return null
  return (
    <section className="pay-panel" aria-labelledby="dispute">
      <h2 id="dispute">Dispute</h2>
      {about ? <p>{about.words}</p> : null}
      <form method="post" className="portal-form" noValidate>
        <input type="hidden" name="about" value={value} />
        <TextAreaField
          name="words"
          label="What is wrong"
          reply={reply}
          rows={4}
          maxLength={2_000}
          hint="A person reads it, decides, and answers here."
        />
        <button className="btn primary">Send dispute</button>
      </form>
    </section>
  )
}

/** What was disputed, with our answers. */
export function PastDisputes({
  disputes,
}: {
  disputes: readonly { id: string; about: string; state: string; words: string; answer: string | null }[]
}) {
  if (disputes.length === 0) return null
  return (
    <section className="pay-panel" aria-labelledby="disputes">
      <h2 id="disputes">Disputes</h2>
      <ul className="pay-disputes">
        {disputes.map(({ id, about, state, words, answer }) => (
          <li key={id}>
            <p>
              <b>{about}</b> {state}
            </p>
            <blockquote>{words}</blockquote>
            {answer === null ? null : <p>Our answer: {answer}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

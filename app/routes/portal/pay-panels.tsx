import type { FormReply } from '#app/forms/form.ts'
import { Field, TextAreaField } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import photoScript from '#app/ui/portal/job-photos.js?url'
import { JobPay } from '#app/ui/portal/job-pay.tsx'
import type { AheadView, DisputedView, nextPayoutView, RatesView } from '#app/views/portal-pay.server.ts'
import { includedInRate } from '#content/messages/payouts.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { INSTALLER_PAID_WITHIN_HOURS, UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'
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
  next: ReturnType<typeof nextPayoutView> | undefined
  account: { state: string } | undefined
}) {
  const isReady = account?.state === 'ready'
  return (
    <section className="pay-panel pay-next tabular" aria-labelledby="next">
      <h2 id="next">Next payout</h2>
      <p className="pay-owed">{owed}</p>
      {isNegative ? <p>You owe this amount. We deduct it from your next jobs.</p> : null}
      {next ? (
        <p>
          <b>{isReady ? `Leaves from ${next.when}` : `Due ${next.when}`}</b>
          <br />
          {next.left === null ? '' : `${next.left} left. `}
          {countOf(next.jobs, 'job')} not sent yet, {next.cents}. Each job is sent within{' '}
          {countOf(INSTALLER_PAID_WITHIN_HOURS, 'hour')} of finishing it.
        </p>
      ) : (
        <p>No payouts are due.</p>
      )}
      {next ? (
        <ol className="job-steps" aria-label="How far the next payout is">
          {next.steps.map(({ label, note, state }) => (
            <li key={label} className={`is-${state}`} aria-current={state === 'now' ? 'step' : undefined}>
              <b>{label}</b>
              {note ? <span className="tabular">{note}</span> : null}
            </li>
          ))}
        </ol>
      ) : null}
      {isReady ? null : <p className="pay-wait">We can’t pay you until your bank details are complete.</p>}
    </section>
  )
}

/** Renders this week's remaining jobs, each with its full pay. */
export function JobsAhead({ ahead: { jobs, total } }: { ahead: AheadView }) {
  return (
    <section className="pay-panel" aria-labelledby="ahead">
      <h2 id="ahead">Still to do this week</h2>
      {jobs.length === 0 ? <p className="muted">No jobs left this week.</p> : null}
      {jobs.map(({ id, path, when, who, order, pay }) => (
        <details key={id} className="pay-ahead">
          <summary className="tabular">
            <span>
              <b>{who}</b> {when}
            </span>
            <b>{pay.amount ?? 'No rate'}</b>
            <Icon name="down" />
          </summary>
          <p>
            <a href={path}>{order}</a>
          </p>
          <JobPay pay={pay} />
        </details>
      ))}
      {jobs.length > 0 ? (
        <p className="pay-total tabular">
          <span>{countOf(jobs.length, 'job')} still to do</span> <b>{total}</b>
        </p>
      ) : null}
      <p className="muted">{includedInRate}</p>
    </section>
  )
}

/** What the shop is paid for a tire today. */
export function PayoutRates({ rates: { jobs, rows } }: { rates: RatesView }) {
  return (
    <section className="pay-panel" aria-labelledby="rates">
      <h2 id="rates">Payout rates</h2>
      <p className="muted">Per tire, for a job finished today.</p>
      <table className="pay-rates tabular">
        <thead>
          <tr>
            <th scope="col">Rim, inches</th>
            {jobs.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ band, amounts }) => (
            <tr key={band}>
              <th scope="row">{band}</th>
              {amounts.map(({ job, text }) => (
                <td key={job}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Renders the payout account. Bank details are entered only on the payout provider's page. */
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
        {account?.last4 ? `Account ending in ${account.last4}, stored by the payout provider.` : 'No bank details yet.'}
        {account?.state === 'restricted' ? ' The provider needs more information.' : null}
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
      <p className="small muted">You’ll sign in again first. We’ll email all shop owners about the change.</p>
    </section>
  )
}

/** Objecting to a job's pay or an adjustment, in words, until its deadline. */
export function DisputeForm({ about, reply }: { about: DisputedView | undefined; reply: FormReply | undefined }) {
  const value = about?.value ?? reply?.values['about']
  if (!value) return null
  return (
    <section className="pay-panel" aria-labelledby="dispute">
      <h2 id="dispute">Dispute</h2>
      {about ? (
        <>
          <p>{about.words}</p>
          <p className="pay-wait">
            <Icon name="clock" size="s" /> <b>{about.closed ?? about.deadline}</b>
          </p>
        </>
      ) : null}
      {about && about.facts.length > 0 ? (
        <>
          <p className="muted">Recorded with this job:</p>
          <ul className="pay-facts tabular">
            {about.facts.map((fact) => (
              <li key={fact} className="job-ok">
                <Icon name="check-circle" size="s" /> {fact}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {about?.closed ? null : (
        <form
          method="post"
          encType="multipart/form-data"
          className="portal-form"
          data-photo={UPLOAD_MAX_BYTES}
          data-photo-send="later"
          noValidate
        >
          <input type="hidden" name="about" value={value} />
          <TextAreaField
            name="words"
            label="Problem"
            reply={reply}
            rows={4}
            maxLength={2_000}
            hint="Our team will review it and answer here."
          />
          <Field
            name="photo"
            label="Photo or printout"
            reply={reply ? { ...reply, values: {} } : undefined}
            type="file"
            accept="image/*"
            required={false}
          />
          <noscript>
            <p className="field-hint">Up to {UPLOAD_MAX_BYTES / 1024 / 1024} MB.</p>
          </noscript>
          <button className="btn primary large wide">Send dispute</button>
          <script type="module" src={photoScript} />
        </form>
      )}
    </section>
  )
}

/** Renders this year's totals, with the amount for Form 1099. */
export function PayYear({
  year,
}: {
  year: { year: number; jobs: number; jobsText: string; adjustments: string; sent: string }
}) {
  const rows = [
    [countOf(year.jobs, 'job'), year.jobsText],
    ['Adjustments', year.adjustments],
    ['Paid to you', year.sent],
  ] as const
  return (
    <section className="pay-panel" aria-labelledby="year">
      <h2 id="year">{year.year} so far</h2>
      <dl className="pay-sums tabular">
        {rows.map(([name, amount]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{amount}</dd>
          </div>
        ))}
      </dl>
      <p className="small muted">Your Form 1099 shows the amount paid to you in the year.</p>
    </section>
  )
}

/** Renders past disputes with our responses. */
export function PastDisputes({
  disputes,
}: {
  disputes: readonly {
    id: string
    about: string
    state: string
    words: string
    hasPhoto: boolean
    answer: string | null
  }[]
}) {
  if (disputes.length === 0) return null
  return (
    <section className="pay-panel" aria-labelledby="disputes">
      <h2 id="disputes">Disputes</h2>
      <ul className="pay-disputes">
        {disputes.map(({ id, about, state, words, hasPhoto, answer }) => (
          <li key={id}>
            <p>
              <b>{about}</b> {state}
            </p>
            <blockquote>{words}</blockquote>
            {hasPhoto ? <p className="muted">Sent with a photo.</p> : null}
            {answer === null ? null : <p>Our answer: {answer}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

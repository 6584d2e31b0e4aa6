import type { ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { Icon } from '#app/ui/icon.tsx'
import { Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import type { JobView } from '#app/views/portal-job.server.ts'
import { positionName, refusalReasons, shopReportKinds, wheelPositions } from '#domain/work-orders/work-orders.ts'

/** What happened, in words. */
export type JobEventWords = Readonly<Record<'moved' | 'pieces' | 'code' | 'code-wrong' | 'saved' | 'reported', string>>

/** A panel of the work order. */
export function JobPanel({
  id,
  title,
  note,
  children,
}: {
  id: string
  title: string
  note?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="job-panel" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        {title} {note ? <span className="tabular">{note}</span> : null}
      </h2>
      {children}
    </section>
  )
}

/** The road from the tires to the finished car. */
export function JobSteps({ steps }: { steps: JobView['steps'] }) {
  return (
    <ol className="job-steps" aria-label="How far the job is">
      {steps.map(({ label, note, state }) => (
        <li key={label} className={`is-${state}`} aria-current={state === 'now' ? 'step' : undefined}>
          <b>{label}</b>
          {note ? <span className="tabular">{note}</span> : null}
        </li>
      ))}
    </ol>
  )
}

/** What is paid, the car, what goes where, and where the parcels are. */
export function JobFacts({ job }: { job: JobView }) {
  return (
    <>
      <section className="job-prepaid" aria-label="Prepaid">
        <h2>
          <Icon name="check-circle" /> {job.money}
        </h2>
        <p>{job.prepaid.length > 0 ? `Paid online: ${job.prepaid.join('; ')}.` : 'Everything is paid online.'}</p>
        <p>Anything more is your own sale, on your own ticket: it is never on our receipt.</p>
      </section>
      <JobPanel id="car" title="Car" note="Check before it goes up">
        <p className="strong">{job.vehicle}</p>
        <dl className="job-facts">
          <div>
            <dt>VIN, last 8</dt>
            <dd className="tabular">{job.vinEnd ?? 'Not known'}</dd>
          </div>
          <div>
            <dt>Torque</dt>
            <dd>{job.torque}</dd>
          </div>
          <div>
            <dt>TPMS</dt>
            <dd>{job.hasKits ? 'Service kits are prepaid. Relearn the sensors.' : 'Relearn the sensors if fitted.'}</dd>
          </div>
        </dl>
      </JobPanel>
      <JobPanel id="positions" title="Positions" note={job.isStaggered ? 'Staggered' : undefined}>
        <ul className="job-rows">
          {job.positions.map(({ position, tire, quantity }) => (
            <li key={`${position} ${tire}`}>
              <b>{position === 'Any' ? 'All wheels' : position}</b>
              <span>
                {quantity} × {tire}
              </span>
            </li>
          ))}
        </ul>
        {job.isStaggered ? <p className="strong">Front and rear differ. Never swap them.</p> : null}
      </JobPanel>
      <JobPanel id="parcels" title="Parcels">
        {job.parcels.length === 0 ? <p>No parcel is announced yet.</p> : null}
        <ul className="job-rows">
          {job.parcels.map(({ title, pieces, tracking, arrival }) => (
            <li key={title}>
              <b>{title}</b>
              <span className="tabular">{pieces}</span>
              <span className="tabular">{tracking}</span>
              <span>{arrival}</span>
            </li>
          ))}
        </ul>
      </JobPanel>
    </>
  )
}

/** Counting pieces by scanner or by hand, and reporting short or damaged ones. */
export function JobPieces({ job, reply }: { job: JobView; reply: FormReply | undefined }) {
  const of = (intent: string) => (reply?.values['intent'] === intent ? reply : undefined)
  return (
    <JobPanel id="pieces" title="Pieces received" note={`${job.received} of ${job.total} received`}>
      {job.isOver ? null : (
        <form method="post" className="job-scan" noValidate>
          <Field
            name="scanned"
            label="Scan or type the number on the label"
            reply={of('scan')}
            maxLength={60}
            autoComplete="off"
          />
          <button className="btn" name="intent" value="scan">
            Count it
          </button>
        </form>
      )}
      <ul className="job-rows">
        {job.pieces.map(({ lineNo, description, quantity, received, sku }) => (
          <li key={lineNo} className="job-piece">
            <span>
              {description} <span className="muted tabular">{sku}</span>
            </span>
            <form method="post">
              <input type="hidden" name="line" value={lineNo} />
              {job.isOver ? null : (
                <button className="btn" name="intent" value="less" aria-label={`One less: ${description}`}>
                  <Icon name="minus" />
                </button>
              )}
              <output className="tabular">
                {received} of {quantity}
              </output>
              {job.isOver ? null : (
                <button className="btn" name="intent" value="more" aria-label={`One more: ${description}`}>
                  <Icon name="plus" />
                </button>
              )}
            </form>
          </li>
        ))}
      </ul>
      {job.reports.map(({ number, words, note, answer, isOpen }) => (
        <div key={number} className={isOpen ? 'job-report is-open' : 'job-report'}>
          <p className="strong">
            {number}: {words}
          </p>
          {note ? <p>{note}</p> : null}
          <p>{answer ? `Our answer: ${answer}` : isOpen ? 'We have it and answer here.' : 'Closed.'}</p>
        </div>
      ))}
      {job.isOver ? null : <ReportForm job={job} reply={of('report')} />}
    </JobPanel>
  )
}

function ReportForm({ job, reply }: { job: JobView; reply: FormReply | undefined }) {
  return (
    <details open={reply !== undefined}>
      <summary className="btn wide">Report short or damaged</summary>
      <form method="post" encType="multipart/form-data" className="portal-form" noValidate>
        <input type="hidden" name="intent" value="report" />
        <input type="hidden" name="key" value={job.reportKey} />
        <SelectField name="kind" label="What is wrong" reply={reply}>
          {Object.entries(shopReportKinds).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </SelectField>
        <SelectField name="reportLine" label="Tire" reply={reply}>
          {job.pieces.map(({ lineNo, description }) => (
            <option key={lineNo} value={lineNo}>
              {description}
            </option>
          ))}
        </SelectField>
        <Field name="count" label="How many" reply={reply} value="1" inputMode="numeric" maxLength={2} />
        <Field
          name="photo"
          label="Photo, up to 1 MB"
          reply={reply ? { ...reply, values: {} } : undefined}
          type="file"
          accept="image/*"
          hint="Damage needs a photo."
        />
        <TextAreaField
          name="note"
          label="What we should know"
          reply={reply}
          rows={2}
          maxLength={500}
          isRequired={false}
        />
        <button className="btn wide">Send report</button>
      </form>
    </details>
  )
}

/** The tires by position: number on the sidewall and old tread. */
export function JobWheels({ job, reply }: { job: JobView; reply: FormReply | undefined }) {
  const ready = job.tires.filter(({ tin, tread }) => tin !== null && tread !== null).length
  return (
    <JobPanel id="wheels" title="Around the car" note={`${ready} of ${job.tires.length} wheels`}>
      {job.tires.map(({ names, position, isFixed, title, article, tin, age, tread }) => (
        <fieldset key={names.tin} className="job-wheel" disabled={job.isOver}>
          <legend>
            <span className={tin !== null && tread !== null ? 'job-position is-done' : 'job-position'}>{position}</span>
            <span>
              <b>{title}</b>
              <span className="muted">{article}</span>
            </span>
          </legend>
          {isFixed ? null : (
            <SelectField name={names.position} label={`Where is this tire? (${title})`} reply={reply} value={position}>
              {wheelPositions.slice(0, 7 + job.tires.length).map((each) => (
                <option key={each} value={each}>
                  {positionName(each)}
                </option>
              ))}
            </SelectField>
          )}
          <div className="job-wheel-fields">
            <Field
              name={names.tin}
              label={`DOT code (TIN), ${position}`}
              reply={reply}
              value={tin}
              maxLength={40}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
            />
            <Field
              name={names.tread}
              label={`Old tread in 32nds, ${position}`}
              reply={reply}
              value={tread}
              inputMode="numeric"
              maxLength={6}
              autoComplete="off"
            />
          </div>
          {age ? (
            <p className="job-ok">
              <Icon name="check" size="s" /> {age}
            </p>
          ) : null}
        </fieldset>
      ))}
    </JobPanel>
  )
}

/** The claim code, or a signature in its place. */
export function JobProof({ job, reply }: { job: JobView; reply: FormReply | undefined }) {
  const { code, signed } = job
  if (code.matched !== null)
    return (
      <JobPanel id="proof" title="Claim code" note="Matches">
        <p className="job-ok">
          <Icon name="check-circle" size="s" /> Shown at {code.matched}.
        </p>
      </JobPanel>
    )
  return (
    <JobPanel id="proof" title="Claim code" note={signed ? 'Signed' : undefined}>
      {signed ? (
        <p className="job-ok">
          <Icon name="check-circle" size="s" /> Signed by {signed.name}, {signed.at}.
        </p>
      ) : null}
      {code.left > 0 && !job.isOver ? (
        <>
          <Field
            name="code"
            label="The 6 digits the customer shows"
            reply={reply}
            inputMode="numeric"
            maxLength={12}
            autoComplete="off"
            {...(code.isTried ? { hint: `${code.left} ${code.left === 1 ? 'try' : 'tries'} left.` } : {})}
          />
          <button className="btn wide" name="intent" value="check">
            Check code
          </button>
        </>
      ) : null}
      {code.left === 0 && !signed ? <p className="strong">No tries are left. Take a signature.</p> : null}
      {job.isOver ? null : (
        <details
          open={code.left === 0 || reply?.errors['signedName'] !== undefined || reply?.errors['signed'] !== undefined}
        >
          <summary className="btn wide">No code? Take a signature</summary>
          <Field
            name="signedName"
            label="Customer’s full name"
            reply={reply}
            value={signed?.name}
            maxLength={60}
            autoComplete="off"
          />
          <label className="job-check">
            <input
              type="checkbox"
              id="signed"
              name="signed"
              value="yes"
              defaultChecked={reply?.values['signed'] === 'yes' || signed !== null}
            />
            <span>I am the customer. My tires were mounted, and nothing prepaid was collected again.</span>
          </label>
          {reply?.errors['signed'] ? <p className="field-error">{reply.errors['signed']}</p> : null}
        </details>
      )}
    </JobPanel>
  )
}

/** Where the job stands, and what to do when it does not go to plan. */
export function JobActs({ job, reply }: { job: JobView; reply: FormReply | undefined }) {
  const may = (to: (typeof job.may)[number]) => job.may.includes(to)
  const of = (intent: string) => (reply?.values['intent'] === intent ? reply : undefined)
  return (
    <>
      <JobPanel id="next" title="Customer">
        <p>{job.appointment}</p>
        {job.phone ? (
          <p>
            <a className="btn wide" href={`tel:${job.phone.replaceAll(/\D/g, '')}`}>
              <Icon name="phone" size="s" /> Call {job.phone}
            </a>
          </p>
        ) : null}
        {job.visit.length > 0 ? <p>{job.visit.join(', ')}</p> : null}
        {may('arrived') || may('in-bay') ? (
          <form method="post" className="portal-form">
            {may('arrived') ? (
              <button className="btn primary wide" name="intent" value="arrived">
                Car is here
              </button>
            ) : null}
            {may('in-bay') ? (
              <button className="btn primary wide" name="intent" value="in-bay">
                Into the bay
              </button>
            ) : null}
          </form>
        ) : null}
      </JobPanel>
      {job.may.some((to) => to !== 'done' && to !== 'arrived' && to !== 'in-bay') ? (
        <JobPanel id="wrong" title="Not going to plan">
          {may('no-show') ? (
            <details>
              <summary>No-show</summary>
              <form method="post" className="portal-form">
                <p>{job.noShow.words}</p>
                <button className="btn" name="intent" value="no-show" disabled={!job.noShow.can}>
                  Mark no-show
                </button>
              </form>
            </details>
          ) : null}
          {may('wrong-vehicle') ? (
            <WhyForm
              reply={of('wrong-vehicle')}
              intent="wrong-vehicle"
              title="Wrong vehicle"
              label="Which car is here"
              button="Report wrong vehicle"
            />
          ) : null}
          {may('wrong-tires') ? (
            <WhyForm
              reply={of('wrong-tires')}
              intent="wrong-tires"
              title="Wrong tires"
              label="What is wrong with the tires"
              button="Report wrong tires"
              words="This ends the appointment: the customer is emailed and chooses another time, shop or delivery."
            />
          ) : null}
          {may('refused') ? (
            <WhyForm
              reply={of('refused')}
              intent="refused"
              title="Refuse the job"
              label="What the customer should know"
              button="Refuse with this reason"
              words="This ends the appointment: the customer is emailed your words and chooses another time, shop or delivery."
              withReasons
            />
          ) : null}
        </JobPanel>
      ) : null}
      {job.events.length > 0 ? (
        <JobPanel id="so-far" title="So far">
          <ol className="job-rows">
            {job.events.map(({ at, words }, index) => (
              <li key={index}>
                <span className="muted tabular">{at}</span>
                <span>{words}</span>
              </li>
            ))}
          </ol>
        </JobPanel>
      ) : null}
    </>
  )
}

function WhyForm({
  reply,
  intent,
  title,
  label,
  button,
  words,
  withReasons = false,
}: {
  reply: FormReply | undefined
  intent: string
  title: string
  label: string
  button: string
  words?: string
  withReasons?: boolean
}) {
  const name = `why-${intent}`
  const chosen = reply?.values['because']
  return (
    <details open={reply !== undefined}>
      <summary>{title}</summary>
      <form method="post" className="portal-form" noValidate>
        <input type="hidden" name="intent" value={intent} />
        {withReasons ? (
          <fieldset className="job-reasons">
            <legend>Reason</legend>
            {Object.entries(refusalReasons).map(([value, text]) => (
              <label key={value} className="job-check">
                <input type="radio" name="because" value={value} defaultChecked={chosen === value} />
                <span>{text}</span>
              </label>
            ))}
            {reply?.errors['because'] ? <p className="field-error">{reply.errors['because']}</p> : null}
          </fieldset>
        ) : null}
        <TextAreaField name={name} label={label} reply={reply} rows={2} maxLength={300} isRequired={!withReasons} />
        {words ? <p className="muted">{words}</p> : null}
        <button className="btn stop wide">{button}</button>
      </form>
    </details>
  )
}

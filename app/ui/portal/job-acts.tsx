import type { FormReply } from '#app/forms/form.ts'
import { Icon } from '#app/ui/icon.tsx'
import { SelectField, TextAreaField } from '#app/ui/field.tsx'
import { Options } from '#app/ui/select-options.tsx'
import type { JobView } from '#app/views/portal-job.server.ts'
import { refusalReasons } from '#domain/installer-portal/work-orders/work-orders.ts'
import { JobPanel } from './job-parts.tsx'

/** The customer, and actions for reporting a problem. */
export function JobActs({ job, reply }: { job: JobView; reply: FormReply | undefined }) {
  return (
    <>
      <JobPanel id="next" title="Customer">
        <p>{job.appointment}</p>
        {job.phone ? (
          <p className="job-reach">
            <a className="btn" href={`tel:${job.phone.replaceAll(/\D/g, '')}`}>
              <Icon name="phone" size="s" /> Call {job.phone}
            </a>
            <a className="btn" href={`sms:${job.phone.replaceAll(/\D/g, '')}`}>
              Text
            </a>
          </p>
        ) : null}
        {job.late ? <RunningLate late={job.late} reply={reply} /> : null}
        {job.visit.length > 0 ? <p>{job.visit.join(', ')}</p> : null}
      </JobPanel>
      <Trouble job={job} reply={reply} />
    </>
  )
}

/** Notifies the customer that the shop is running late. */
function RunningLate({ late, reply }: { late: NonNullable<JobView['late']>; reply: FormReply | undefined }) {
  const { name, told, choices } = late
  const own = reply?.values['intent'] === 'late' ? reply : undefined
  return (
    <>
      {told ? (
        <p>
          You told {name} that you’re running about {told} late.
        </p>
      ) : null}
      {choices.length > 0 ? (
        <details open={own !== undefined}>
          <summary>
            Running late: tell {name} <Icon name="down" />
          </summary>
          <form method="post" className="portal-form" noValidate>
            <input type="hidden" name="intent" value="late" />
            <SelectField name="late" label="How late" reply={own}>
              <Options of={choices} />
            </SelectField>
            <button className="btn wide">Send by email and text</button>
          </form>
        </details>
      ) : null}
    </>
  )
}

/** What happened to the job, in order. */
export function JobHistory({ events }: Pick<JobView, 'events'>) {
  if (events.length === 0) return null
  return (
    <JobPanel id="so-far" title="So far">
      <ol className="job-rows">
        {events.map(({ at, words }, index) => (
          <li key={index}>
            <span className="muted tabular">{at}</span>
            <span>{words}</span>
          </li>
        ))}
      </ol>
    </JobPanel>
  )
}

/** What to do when the job does not go to plan. */
function Trouble({ job, reply }: { job: JobView; reply: FormReply | undefined }) {
  const may = (to: (typeof job.may)[number]) => job.may.includes(to)
  const of = (intent: string) => (reply?.values['intent'] === intent ? reply : undefined)
  if (job.isOver || job.may.length === 0) return null
  return (
    <JobPanel id="wrong" title="Problems">
      <details>
        <summary>
          No-show <Icon name="down" />
        </summary>
        {may('no-show') ? (
          <form method="post" className="portal-form">
            <p>{job.noShow.words}</p>
            <button className="btn" name="intent" value="no-show" disabled={!job.noShow.can}>
              Mark no-show
            </button>
          </form>
        ) : (
          <p>Not available because the car arrived.</p>
        )}
      </details>
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
          label="Problem with the tires"
          button="Report wrong tires"
          words="This cancels the appointment. We email the customer to choose another time, shop, or delivery."
        />
      ) : null}
      {may('refused') ? (
        <WhyForm
          reply={of('refused')}
          intent="refused"
          title="Refuse the job"
          label="What the customer should know"
          button="Refuse with this reason"
          words="This cancels the appointment. We email your message to the customer so they can choose another time, shop, or delivery."
          withReasons
        />
      ) : null}
    </JobPanel>
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
      <summary>
        {title} <Icon name="down" />
      </summary>
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

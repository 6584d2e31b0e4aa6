import { Icon } from '#app/ui/icon.tsx'
import { TirePicture } from '#app/ui/tire-picture.tsx'
import type { NextJobView } from '#app/views/portal-day.server.ts'
import type { NextStep } from '#app/views/portal-job.server.ts'

/** The next job, with its tires, the data for setting up the car, and the next step as the primary button. */
export function NextJobCard({ job }: { job: NextJobView }) {
  return (
    <article className="next-job" aria-labelledby="next-job">
      <header>
        <h2 id="next-job">
          <a href={job.path}>{job.title}</a>
        </h2>
        <span className={`job-tag is-${job.state}`}>{job.stateWords}</span>
        <p className="muted tabular">{job.facts.join(' · ')}</p>
      </header>
      {job.service === null ? null : <p className="strong">{job.service}</p>}
      <ul className="next-job-tires">
        {job.tires.map(({ text, counted, picture }) => (
          <li key={text}>
            <TirePicture picture={picture} alt="" size={64} eager />
            <p>
              <b>{text}</b>
              <span className="tabular">{counted}</span>
            </p>
          </li>
        ))}
      </ul>
      <dl className="next-job-requirements tabular">
        {job.requirements.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className="job-prepaid-tag">
        <Icon name="check" size="s" /> {job.money}
      </p>
      {job.pay ? (
        <p className="next-job-pay tabular">
          You earn <b>{job.pay.amount ?? 'not known yet'}</b>
          {[...job.pay.lines.map(({ rate }) => rate), ...job.pay.included.map((text) => `${text} included`)].map(
            (line, index) => (
              <span key={index}>{line}</span>
            ),
          )}
        </p>
      ) : null}
      {job.next ? <StepForm next={job.next} path={job.path} /> : null}
      <p className="next-job-links">
        <a className="btn" href={job.path}>
          Work order
        </a>
        {job.phone ? (
          <a className="btn" href={`tel:${job.phone.replaceAll(/\D/g, '')}`}>
            <Icon name="phone" size="s" /> Call
          </a>
        ) : null}
      </p>
    </article>
  )
}

/** The next step outside the work order; steps that need input open it there. */
function StepForm({ next: { label, intent, href, note }, path }: { next: NextStep; path: string }) {
  return (
    <>
      {note && (label === null || intent === 'finish') ? <p>{note}</p> : null}
      {label === null ? null : (
        <div className="next-job-step">
          {intent === 'arrived' || intent === 'in-bay' ? (
            <form method="post" action={path}>
              <button className="btn primary large wide" name="intent" value={intent}>
                {label}
              </button>
            </form>
          ) : (
            <a className="btn primary large wide" href={`${path}${href}`}>
              {label}
            </a>
          )}
        </div>
      )}
    </>
  )
}

/** A work order's next step, within thumb reach, with missing fields. */
export function JobBar({ next, missing }: { next: NextStep; missing: readonly { name: string; words: string }[] }) {
  const { label, intent, href, note } = next
  const isFinish = intent === 'finish'
  return (
    <section className="job-bar" aria-label="Next step">
      {isFinish && missing.length > 0 ? (
        <ul aria-label="Still missing">
          {missing.map(({ name, words }) => (
            <li key={name}>
              <a href={`#${name}`}>{words}</a>
            </li>
          ))}
        </ul>
      ) : note ? (
        <p>{note}</p>
      ) : null}
      {label === null ? null : intent === null ? (
        <a className="btn primary large wide" href={href}>
          {label}
        </a>
      ) : isFinish ? (
        <button
          className="btn primary large wide"
          form="job"
          name="intent"
          value={intent}
          data-finish={next.labels.join('|')}
        >
          <b>{label}</b>
          <small>{note}</small>
        </button>
      ) : (
        <form method="post">
          <button className="btn primary large wide" name="intent" value={intent}>
            {label}
          </button>
        </form>
      )}
    </section>
  )
}

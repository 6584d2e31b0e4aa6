import { Fragment } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { Icon } from '#app/ui/icon.tsx'
import { Field, SelectField } from '#app/ui/field.tsx'
import type { JobView } from '#app/views/portal-job.server.ts'
import { positionName, signatureSize, wheelPositions } from '#domain/installer-portal/work-orders/work-orders.ts'
import { countOf } from '#platform/count-text.ts'
import { JobPanel, positionClass } from './job-parts.tsx'

/** The tires by position, with the number on the sidewall and the old tread. A finished wheel collapses to one line. */
export function JobWheels({ job, reply }: { job: JobView; reply: FormReply | undefined }) {
  const ready = job.tires.filter(isReady).length
  return (
    <JobPanel id="wheels" title="Around the car" note={`${ready} of ${countOf(job.tires.length, 'wheel')}`}>
      {job.tires.map((tire) => (
        <Fragment key={tire.names.tin}>
          <WheelOrLine tire={tire} job={job} reply={reply} />
          {tire.same && !job.isOver ? <SameTin same={tire.same} line={tire.line} reply={reply} /> : null}
        </Fragment>
      ))}
    </JobPanel>
  )
}

type Tire = JobView['tires'][number]

function isReady({ tin, tread }: Tire): boolean {
  return tin !== null && tread !== null
}

/** A wheel with its fields; once it is finished, one line that opens, unless something typed in it is wrong. */
function WheelOrLine({ tire, job, reply }: { tire: Tire; job: JobView; reply: FormReply | undefined }) {
  const hasError = Object.values(tire.names).some((name) => reply?.errors[name] !== undefined)
  const wheel = <Wheel tire={tire} job={job} reply={reply} />
  if (!isReady(tire) || hasError) return wheel
  return (
    <details className="job-wheel-done">
      <summary>
        <span className={positionClass(tire)}>{tire.position}</span>
        <span>
          <b>{tire.title}</b>
          <span className="job-ok">
            <Icon name="check" size="s" /> {tire.tin}, old tread {tire.tread}/32
          </span>
        </span>
        <Icon name="down" />
      </summary>
      {wheel}
    </details>
  )
}

/** Applies the first tire's code to a line's other tires. */
function SameTin({
  same,
  line,
  reply,
}: {
  same: NonNullable<Tire['same']>
  line: number
  reply: FormReply | undefined
}) {
  return (
    <label className="job-check">
      <input
        type="checkbox"
        id={same.name}
        name={same.name}
        value="yes"
        defaultChecked={reply?.values[same.name] === 'yes'}
        data-fill={line}
      />
      <span>{same.label}</span>
    </label>
  )
}

function Wheel({ tire, job, reply }: { tire: Tire; job: JobView; reply: FormReply | undefined }) {
  const { names, position, isFixed, title, article, tin, age, tread } = tire
  const isWrong = reply?.errors[names.tin] !== undefined && reply.values[names.tin] !== ''
  return (
    <fieldset className="job-wheel" disabled={job.isOver}>
      <legend>
        <span className={`${positionClass(tire)}${isWrong ? ' is-wrong' : ''}`}>{position}</span>
        <span>
          <b>{title}</b>
          <span className="muted">{article}</span>
        </span>
      </legend>
      {isFixed ? null : (
        <SelectField name={names.position} label={`Where is this tire? (${title})`} reply={reply} value={position}>
          {wheelPositions.slice(0, 7 + tire.of).map((each) => (
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
          data-photo={`Photo of ${position}, to read its code`}
          data-photo-none="No DOT code was found. Hold the phone close and level, with light from the side, or type the code."
          data-photo-check="Compare it with the tire."
          data-line={tire.line}
        />
        <Field
          name={names.tread}
          label={`Old tread in 32nds, ${position}`}
          reply={reply}
          value={tread}
          inputMode="numeric"
          maxLength={6}
          autoComplete="off"
          data-tread
        />
      </div>
      {isWrong ? <ReadAgain field={names.tin} canReport={job.may.includes('wrong-tires')} /> : null}
      {age && !isWrong ? (
        <p className="job-ok">
          <Icon name="check" size="s" /> {age}
        </p>
      ) : null}
    </fieldset>
  )
}

/** Actions for a rejected code. A misread code is more likely than an old tire. */
function ReadAgain({ field, canReport }: { field: string; canReport: boolean }) {
  return (
    <div className="job-again">
      <p>Compare the last four digits with the tire, first the week, then the year.</p>
      <a className="btn" href={`#${field}`} data-again={field}>
        Read again
      </a>
      {canReport ? (
        <a className="btn quiet" href="#wrong">
          Report the tire
        </a>
      ) : null}
    </div>
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
        <>
          <p className="job-ok">
            <Icon name="check-circle" size="s" /> Signed by {signed.name}, {signed.at}.
          </p>
          {signed.path ? <Drawn path={signed.path} name={signed.name} /> : null}
        </>
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
            {...(code.isTried ? { hint: `${countOf(code.left, 'try', 'tries')} left.` } : {})}
          />
          <button className="btn wide" name="intent" value="check">
            Check code
          </button>
        </>
      ) : null}
      {code.left === 0 && !signed ? <p className="strong">No tries are left. Take a signature.</p> : null}
      {job.isOver ? null : <Signature job={job} reply={reply} />}
    </JobPanel>
  )
}

/** A drawn signature. */
function Drawn({ path, name }: { path: string; name: string }) {
  const { width, height } = signatureSize
  return (
    <svg className="job-drawn" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Signature of ${name}`}>
      <path d={path} fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

function Signature({ job: { code, signed, service }, reply }: { job: JobView; reply: FormReply | undefined }) {
  const errors = reply?.errors ?? {}
  return (
    <details open={['signedName', 'signed', 'signature'].some((name) => name in errors) || code.left === 0}>
      <summary className="btn wide">No code? Take a signature</summary>
      <Field
        name="signedName"
        label="Customer’s full name"
        reply={reply}
        value={signed?.name}
        maxLength={60}
        autoComplete="off"
      />
      <div className="job-sign" id="signature" data-sign>
        <input type="hidden" name="signature" defaultValue={reply?.values['signature'] ?? ''} />
      </div>
      {errors['signature'] ? <p className="field-error">{errors['signature']}</p> : null}
      <label className="job-check">
        <input
          type="checkbox"
          id="signed"
          name="signed"
          value="yes"
          defaultChecked={reply?.values['signed'] === 'yes' || signed !== null}
        />
        <span>
          I am the customer. {service === null ? 'My tires were mounted' : 'The work was done'}, and I wasn’t charged
          again for prepaid items.
        </span>
      </label>
      {errors['signed'] ? <p className="field-error">{errors['signed']}</p> : null}
    </details>
  )
}

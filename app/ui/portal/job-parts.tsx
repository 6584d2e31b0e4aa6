import type { ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { Icon } from '#app/ui/icon.tsx'
import { Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { RequirementTable } from '#app/ui/requirement-table.tsx'
import type { JobView } from '#app/views/portal-job.server.ts'
import { pieceReportKinds } from '#domain/installer-portal/work-orders/work-orders.ts'
import { UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'

/** What happened, in words. */
export type JobEventWords = Readonly<
  Record<'moved' | 'pieces' | 'code' | 'code-wrong' | 'saved' | 'reported' | 'late', string>
>

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

/** Returns the class for a position's circle, green once its DOT code and old tread are entered. */
export function positionClass({ tin, tread }: JobView['tires'][number]): string {
  return tin !== null && tread !== null ? 'job-position is-done' : 'job-position'
}

/** Figures that a technician copies are large. */
function figureClass(text: string): string | undefined {
  return /\d/.test(text) ? 'job-figure tabular' : undefined
}

/** What is paid, and the car; for an installation also its tires. */
export function JobFacts({ job }: { job: JobView }) {
  return (
    <>
      <section className="job-prepaid" aria-label="Prepaid">
        <h2>
          <Icon name="check-circle" /> {job.money}
        </h2>
        <p>{job.prepaid.length > 0 ? `Paid online: ${job.prepaid.join('; ')}.` : 'Everything is paid online.'}</p>
        <p>Sell anything extra on a separate ticket. It’s never on our receipt.</p>
      </section>
      <JobPanel id="car" title="Car" note="Check before it goes up">
        <p className="strong">{job.vehicle}</p>
        <dl className="job-facts">
          <div className="is-wide">
            <dt>VIN, last 8</dt>
            <dd className={figureClass(job.vinEnd ?? '')}>{job.vinEnd ?? 'Not known'}</dd>
            <VinCheck job={job} />
          </div>
          {job.service === null ? <JobRequirements job={job} /> : null}
        </dl>
      </JobPanel>
      {job.service === null ? <JobTires job={job} /> : null}
    </>
  )
}

function JobRequirements({ job }: { job: JobView }) {
  return (
    <>
      {job.requirements.map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={figureClass(text)}>{text}</dd>
        </div>
      ))}
      <div className="is-wide">
        <dt>TPMS</dt>
        <dd>{job.hasKits ? 'Service kits are prepaid. Relearn the sensors.' : 'Relearn the sensors if fitted.'}</dd>
      </div>
    </>
  )
}

/** The vehicle's requirements, the tire positions, and the parcels. */
function JobTires({ job }: { job: JobView }) {
  return (
    <>
      <JobPanel id="requirement" title="What the vehicle requires">
        {job.fitment.toCheck === null ? null : <p className="strong">{job.fitment.toCheck}</p>}
        {job.fitment.sets.map(({ verdict, lines, basis, source, rows }, index) => (
          <div key={index} className="job-requirement">
            <RequirementTable rows={rows} caption="What the vehicle requires" />
            {source === null ? null : <p className="muted">{source}</p>}
            <p>
              {lines[0]?.startsWith(verdict) ? null : <b>{verdict}. </b>}
              {lines.join(' ')}
            </p>
            <p className="muted tabular">{basis}</p>
          </div>
        ))}
      </JobPanel>
      <JobPanel id="positions" title="Positions" note={job.isStaggered ? 'Staggered' : undefined}>
        <CarAxles tires={job.tires} isStaggered={job.isStaggered} />
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

/** Draws the axles with their wheels. Hidden if positions are entered at the car. */
function CarAxles({ tires, isStaggered }: Pick<JobView, 'tires' | 'isStaggered'>) {
  if (!tires.every(({ isFixed }) => isFixed)) return null
  return (
    <ul className="job-axles">
      {axles.map(({ name, left, right }) => {
        const [first] = left.flatMap((position) => tires.filter((tire) => tire.position === position))
        return first ? (
          <li key={name}>
            <WheelMarks tires={tires} positions={left} />
            <span>
              <b>{name}</b>
              {isStaggered ? <span className="muted">{first.article}</span> : null}
            </span>
            <WheelMarks tires={tires} positions={right} />
          </li>
        ) : null
      })}
    </ul>
  )
}

const axles = [
  { name: 'Front', left: ['LF'], right: ['RF'] },
  { name: 'Rear', left: ['LR', 'LI'], right: ['RI', 'RR'] },
] as const

function WheelMarks({ tires, positions }: { tires: JobView['tires']; positions: readonly string[] }) {
  const shown = positions.flatMap((position) => tires.filter((tire) => tire.position === position))
  return (
    <span className="job-axle-wheels">
      {shown.map((tire) => (
        <a
          key={tire.position}
          href={`#${tire.names.tin}`}
          className={positionClass(tire)}
          aria-label={`${tire.position}: ${tire.title}`}
        >
          {tire.position}
        </a>
      ))}
    </span>
  )
}

/** Confirms the order's VIN with one tap, which also saves the form. */
function VinCheck({ job: { vinEnd, carVinEnd, isOver, may } }: { job: JobView }) {
  if (vinEnd === null) return null
  if (carVinEnd !== null)
    return (
      <dd className="job-ok">
        <Icon name="check" size="s" /> Matches
      </dd>
    )
  if (isOver) return null
  return (
    <dd className="job-vin">
      <button className="btn" form="job" name="intent" value="vin-matches">
        Matches
      </button>
      {may.includes('wrong-vehicle') ? (
        <a className="btn quiet" href="#wrong">
          Wrong vehicle
        </a>
      ) : null}
    </dd>
  )
}

/** Counting pieces by scanner or by hand, and reporting short or damaged ones. */
export function JobPieces({ job, reply }: { job: JobView; reply: FormReply | undefined }) {
  const of = (intent: string) => (reply?.values['intent'] === intent ? reply : undefined)
  return (
    <JobPanel id="pieces" title="Pieces received" note={`${job.received} of ${job.total} counted`}>
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
        <SelectField name="kind" label="Problem" reply={reply}>
          {Object.entries(pieceReportKinds).map(([value, words]) => (
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
          label={`Photo, up to ${UPLOAD_MAX_BYTES / 1024 / 1024} MB`}
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

import { data } from 'react-router'
import { requireShop } from '#app/server/portal.server.ts'
import { readingEngineFolder } from '#app/server/reading-engine.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { JobActs, JobHistory } from '#app/ui/portal/job-acts.tsx'
import { JobLast, JobPacket } from '#app/ui/portal/job-packet.tsx'
import { JobPay } from '#app/ui/portal/job-pay.tsx'
import { JobPhotos } from '#app/ui/portal/job-photos.tsx'
import { JobFacts, JobPanel, JobPieces, JobSteps } from '#app/ui/portal/job-parts.tsx'
import { JobProof, JobWheels } from '#app/ui/portal/job-wheels.tsx'
import { JobBar } from '#app/ui/portal/next-job.tsx'
import { plateLookupLabels } from '#app/ui/portal/plate-lookup.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import photoField from '#app/ui/photo-field.js?url'
import jobFill from '#app/ui/portal/job-fill.js?url'
import jobSign from '#app/ui/portal/job-sign.js?url'
import tinReader from '#app/ui/portal/tin-reader.ts?worker&url'
import styles from '#app/ui/styles/portal-job.css?url'
import photoFieldStyles from '#app/ui/styles/photo-field.css?url'
import photoStyles from '#app/ui/styles/portal-job-photos.css?url'
import requirementStyles from '#app/ui/styles/requirement-table.css?url'
import { jobView } from '#app/views/portal-job.server.ts'
import { payView } from '#app/views/portal-pay.server.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { portalCan } from '#domain/installer-portal/portal/portal.ts'
import { packetWords } from '#domain/ordering/orders/orders.ts'
import { readEarnings } from '#domain/installer-portal/payouts/payouts.server.ts'
import { readJob } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import type { Route } from './+types/job.ts'
import { actOnJob } from './job-acts.server.ts'
import { plateStatesOf } from './plate-lookup.server.ts'

export const links = () => [
  { rel: 'stylesheet', href: styles },
  { rel: 'stylesheet', href: photoFieldStyles },
  { rel: 'stylesheet', href: photoStyles },
  { rel: 'stylesheet', href: requirementStyles },
]
export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  portalHead(matches, loaderData ? `${loaderData.job.title}, ${loaderData.job.order}` : 'Job', portalPaths.portal())

/** The work order of one job, from package arrival to completion. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { app, shopCode, place, job } = await requireJob(context, params)
  const { id, start, timeZone } = job.booking
  const day = start.toZonedDateTimeISO(timeZone).toPlainDate()
  const earnings = portalCan(place.role, 'pay.read') ? await readEarnings(app, place, [{ bookingId: id, day }]) : null
  const earned = earnings?.get(id)
  return {
    engine: readingEngineFolder(),
    plateStates: plateStatesOf(app),
    today: job.today.toString(),
    pay: earned ? payView(earned, timeZone) : null,
    job: jobView(job, { shopCode, now: app.clock.now() }),
    news: news[url.searchParams.get('done') ?? ''] ?? null,
  }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return actOnJob(request, context, await requireJob(context, params))
}

/** Returns the job for staff of its shop. Responds with 404 for other shops' bookings. */
async function requireJob(
  context: Route.LoaderArgs['context'],
  { shopCode, booking }: { shopCode: string; booking: string },
) {
  const path = portalPaths.job(shopCode, booking)
  const at = await requireShop(context, 'jobs.work', { shopCode, path })
  const job = await readJob(at.app, { shopId: at.place.shopId, bookingId: booking })
  if (!job) throw data(null, { status: 404 })
  return { ...at, shopCode, job }
}

const news: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  checked: 'Saved. The claim code matches.',
  told: 'The customer was notified.',
  counted: 'Counted.',
  photo: 'Photo saved.',
  reported: 'Reported. We answer here.',
  arrived: 'The car is here.',
  'in-bay': 'In the bay.',
  'no-show': 'Marked as a no-show.',
  'wrong-vehicle': 'Reported. Mark the car as here once the right one comes.',
  'wrong-tires': 'Reported. The customer was emailed.',
  refused: 'Refused. The customer was emailed your reason.',
  finished: 'Finished. The tires are registered for the customer.',
  'finished-service': 'Finished.',
}

/** The buttons of the form around the car. */
const jobIntents: ReadonlySet<string> = new Set(['save', 'check', 'finish', 'plate', 'vin-matches'])

export default function JobPage({
  loaderData: { job, engine, plateStates, today, pay, news: done },
  actionData: reply,
}: Route.ComponentProps) {
  const ofJob = reply && jobIntents.has(reply.values['intent'] ?? '') ? reply : undefined
  return (
    <div className="wrap portal job-page">
      <JobHead job={job} done={reply ? null : done} />
      <ErrorSummary reply={reply} labels={labelsOf(job)} />
      <JobSteps steps={job.steps} />
      {/* Enter in a field saves. Otherwise it would press the first button, which confirms the VIN. */}
      <button form="job" name="intent" value="save" aria-label="Save" hidden />
      <div className="job-columns">
        <div className="job-column">
          <JobFacts job={job} />
          {job.service === null ? <JobPieces job={job} reply={reply} /> : null}
        </div>
        <div className="job-column">
          <form method="post" id="job" className="job-column" data-draft="offline" noValidate>
            {job.service === null ? <JobWheels job={job} reply={ofJob} /> : null}
            <JobPacket job={job} reply={ofJob} />
            <JobLast job={job} reply={ofJob} plateStates={plateStates} />
            <JobProof job={job} reply={ofJob} />
          </form>
          {job.service === null ? <JobPhotos job={job} reply={reply} /> : null}
        </div>
        <div className="job-column">
          <JobActs job={job} reply={reply} />
          {pay ? (
            <JobPanel id="pay" title="Your pay">
              <JobPay pay={pay} />
            </JobPanel>
          ) : null}
          <JobHistory events={job.events} />
        </div>
      </div>
      {job.next ? <JobBar next={job.next} missing={job.missing} /> : null}
      {job.isOver ? null : (
        <>
          <script type="module" src={jobFill} />
          <script type="module" src={jobSign} />
          <script type="module" src={photoField} data-photo-reader={tinReader} data-engine={engine} data-day={today} />
        </>
      )}
    </div>
  )
}

/** Renders the job's customer and the last action's message. */
function JobHead({ job, done }: { job: Route.ComponentProps['loaderData']['job']; done: string | null }) {
  return (
    <>
      <p className="portal-back">
        <a href={job.back}>
          <Icon name="left" size="s" /> Day
        </a>
        <span className={`job-tag is-${job.state}`}>{job.stateWords}</span>
      </p>
      <h1>{job.title}</h1>
      <p className="muted tabular">
        {job.order} · PO {job.po}
        {job.stateAt ? ` · ${job.stateWords} ${job.stateAt}` : ''}
      </p>
      {done ? (
        <p className="portal-news" role="status">
          <Icon name="check-circle" size="s" /> {done}
        </p>
      ) : null}
      {job.stop ? (
        <p className="job-stop" role="alert">
          {job.stop}
        </p>
      ) : null}
      {job.reason ? (
        <p className="portal-news">
          {job.stateWords}: {job.reason}
        </p>
      ) : null}
    </>
  )
}

function labelsOf({ tires, photos }: Route.ComponentProps['loaderData']['job']): Record<string, string> {
  return Object.fromEntries<string>([
    ...tires.flatMap(({ names, position }): [string, string][] => [
      [names.tin, `${position} TIN`],
      [names.tread, `${position} old tread`],
      [names.position, `${position} position`],
    ]),
    ...photos.map(({ field, title }): [string, string] => [field, `Photo, ${title}`]),
    ['odometer', 'Odometer'],
    ['torque', 'Torque'],
    ['code', 'Claim code'],
    ['late', 'Delay'],
    ['signedName', 'Signature'],
    ['signature', 'Signature'],
    ['vin', 'VIN'],
    ['signed', 'Signature'],
    ['photo', 'Photo'],
    ['count', 'How many'],
    ['scanned', 'Number on the label'],
    ['unit', packetWords.unit],
    ['driver', packetWords.driver],
    ['plate', packetWords.plate],
    ['plateState', packetWords.plateState],
    ...Object.entries(plateLookupLabels),
  ])
}

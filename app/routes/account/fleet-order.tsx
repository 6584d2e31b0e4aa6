import { formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { packetWords, readAnyVin, readPacket } from '#domain/ordering/orders/orders.ts'
import { changeFleetPacket, mayChangePacket } from '#domain/ordering/orders/orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { CompanyPage } from './company-page.tsx'
import { visitView, type VisitView } from './fleet-visit-view.server.ts'
import { requireFleetVisit } from './require-fleet-visit.server.ts'
import type { Route } from './+types/fleet-order.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Fleet packet',
    description: 'Your fleet’s record of an order, with PO, unit, driver, VIN, plate, mileage, and tires.',
    path: paths.companyOrders(),
    isIndexed: false,
  })

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { company, role, orderId, visit } = await requireFleetVisit(context, params)
  const { unit, driver, plate, plateState, job, state } = visit
  return {
    name: company.name,
    view: visitView(visit),
    order: paths.trackResult(orderId),
    file: serverPaths.fleetPacketFile(orderId),
    values: { unit, driver, plate, plateState },
    // Members without access to all orders can see this one only as the buyer who placed it.
    mayChange: job === null && state !== 'canceled' && mayChangePacket({ role, isOwn: role === 'buyer' }),
    isSaved: url.searchParams.get('done') === 'saved',
  }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { app, signedIn, orderId } = await requireFleetVisit(context, params)
  const fields = await readForm(request)
  const packet = readPacket(fields)
  const vin = readAnyVin(fields.get('vin') ?? '')
  const errors = vin.error === undefined ? packet.errors : { ...packet.errors, vin: vin.error }
  if (Object.keys(errors).length > 0) return refuseForm({ values: Object.fromEntries(fields), errors })
  const changed = await changeFleetPacket(app, signedIn.accountId, { orderId, packet: packet.value, vin: vin.value })
  if (changed.ok) return seeOther(serverPaths.fleetOrder(orderId, 'saved'))
  if (changed.reason === 'packet-not-found') throw new Response(null, { status: 404 })
  const { words, status } = refusals[changed.reason]
  return refuseForm(formRefusal(fields, words), status)
}

const refusals = {
  'not-allowed': { words: 'You don’t have permission to do this.', status: 403 },
  'job-done': { words: 'The shop has finished this job. Its details can no longer be changed.', status: 409 },
} as const

export default function FleetOrder({
  loaderData: { name, view, order, file, values, mayChange, isSaved },
  actionData: reply,
}: Route.ComponentProps) {
  return (
    <CompanyPage name={name} at="orders">
      {isSaved && !reply ? (
        <p className="notice" role="status">
          Saved. The shop sees it with the job.
        </p>
      ) : null}
      {mayChange ? null : <ErrorSummary reply={reply} />}
      <Packet view={view} />
      <p className="row wrap-row no-print">
        <a className="btn" href={order}>
          Open the order
        </a>
        <a className="btn quiet" href={file}>
          As JSON
        </a>
      </p>
      {mayChange ? <PacketForm values={{ ...values, vin: view.vin }} reply={reply} /> : null}
    </CompanyPage>
  )
}

/** The packet as it is printed. */
function Packet({ view }: { view: VisitView }) {
  const { number, placed, poNumber, vehicle, unit, driver, vin, plate, fitted, miles, tires, missing, isCanceled } =
    view
  const rows: [string, string | null][] = [
    ['PO number', poNumber],
    ['Unit number', unit],
    ['Driver', driver],
    ['Vehicle', vehicle],
    ['VIN', vin],
    ['License plate', plate],
    ['Installed', fitted],
    ['Mileage', miles],
  ]
  return (
    <section className="panel padded stack" aria-labelledby="packet">
      <h2 id="packet">Fleet packet of {number}</h2>
      <p className="small muted">Ordered {placed}. Print this page for your records.</p>
      {isCanceled ? <p className="strong">This order was canceled.</p> : null}
      <dl className="account-details tabular">
        {rows.map(([term, words]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{words ?? 'Not given yet'}</dd>
          </div>
        ))}
      </dl>
      <ul className="tabular">
        {tires.map(({ position, tin, tire }) => (
          <li key={position}>
            {position}: {tire}, TIN {tin}
          </li>
        ))}
      </ul>
      {missing.length > 0 && !isCanceled ? <p>Still missing: {missing.join(', ')}.</p> : null}
    </section>
  )
}

function PacketForm({
  values,
  reply,
}: {
  values: Readonly<Record<keyof typeof packetWords, string | null>>
  reply: FormReply | undefined
}) {
  const field = (name: keyof typeof packetWords, maxLength: number, hint?: string) => (
    <Field
      name={name}
      label={packetWords[name]}
      value={values[name]}
      reply={reply}
      maxLength={maxLength}
      autoComplete="off"
      required={false}
      {...(hint !== undefined && { hint })}
    />
  )
  return (
    <form method="post" className="panel padded stack no-print" noValidate>
      <h2>Vehicle</h2>
      <ErrorSummary reply={reply} labels={packetWords} />
      <p className="small muted">
        The shop can fill in what you leave empty, and cannot finish the job before all of it is there.
      </p>
      <div className="field-pair">
        {field('unit', 20)}
        {field('driver', 60)}
      </div>
      {field('vin', 40, 'The shop checks it against the car.')}
      <div className="field-pair">
        {field('plate', 12)}
        {field('plateState', 4, 'Two letters, such as IL.')}
      </div>
      <p>
        <button className="btn primary">Save</button>
      </p>
    </form>
  )
}

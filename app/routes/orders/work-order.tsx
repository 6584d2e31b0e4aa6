import requirementStyles from '#app/ui/styles/requirement-table.css?url'
import styles from '#app/ui/styles/work-order.css?url'
import { RequirementTable } from '#app/ui/requirement-table.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { requireWorkOrder } from '#app/views/work-order.server.ts'
import { paths } from '#content/paths.ts'
import type { WorkOrder } from '#domain/ordering/orders/orders.ts'
import type { Route } from './+types/work-order.ts'

export const handle = { script: false }
export const links = () => [
  { rel: 'stylesheet', href: styles },
  { rel: 'stylesheet', href: requirementStyles },
]
export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: `Work order PO ${loaderData.workOrder.poNumber}`,
        description: 'What the shop has to know for the job.',
        path: paths.trackOrder(),
        isIndexed: false,
      })
    : []

export async function loader({ context, url }: Route.LoaderArgs) {
  const { orderId, key, workOrder } = await requireWorkOrder(context, url, { leads: true })
  return { workOrder, pdf: paths.workOrderPdf(orderId, key) }
}

export default function WorkOrderPage({ loaderData: { workOrder, pdf } }: Route.ComponentProps) {
  const { poNumber, orderNumber, stop, money, prepaid } = workOrder
  return (
    <div className="wrap work-order">
      <header className="order-head">
        <h1>
          Work order <span className="tabular">PO {poNumber}</span>
        </h1>
        <p className="muted tabular">
          Order {orderNumber}. <a href={pdf}>Print as PDF</a>
        </p>
      </header>
      {stop === null ? null : (
        <p className="notice strong" role="alert">
          {stop}
        </p>
      )}
      <section className="panel padded" aria-labelledby="prepaid">
        <h2 id="prepaid">{money}</h2>
        <p>{prepaid.join(', ') || 'Tires only'}</p>
      </section>
      <Job order={workOrder} />
      {workOrder.service === null ? (
        <>
          <Fitment order={workOrder} />
          <Positions order={workOrder} />
          <Parcels order={workOrder} />
        </>
      ) : null}
    </div>
  )
}

function Job({ order }: { order: WorkOrder }) {
  const rows: [string, string[]][] = [
    ['Appointment', [order.appointment]],
    ['Vehicle', [order.vehicle]],
    ...(order.service === null ? [['Torque', [order.torque]] as [string, string[]]] : []),
    ['Customer', order.customer],
    ['Shop', order.shop],
  ]
  return (
    <section className="panel padded" aria-labelledby="job">
      <h2 id="job">Job</h2>
      <dl className="work-order-facts">
        {rows.map(([label, lines]) => (
          <div key={label}>
            <dt className="muted small">{label}</dt>
            {lines.map((line) => (
              <dd key={line}>{line}</dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  )
}

/** What the vehicle requires, and the verdict on the tires with its rules. */
function Fitment({ order: { fitment, vehicle } }: { order: WorkOrder }) {
  return (
    <section className="panel padded" aria-labelledby="fitment">
      <h2 id="fitment">What the vehicle requires</h2>
      <p className="strong">{vehicle}</p>
      {fitment.toCheck === null ? null : <p className="strong">{fitment.toCheck}</p>}
      {fitment.sets.map(({ verdict, lines, basis, source, rows }, index) => (
        <div key={index}>
          <RequirementTable rows={rows} caption="What the vehicle requires" />
          {source === null ? null : <p className="muted small">{source}</p>}
          <p>
            <b>{verdict}.</b> {lines.join(' ')}
          </p>
          <p className="muted small tabular">{basis}</p>
        </div>
      ))}
    </section>
  )
}

function Positions({ order: { positions, isStaggered } }: { order: WorkOrder }) {
  return (
    <section className="panel padded" aria-labelledby="positions">
      <h2 id="positions">Positions</h2>
      {isStaggered ? <p className="strong">Staggered set. Never swap front and rear.</p> : null}
      <ul className="work-order-list">
        {positions.map(({ position, tire, quantity }) => (
          <li key={`${position} ${tire}`}>
            <b>{position}</b>
            <span>{tire}</span>
            <span className="tabular nowrap">{quantity}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Parcels({ order: { parcels } }: { order: WorkOrder }) {
  return (
    <section className="panel padded" aria-labelledby="parcels">
      <h2 id="parcels">Parcels</h2>
      <ul className="work-order-list">
        {parcels.map(({ title, pieces, contents, tracking, arrival }) => (
          <li key={title}>
            <b>
              {title}: {pieces}
            </b>
            <span>
              {contents.join(', ')}
              <br />
              <span className="muted small tabular">
                {tracking}. {arrival}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

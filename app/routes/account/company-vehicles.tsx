import { pageHead } from '#app/ui/page-head.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { serverPaths } from '#content/server-paths.ts'
import { companyCan } from '#domain/customers/companies/companies.ts'
import { listFleetVisits } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { CompanyPage } from './company-page.tsx'
import { vehiclesOf, type VisitView } from './fleet-visit-view.server.ts'
import { requireCompany } from './require-company.server.ts'
import type { Route } from './+types/company-vehicles.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Company vehicles',
    description: 'Each unit’s tires with mileage, positions, and TINs.',
    path: serverPaths.companyVehicles(),
    isIndexed: false,
  })

/** Owners and viewers see all company vehicles. Buyers see only the vehicles from their orders. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, company, role, signedIn } = await requireCompany(context, serverPaths.companyVehicles())
  const accountId = companyCan(role, 'see-all-orders') ? null : signedIn.accountId
  const before = orderIdOf(url.searchParams.get('before')) || null
  const { visits, next } = await listFleetVisits(app, { companyId: company.id, accountId }, before)
  return {
    name: company.name,
    hasFleetPackets: company.hasFleetPackets,
    mayQuote: company.hasFleetPackets && companyCan(role, 'order'),
    phone: app.config.store.phone,
    file: serverPaths.companyVehiclesFile(),
    vehicles: vehiclesOf(visits),
    older: next === null ? null : serverPaths.companyVehicles(next),
  }
}

export default function CompanyVehicles({
  loaderData: { name, hasFleetPackets, mayQuote, phone, file, vehicles, older },
}: Route.ComponentProps) {
  return (
    <CompanyPage name={name} at="vehicles">
      {mayQuote ? (
        <p className="no-print">
          <a className="btn primary" href={serverPaths.companyFleetQuotes()}>
            Quote many vehicles
          </a>
        </p>
      ) : null}
      {vehicles.length === 0 ? (
        <p className="muted">
          {hasFleetPackets
            ? 'No vehicle yet. Each order for your company is listed here by its unit.'
            : `To track each unit’s tires here, call ${phone} and ask for fleet packets.`}
        </p>
      ) : (
        <p className="no-print">
          <a className="btn" href={file} download>
            Download as CSV
          </a>
        </p>
      )}
      {vehicles.map(({ unit, visits }) => (
        <section key={unit ?? ''} className="panel padded stack" aria-label={unitText(unit)}>
          <h2>{unitText(unit)}</h2>
          <ul className="account-list">
            {visits.map((visit) => (
              <li key={visit.number} className="stack">
                <Visit visit={visit} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {older ? (
        <p>
          <a className="btn" href={older}>
            Older orders
          </a>
        </p>
      ) : null}
    </CompanyPage>
  )
}

function unitText(unit: string | null): string {
  return unit === null ? 'Unit not given yet' : `Unit ${unit}`
}

function Visit({ visit }: { visit: VisitView }) {
  const { href, number, placed, poNumber, vehicle, driver, vin, plate, status, tires } = visit
  const car = [vehicle, vin && `VIN ${vin}`, plate && `plate ${plate}`, driver].filter(Boolean).join(', ')
  return (
    <>
      <p className="tabular">
        <a href={href}>{number}</a>, ordered {placed}
        {poNumber ? `, PO ${poNumber}` : ''}
      </p>
      {car ? <p>{car}</p> : null}
      <p className="strong tabular">{status}</p>
      <ul className="tabular">
        {tires.map(({ position, tin, tire }) => (
          <li key={position}>
            {position}: {tire}, TIN {tin}
          </li>
        ))}
      </ul>
    </>
  )
}

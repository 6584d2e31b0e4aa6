import { officePaths } from '#content/office-paths.ts'
import type { HomeAppointment } from '#app/views/office/home.server.ts'
import { Panel, PanelBody, Tag } from './office-parts.tsx'
import { Unbroken } from './unbroken.tsx'

/** The cars in a bay, then the next appointments. */
export function HomeAppointments({
  appointments: { rows: appointments, zone },
  mayAddShop,
}: {
  appointments: { rows: readonly HomeAppointment[]; zone: string | null }
  mayAddShop: boolean
}) {
  const parts = [
    { title: 'In the bay', rows: appointments.filter(({ isInBay }) => isInBay) },
    { title: 'Next', rows: appointments.filter(({ isInBay }) => !isInBay) },
  ].filter(({ rows }) => rows.length > 0)
  return (
    <Panel
      id="appointments"
      title="Appointments"
      note={zone === null ? undefined : `Times in ${zone}`}
      end={
        <a href={officePaths.officeAppointments()}>
          All<span className="visually-hidden"> appointments</span>
        </a>
      }
    >
      {parts.length === 0 ? (
        <PanelBody>
          <p className="strong">No appointments ahead</p>
          <p className="muted">Appointments appear here when shoppers book them.</p>
          {mayAddShop ? (
            <p>
              <a className="btn" href={officePaths.officeNewShop()}>
                Add a shop
              </a>
            </p>
          ) : null}
        </PanelBody>
      ) : (
        parts.map(({ title, rows }) => (
          <div key={title} role="group" aria-label={title}>
            <h3 className="office-appointments-title">{title}</h3>
            <ol className="office-appointments">
              {rows.map(({ orderPath, time, name, tires, shop, state }) => (
                <li key={orderPath}>
                  <span className="strong">
                    <Unbroken>{time}</Unbroken>
                  </span>
                  <span>
                    <a href={orderPath}>{name}</a>
                    <small>{tires}</small>
                    <small>{shop}</small>
                  </span>
                  <Tag tone={state.tone}>{state.words}</Tag>
                </li>
              ))}
            </ol>
          </div>
        ))
      )}
    </Panel>
  )
}

import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Facts, Notice, Panel, PanelBody, Tag, type Tone } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { readHealthView, type HealthView } from '#app/views/office/health.server.ts'
import { BUDGET_DAYS } from '#domain/operations/health/health.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/health.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Health', officePaths.officeHealth())

export async function loader({ context }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'health.read', officePaths.officeHealth())
  return { ...(await readHealthView(app)) }
}

export default function HealthPage({ loaderData }: Route.ComponentProps) {
  const { facts, objectives, processes, purchases, asOf } = loaderData
  const broken = objectives.filter(({ tone }) => tone === 'stop')
  return (
    <OfficePage title="Health">
      {broken.length > 0 ? (
        <Notice tone="stop" title={`Missed more often than allowed: ${broken.map(({ title }) => title).join(', ')}.`}>
          <p>Pause risky changes, such as releases, until the budget recovers.</p>
        </Notice>
      ) : null}
      <Panel id="now" title="Now" note={`As of ${asOf}`}>
        <PanelBody>
          <Facts facts={facts} />
        </PanelBody>
      </Panel>
      <Objectives objectives={objectives} />
      {purchases ? <Purchases purchases={purchases} /> : null}
      <Panel id="processes" title="Processes" note="Heartbeat every 30 seconds">
        {processes.length === 0 ? (
          <p className="office-panel-body">No heartbeats yet.</p>
        ) : (
          <DataTable
            caption="Processes that serve the store"
            columns={[
              { key: 'kind', label: 'Process', isRowHeader: true },
              { key: 'state', label: 'State' },
              { key: 'started', label: 'Running for' },
              { key: 'seen', label: 'Last seen' },
            ]}
            rows={processes.map(({ id, kind, isSeen, started, seen }) => ({
              id,
              cells: {
                kind,
                started,
                seen,
                state: <StateTag tone={isSeen ? 'go' : 'stop'} words={isSeen ? 'Running' : 'Gone'} />,
              },
            }))}
          />
        )}
      </Panel>
    </OfficePage>
  )
}

function StateTag({ tone, words }: { tone: Tone; words: string }) {
  return <Tag tone={tone}>{words}</Tag>
}

function Objectives({ objectives }: Pick<HealthView, 'objectives'>) {
  return (
    <Panel
      id="objectives"
      title="Service level objectives"
      note={`The last ${countOf(BUDGET_DAYS, 'day')}. The budget is the allowed failure rate.`}
    >
      <DataTable
        caption="Objectives and their error budgets"
        columns={[
          { key: 'title', label: 'Objective', isRowHeader: true },
          { key: 'target', label: 'Target', isAmount: true },
          { key: 'kept', label: 'Met', isAmount: true },
          { key: 'missed', label: 'Missed', isAmount: true },
          { key: 'day', label: 'Last day', isAmount: true },
          { key: 'left', label: 'Budget left', isAmount: true },
        ]}
        rows={objectives.map(({ name, title, promise, tone, left, ...cells }) => ({
          id: name,
          cells: {
            ...cells,
            title: (
              <>
                {title}
                <small className="office-note">{promise}</small>
              </>
            ),
            left: <StateTag tone={tone} words={left} />,
          },
        }))}
      />
    </Panel>
  )
}

function Purchases({ purchases }: { purchases: NonNullable<HealthView['purchases']> }) {
  return (
    <Panel
      id="purchases"
      title="Synthetic buyer"
      note="Places an order every minute and cancels it immediately, so reports aren’t affected."
    >
      {purchases.length === 0 ? (
        <p className="office-panel-body">No purchases yet. The first one runs within a minute.</p>
      ) : (
        <DataTable
          caption="Synthetic buyer purchases"
          columns={[
            { key: 'at', label: 'Time', isRowHeader: true },
            { key: 'outcome', label: 'Outcome' },
            { key: 'took', label: 'Took', isAmount: true },
            { key: 'order', label: 'Order' },
          ]}
          rows={purchases.map(({ id, at, failed, took, order }) => ({
            id,
            cells: {
              at,
              took,
              outcome: <StateTag tone={failed === null ? 'go' : 'stop'} words={failed ?? 'Bought and canceled'} />,
              order: order && <a href={order.path}>{order.number}</a>,
            },
          }))}
        />
      )}
    </Panel>
  )
}

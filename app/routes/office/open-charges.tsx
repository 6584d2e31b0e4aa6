import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, Timer } from '#app/ui/office/office-parts.tsx'
import { openChargeView, type OpenChargeView } from '#app/views/open-charge.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listOpenCharges } from '#domain/open-charges/open-charges.server.ts'
import type { Route } from './+types/open-charges.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Open charges', officePaths.officeCharges())

const shown = 200

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'money.watch', officePaths.officeCharges())
  const charges = (await listOpenCharges(shop, shown)).map((charge) => openChargeView(shop, session.roles, charge))
  return {
    done: news[url.searchParams.get('done') ?? ''] ?? null,
    unanswered: charges.filter(({ kind }) => kind === 'no-answer'),
    ending: charges.filter(({ kind }) => kind !== 'no-answer'),
  }
}

const news: Readonly<Record<string, string>> = {
  'let-go': 'Let go. What the bank sets aside later is released by itself.',
  answered: 'The provider answered. The charge needs nobody any more.',
  captured: 'Charged. The order goes on.',
}

export default function OpenCharges({ loaderData: { done, unanswered, ending } }: Route.ComponentProps) {
  return (
    <OfficePage title="Open charges" crumbs={[{ label: 'Today', path: officePaths.office() }]}>
      {done ? <Notice tone="go" title={done} isNews /> : null}
      <Charges
        id="unanswered"
        title="No answer from the bank (539)"
        note="Nothing is ordered yet. At the end of the time we let go"
        charges={unanswered}
      />
      <Charges
        id="ending"
        title="Authorizations that end or have ended"
        note="The store tries to charge before they show up here"
        charges={ending}
      />
    </OfficePage>
  )
}

function Charges({
  id,
  title,
  note,
  charges,
}: {
  id: string
  title: string
  note: string
  charges: readonly OpenChargeView[]
}) {
  return (
    <Panel id={id} title={title} note={note}>
      {charges.length === 0 ? (
        <p className="office-panel-body">Nothing waits here.</p>
      ) : (
        <DataTable
          caption={title}
          columns={[
            { key: 'what', label: 'What', isRowHeader: true },
            { key: 'person', label: 'Customer' },
            { key: 'method', label: 'Method' },
            { key: 'amount', label: 'Amount', isAmount: true },
            { key: 'owner', label: 'Owner' },
            { key: 'timer', label: 'Timer' },
          ]}
          rows={charges.map(({ id: key, what, path, person, method, amount, owner, timer, kind, kindWords }) => ({
            id: key,
            cells: {
              what: (
                <>
                  <a href={path}>{what}</a>
                  {kind === 'no-answer' ? null : <div className="muted">{kindWords}</div>}
                </>
              ),
              person,
              method,
              amount,
              owner: owner ?? 'Nobody',
              timer: <Timer tone={timer.tone}>{timer.words}</Timer>,
            },
          }))}
        />
      )}
    </Panel>
  )
}

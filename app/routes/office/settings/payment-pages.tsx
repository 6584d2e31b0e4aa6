import { canUse, pageParts } from '#app/office/page-parts.ts'
import { decide, doneNews, step } from '#app/office/decision.server.ts'
import { Fold } from '#app/office/detail.tsx'
import { button, FormPanel, RowForm } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { otherScripts } from '#app/server/payment-pages.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { readPaymentPages } from '#app/views/office/payment-pages.server.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  approvalForm,
  approveScript,
  withdrawalForm,
  withdrawScript,
} from '#domain/payments/payment-pages/payment-pages.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/payment-pages.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Payment pages', officePaths.officePaymentPages())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'payment-pages.read', officePaths.officePaymentPages())
  return {
    ...(await readPaymentPages(app)),
    mayApprove: canUse(session.roles, 'payment-scripts'),
    news: doneNews(url, { approved: 'Script approved.', withdrawn: 'Approval withdrawn.' }),
  }
}

export const action = (args: Route.ActionArgs) =>
  decide(
    args,
    {
      noun: 'script',
      permission: pageParts['payment-scripts'].permission,
      path: (done) => officePaths.officePaymentPages(done),
    },
    ({ app, by }) => ({
      approve: step(
        approvalForm,
        (form) => approveScript(app, by, { ...form, others: otherScripts(app.config) }),
        'approved',
      ),
      withdraw: step(withdrawalForm, ({ address }) => withdrawScript(app, by, address), 'withdrawn'),
    }),
    {
      gone: 'This approval was already withdrawn.',
      'unknown-script': 'No payment page of this store loads that script.',
    },
  )

export default function PaymentPages({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { others, checks, findings, skipped, mayApprove } = loaderData
  const open = findings.filter(({ resolved }) => resolved === null)
  const waiting = others.filter(({ approval }) => approval === null)
  return (
    <OfficePage
      title="Payment pages"
      tags={open.length > 0 ? <Tag tone="stop">Differences found</Tag> : <Tag tone="go">As approved</Tag>}
      news={loaderData.news}
      reply={reply}
      end={
        <a className="btn quiet" href={officePaths.officePaymentPagesFile()}>
          Download evidence (PDF)
        </a>
      }
    >
      {checks.length === 0 ? (
        <Notice tone="signal" title="No check has run yet. The first one runs within an hour." />
      ) : null}
      {skipped === null ? null : (
        <Notice tone="signal" title="The last check couldn’t open the card page.">
          <p>{skipped}</p>
        </Notice>
      )}
      <TablePanel
        id="findings"
        title="Differences"
        note="Differences from approved scripts and headers. A difference closes once a check no longer finds it."
        empty="No differences found."
        columns={{ kind: 'What', subject: 'Where', detail: 'Details', first: 'Found', resolved: 'Resolved' }}
        rows={findings.map(({ id, kind, page, subject, detail, first, resolved }) => ({
          id,
          cells: {
            kind,
            subject: `${subject} (${page})`,
            detail,
            first,
            resolved: resolved ?? <Tag tone="stop">Open</Tag>,
          },
        }))}
      />
      {mayApprove
        ? waiting.map((script, index) => (
            <ApprovalForm key={script.address} id={`approve-${index}`} script={script} reply={reply} />
          ))
        : null}
      <TablePanel
        id="others"
        title="Third-party scripts"
        empty="None."
        columns={{ address: 'Address', by: 'Company', purpose: 'Purpose', approval: 'Approved', end: 'Action' }}
        rows={others.map(({ address, by, purpose, approval }) => ({
          id: address,
          cells: {
            address,
            by,
            purpose,
            approval: approval ?? <Tag tone="signal">Not approved</Tag>,
            end:
              approval !== null && mayApprove ? (
                <RowForm
                  reply={reply}
                  about={{ address }}
                  buttons={[button('withdraw', 'Withdraw', 'quiet', { name: `Withdraw the approval of ${address}` })]}
                />
              ) : null,
          },
        }))}
      />
      <Records data={loaderData} />
    </OfficePage>
  )
}

function ApprovalForm({
  id,
  script: { address, purpose },
  reply,
}: {
  id: string
  script: { address: string; purpose: string }
  reply: Route.ComponentProps['actionData']
}) {
  return (
    <FormPanel
      id={id}
      title="Approve a script"
      lead={address}
      isOpen
      reply={reply}
      about={{ address }}
      fields={{
        purpose: {
          label: 'Why payment pages need it',
          value: purpose,
          max: 300,
          hint: 'Your assessor reads this (PCI DSS 6.4.3).',
        },
      }}
      buttons={[button('approve', 'Approve', 'primary')]}
    />
  )
}

const scriptColumns = [
  { key: 'address', label: 'Address', isRowHeader: true },
  { key: 'purpose', label: 'Purpose' },
  { key: 'size', label: 'Size' },
  { key: 'integrity', label: 'Integrity' },
]

/** The store's own scripts, the last checks and what browsers report. */
function Records({ data }: { data: Route.ComponentProps['loaderData'] }) {
  const { scripts, inline, checks, reports, isBuilt } = data
  return (
    <>
      <Panel
        id="scripts"
        title="First-party scripts"
        note="Listed by the build, approved with the release. Every check compares them byte by byte."
      >
        {scripts.length === 0 ? (
          <PanelBody>
            <p>{isBuilt ? 'None.' : 'This process runs without a build, so there is no list.'}</p>
          </PanelBody>
        ) : null}
        {[...Map.groupBy(scripts, ({ pages }) => pages)].map(([pages, ofPages]) => (
          <Fold key={pages} title={pages} note={countOf(ofPages.length, 'script')}>
            <DataTable
              caption={`Scripts on ${pages}`}
              columns={scriptColumns}
              rows={ofPages.map(({ address, purpose, size, integrity }) => ({
                id: address,
                cells: { address, purpose, size, integrity: `${integrity.slice(0, 19)}…` },
              }))}
            />
          </Fold>
        ))}
      </Panel>
      <TablePanel
        id="inline"
        title="Inline scripts"
        note="Allowed by a hash or nonce of each response."
        columns={{ name: 'Script', purpose: 'Purpose' }}
        rows={inline.map((cells) => ({ id: cells.name, cells }))}
      />
      <TablePanel
        id="checks"
        title="Last checks"
        note="Hourly. Times are Eastern."
        empty="No check has run yet."
        columns={{ time: 'Time', what: 'Compared', found: 'Result' }}
        rows={checks.map((cells) => ({ id: cells.time, cells }))}
      />
      <TablePanel
        id="reports"
        title="Browser reports"
        note="Blocked by the Content Security Policy, such as scripts from browser extensions."
        empty="No reports."
        columns={{ page: 'Page', directive: 'Rule', blocked: 'Blocked', count: 'Reports', last: 'Last' }}
        rows={reports.map(({ id, ...cells }) => ({ id, cells }))}
      />
    </>
  )
}

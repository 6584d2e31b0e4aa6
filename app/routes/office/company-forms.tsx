/** What staff set about a company. */
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { Options } from './options.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'

type Reply = { reply: FormReply | undefined }

const decisionWords = {
  approve: 'Approve',
  refuse: 'Refuse',
  close: 'Close this company',
} as const

export function DecisionForm({ decisions, reply }: Reply & { decisions: readonly (keyof typeof decisionWords)[] }) {
  return (
    <Panel id="decide" title="Decision" isOpen={decisions.includes('refuse')}>
      <PanelBody>
        <form method="post" className="stack">
          <ErrorSummary reply={reply} />
          <input type="hidden" name="intent" value="decide" />
          <p className="office-note">
            {decisions.includes('close')
              ? 'Its members lose its prices and terms. Open invoices stay due.'
              : 'Its owners are emailed. Approved, its members get the prices of their kind.'}
          </p>
          <p className="row">
            {decisions.map((decision) => (
              <button
                key={decision}
                className={decision === 'approve' ? 'btn primary' : 'btn stop'}
                name="decision"
                value={decision}
              >
                {decisionWords[decision]}
              </button>
            ))}
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}

/** The net terms of a company: our own, and those it has at Resolve. */
export function TermsForms({
  company: { terms, resolveCustomerId },
  hasResolve,
  replyTo,
}: {
  company: { terms: { days: string; limit: string } | null; resolveCustomerId: string | null }
  hasResolve: boolean
  replyTo(intent: string): FormReply | undefined
}) {
  return (
    <>
      <TermsForm terms={terms} reply={replyTo('terms')} />
      {hasResolve ? <ResolveForm customerId={resolveCustomerId} reply={replyTo('resolve')} /> : null}
    </>
  )
}

function TermsForm({ terms, reply }: Reply & { terms: { days: string; limit: string } | null }) {
  return (
    <Panel id="terms" title="Net terms">
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={{ days: 'Days', limit: 'Credit limit' }} />
          <Field
            name="days"
            label="Days to pay"
            reply={reply}
            value={terms?.days}
            inputMode="numeric"
            maxLength={3}
            hint="Empty: the company pays when it orders."
          />
          <Field
            name="limit"
            label="Credit limit in dollars"
            reply={reply}
            value={terms?.limit}
            inputMode="decimal"
            maxLength={20}
          />
          <p>
            <button className="btn" name="intent" value="terms">
              Save terms
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}

/** The link to the company's customer at Resolve, which then grants it net terms. */
function ResolveForm({ customerId, reply }: Reply & { customerId: string | null }) {
  return (
    <Panel id="resolve" title="Resolve" note={customerId === null ? 'Not linked' : 'Linked'}>
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={{ customer: 'Customer ID' }} />
          <Field
            name="customer"
            label="Customer ID at Resolve"
            reply={reply}
            value={customerId ?? ''}
            maxLength={64}
            autoComplete="off"
            hint="With it, its buyers may pay on Resolve’s net terms. Empty: they may not."
          />
          <p>
            <button className="btn" name="intent" value="resolve">
              Save customer ID
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}

export function PriceListForm({
  company: { list, lists },
  reply,
}: Reply & { company: { list: string; lists: Readonly<Record<string, string>> } }) {
  return (
    <Panel id="prices" title="Price list" note={list === '' ? 'No list of its own' : lists[list]}>
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={{ list: 'Price list' }} />
          <SelectField name="list" label="Its members buy by" reply={reply} value={list}>
            <Options of={lists} />
          </SelectField>
          <p>
            <button className="btn" name="intent" value="price-list">
              Save price list
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}

export function DomainForm({ reply }: Reply) {
  return (
    <Panel id="domains" title="Email domain">
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={{ domain: 'Domain', role: 'Role' }} />
          <Field
            name="domain"
            label="Domain"
            reply={reply}
            maxLength={253}
            autoComplete="off"
            hint="Anyone with a verified email there may join by themselves."
          />
          <SelectField name="role" label="They join as" reply={reply} value="buyer">
            <option value="buyer">Buyer</option>
            <option value="viewer">Viewer</option>
          </SelectField>
          <p>
            <button className="btn" name="intent" value="domain">
              Add domain
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}

/** Whether the company's orders and jobs need a fleet packet. */
export function FleetPacketsForm({ hasFleetPackets, reply }: Reply & { hasFleetPackets: boolean }) {
  return (
    <Panel id="fleet-packets" title="Fleet packets" note={hasFleetPackets ? 'Needed' : 'Not needed'}>
      <PanelBody>
        <form method="post" className="stack">
          <ErrorSummary reply={reply} />
          <p className="office-note">
            Its orders need a PO number. Shops finish its jobs with unit, driver, VIN, plate and state, mileage, and
            every tire’s TIN. Orders placed before stay as they are.
          </p>
          <label className="row">
            <input type="checkbox" name="packets" value="yes" defaultChecked={hasFleetPackets} /> Its orders need a
            fleet packet
          </label>
          <p>
            <button className="btn" name="intent" value="fleet-packets">
              Save
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}

export function BrandsForm({ brands, reply }: Reply & { brands: readonly string[] | null }) {
  return (
    <Panel id="brand-range" title="Brands" note={brands ? brands.join(', ') : 'All brands'}>
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={{ brands: 'Brands' }} />
          <Field
            name="brands"
            label="Brands it may buy"
            reply={reply}
            value={brands?.map((brand) => brand.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')).join(', ')}
            maxLength={2_000}
            autoComplete="off"
            hint="As in their addresses, separated by commas. Empty: all brands."
          />
          <p>
            <button className="btn" name="intent" value="brands">
              Save brands
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}

/** The panels of a company's purchasing system. */
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import type { OfficePurchasing } from '#app/views/office-purchasing.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { channelNames, purchasingChannels } from '#domain/purchasing/purchasing.ts'
import { Options } from './options.tsx'

type Reply = { reply: FormReply | undefined }

const labels = {
  channel: 'Who buys',
  domain: 'From domain',
  identity: 'From identity',
  url: 'Address for our documents',
  secret: 'Secret that they carry',
  billName: 'Billed to',
  billStreet: 'Street',
  billCity: 'City',
  billState: 'State',
  billZip: 'ZIP',
  phone: 'Phone',
  email: 'Email',
} as const

/** Who it is, where our documents go, and who is billed. */
export function SystemForm({ values, reply }: Reply & { values: OfficePurchasing['values'] }) {
  const field = (
    name: Exclude<keyof typeof labels, 'channel' | 'secret'>,
    more: { maxLength: number; hint?: string },
  ) => (
    <Field name={name} label={labels[name]} reply={reply} value={values?.[name] ?? ''} autoComplete="off" {...more} />
  )
  return (
    <Panel id="system" title="System" note={values === null ? 'Not set' : null}>
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={labels} />
          <div className="office-pair">
            <SelectField name="channel" label={labels.channel} reply={reply} value={values?.channel ?? 'procurement'}>
              <Options of={Object.fromEntries(purchasingChannels.map((each) => [each, channelNames[each]]))} />
            </SelectField>
            {field('email', { maxLength: 254, hint: 'Gets the emails about its orders.' })}
            {field('domain', { maxLength: 60, hint: 'As its documents say in From, such as DUNS or NetworkId.' })}
            {field('identity', { maxLength: 100 })}
            {field('url', {
              maxLength: 500,
              hint: 'For confirmations, ship notices and invoices. Empty: none are sent.',
            })}
            <Field
              name="secret"
              label={labels.secret}
              reply={reply}
              type="password"
              autoComplete="off"
              maxLength={200}
              hint="Given to us by its operator. Empty: it stays as it is."
            />
            {field('billName', { maxLength: 60 })}
            {field('billStreet', { maxLength: 100 })}
            {field('billCity', { maxLength: 60 })}
            {field('billState', { maxLength: 2 })}
            {field('billZip', { maxLength: 10 })}
            {field('phone', { maxLength: 20 })}
          </div>
          <p>
            <button className="btn" name="intent" value="system">
              Save system
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}

/** The secrets that it sends us: each is shown once, when it is issued. */
export function SecretForm({
  purchasing: { secrets },
  mayIssue,
  reply,
}: Reply & { purchasing: OfficePurchasing; mayIssue: boolean }) {
  return (
    <Panel id="secrets" title="Secrets it sends us">
      {secrets.length === 0 ? (
        <PanelBody>
          <p>None issued yet.</p>
        </PanelBody>
      ) : (
        <DataTable
          caption="Secrets"
          columns={[
            { key: 'issued', label: 'Issued', isRowHeader: true },
            { key: 'by', label: 'By' },
            { key: 'ends', label: 'Ends' },
          ]}
          rows={secrets.map(({ issued, by, ends, isOver }, index) => ({
            id: String(index),
            isMuted: isOver,
            cells: { issued, by, ends },
          }))}
        />
      )}
      {mayIssue ? (
        <PanelBody>
          <form method="post" className="stack">
            <ErrorSummary reply={reply} />
            <label className="check">
              <input type="checkbox" name="end" value="1" /> End the others at once
            </label>
            <p>
              <button className="btn" name="intent" value="secret">
                Issue a secret
              </button>
            </p>
          </form>
        </PanelBody>
      ) : null}
    </Panel>
  )
}

export function Received({ purchasing: { received } }: { purchasing: OfficePurchasing }) {
  return (
    <Panel id="received" title="Documents from it" note={received.length >= 25 ? 'The latest 25' : null}>
      {received.length === 0 ? (
        <PanelBody>
          <p>None yet.</p>
        </PanelBody>
      ) : (
        <DataTable
          caption="Documents from it"
          columns={[
            { key: 'at', label: 'Received', isRowHeader: true },
            { key: 'kind', label: 'Kind' },
            { key: 'answer', label: 'Answer' },
          ]}
          rows={received.map(({ id, at, kind, answer, isRefused }) => ({
            id,
            cells: { at, kind, answer: isRefused ? <Tag tone="stop">{answer}</Tag> : answer },
          }))}
        />
      )}
    </Panel>
  )
}

export function Documents({
  purchasing: { documents },
  mayAct,
  reply,
}: Reply & { purchasing: OfficePurchasing; mayAct: boolean }) {
  return (
    <Panel id="documents" title="Documents to it" note={documents.length >= 25 ? 'The latest 25' : null}>
      <ErrorSummary reply={reply} />
      {documents.length === 0 ? (
        <PanelBody>
          <p>None yet.</p>
        </PanelBody>
      ) : (
        <DataTable
          caption="Documents to it"
          columns={[
            { key: 'made', label: 'Made', isRowHeader: true },
            { key: 'name', label: 'Kind' },
            { key: 'order', label: 'Order' },
            { key: 'state', label: 'State' },
            { key: 'act', label: 'Act' },
          ]}
          rows={documents.map(({ id, made, name, order, orderId, state, isDead }) => ({
            id,
            cells: {
              made,
              name,
              order: <a href={officePaths.officeOrder(orderId)}>{order}</a>,
              state: isDead ? <Tag tone="stop">{state}</Tag> : state,
              act: isDead && mayAct ? <SendAgain id={id} /> : null,
            },
          }))}
        />
      )}
    </Panel>
  )
}

function SendAgain({ id }: { id: string }) {
  return (
    <form method="post">
      <input type="hidden" name="document" value={id} />
      <button className="btn small" name="intent" value="again">
        Send again
      </button>
    </form>
  )
}

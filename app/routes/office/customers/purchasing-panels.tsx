/** The panels of a company's purchasing system. */
import type { FormReply } from '#app/forms/form.ts'
import { button, FormPanel, OfficeForm, RowForm } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import type { OfficePurchasing } from '#app/views/office/purchasing.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { channelNames } from '#domain/channels/purchasing/purchasing.ts'

type Props = { purchasing: OfficePurchasing; reply: FormReply | undefined }

/** Who it is, where our documents go, and who is billed. */
export function SystemForm({ values, reply }: Pick<Props, 'reply'> & Pick<OfficePurchasing, 'values'>) {
  return (
    <FormPanel
      id="system"
      title="System"
      lead={values === null ? 'Not set up' : null}
      isPair
      reply={reply}
      fields={{
        channel: {
          label: 'Buyer type',
          kind: 'choice',
          value: values?.channel ?? 'procurement',
          options: Object.entries(channelNames),
        },
        email: { label: 'Email', max: 254, value: values?.email, hint: 'Receives the emails about its orders.' },
        domain: {
          label: 'From domain',
          max: 60,
          value: values?.domain,
          hint: 'As in the From element of its documents, such as DUNS or NetworkId.',
        },
        identity: { label: 'From identity', max: 100, value: values?.identity },
        url: {
          label: 'Address for our documents',
          max: 500,
          value: values?.url,
          isOptional: true,
          hint: 'For confirmations, ship notices and invoices. Leave blank to turn these off.',
        },
        secret: {
          label: 'Shared secret in our documents',
          kind: 'password',
          max: 200,
          isOptional: true,
          hint: 'From its operator. Leave empty to keep the current one.',
        },
        billName: { label: 'Bill to', max: 60, value: values?.billName },
        billStreet: { label: 'Street', max: 100, value: values?.billStreet },
        billCity: { label: 'City', max: 60, value: values?.billCity },
        billState: { label: 'State', max: 2, value: values?.billState },
        billZip: { label: 'ZIP', max: 10, value: values?.billZip },
        phone: { label: 'Phone', max: 20, value: values?.phone },
      }}
      buttons={[button('system', 'Save system')]}
    />
  )
}

/** Renders the company's secrets. Each is shown once, when issued. */
export function SecretForm({ purchasing: { secrets }, mayIssue, reply }: Props & { mayIssue: boolean }) {
  return (
    <TablePanel
      id="secrets"
      title="Secrets it sends us"
      caption="Secrets"
      empty="No secrets issued yet."
      columns={{ issued: 'Issued', by: 'By', ends: 'Expires' }}
      rows={secrets.map(({ isOver, ...cells }, index) => ({ id: String(index), isMuted: isOver, cells }))}
    >
      {mayIssue ? (
        <PanelBody>
          <OfficeForm
            reply={reply}
            fields={{ end: { label: 'Revoke the other secrets immediately', kind: 'tick' } }}
            buttons={[button('secret', 'Issue a secret')]}
          />
        </PanelBody>
      ) : null}
    </TablePanel>
  )
}

export function Received({ purchasing: { received } }: Pick<Props, 'purchasing'>) {
  return (
    <TablePanel
      id="received"
      title="Documents received"
      note={received.length >= 25 ? 'The latest 25' : null}
      empty="No documents yet."
      columns={{ at: 'Received', kind: 'Kind', answer: 'Answer' }}
      rows={received.map(({ id, at, kind, answer, isRefused }) => ({
        id,
        cells: { at, kind, answer: isRefused ? <Tag tone="stop">{answer}</Tag> : answer },
      }))}
    />
  )
}

export function Documents({ purchasing: { documents }, mayAct, reply }: Props & { mayAct: boolean }) {
  return (
    <TablePanel
      id="documents"
      title="Documents sent"
      note={documents.length >= 25 ? 'The latest 25' : null}
      empty="No documents yet."
      columns={{ made: 'Created', name: 'Kind', order: 'Order', state: 'State', act: 'Retry' }}
      rows={documents.map(({ id, made, name, order, orderId, state, isDead }) => ({
        id,
        cells: {
          made,
          name,
          order: <a href={officePaths.officeOrder(orderId)}>{order}</a>,
          state: isDead ? <Tag tone="stop">{state}</Tag> : state,
          act:
            isDead && mayAct ? (
              <RowForm about={{ document: id }} reply={reply} buttons={[button('again', 'Send again')]} />
            ) : null,
        },
      }))}
    />
  )
}

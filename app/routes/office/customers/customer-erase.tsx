import { erasureActions } from '#app/office/actions/customers.server.ts'
import { decideActions, found, press } from '#app/office/decision.server.ts'
import { FactsPanel, FreshSignInNotice } from '#app/office/decision.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { isFresh, requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { findPerson, nameOf } from '#app/views/office/customer.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { decideErasure } from '#domain/operations/personal-data/personal-data.server.ts'
import { findErasure } from '#domain/customers/customers/customers.server.ts'
import { maxErasureReason } from '#domain/customers/customers/customers.ts'
import { countOf } from '#platform/count-text.ts'
import { storeDateText } from '#platform/store-zone.ts'
import type { Route } from './+types/customer-erase.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Erase a customer', officePaths.officeCustomers())

/** Erases a customer after one staff member requests it and another confirms it. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'customers.manage', officePaths.officeCustomerErase(params.id))
  const { app, actor } = staff
  const person = found(await findPerson(app, params.id))
  const { id } = found(person.customer)
  const erasure = await findErasure(app.db, id)
  return {
    id,
    name: nameOf(person),
    path: officePaths.officeCustomer(id),
    isFresh: isFresh(staff),
    request: erasure
      ? {
          isOwn: erasure.requestedBy === actor.name,
          facts: [
            ['Requested', `${storeDateText(erasure.requestedAt)} by ${erasure.requestedBy}`],
            ['Reason', erasure.reason],
          ] as const,
        }
      : null,
  }
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => (done ? officePaths.officeCustomer(id, done) : officePaths.officeCustomerErase(id)),
      signsInAgain: true,
      done: { request: 'requested' },
      more: {
        steps: ({ app, by }) => ({
          erase: press(() => decideErasure(app, by, { id, isApproved: true }), 'erased'),
          decline: press(() => decideErasure(app, by, { id, isApproved: false }), 'declined'),
        }),
        refusals: {
          'customer-not-found': null,
          'own-request': 'Another manager or owner must confirm this.',
          'orders-open': ({ count }) =>
            `This customer has ${countOf(count, 'open order')}. Erase them once all orders are finished.`,
        },
      },
    },
    erasureActions,
  )
}

export default function EraseCustomer({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { id, name, path, isFresh: isRecent, request } = loaderData
  return (
    <OfficePage
      title={`Erase ${name}`}
      crumbs={[
        { label: 'Customers', path: officePaths.officeCustomers() },
        { label: name, path },
      ]}
      reply={reply}
    >
      <FreshSignInNotice
        isFresh={isRecent}
        title="Erasing needs a recent sign-in"
        back={officePaths.officeCustomerErase(id)}
      />
      <Panel id="what" title="Data to erase">
        <PanelBody>
          <ul className="office-bullets">
            <li>Accounts with their vehicles, addresses, saved cards and store credit are deleted.</li>
            <li>Messages, emails and notes are deleted. Text messages lose their content.</li>
            <li>Orders keep amounts, taxes and the ZIP without a name, street, email or phone, for tax records.</li>
            <li>Tire registrations stay for recalls, and consent to text messages stays as proof.</li>
            <li>Claims, returns, and reviews stay as sales records.</li>
          </ul>
        </PanelBody>
      </Panel>
      {request ? (
        <>
          <FactsPanel id="request" title="Waiting for a second person" rows={request.facts} />
          <FormPanel
            id="decide"
            title="Decide"
            isOpen
            reply={reply}
            text={
              request.isOwn
                ? 'You requested this. Another manager or owner must confirm it.'
                : 'Erasing can’t be undone.'
            }
            buttons={[
              ...(request.isOwn
                ? []
                : [
                    button('erase', 'Erase customer', 'stop', {
                      ask: {
                        title: `Erase ${name}?`,
                        text: 'This can’t be undone.',
                        answer: 'Erase customer',
                        isStop: true,
                      },
                    }),
                  ]),
              button('decline', request.isOwn ? 'Withdraw request' : 'Decline', 'quiet'),
            ]}
          />
        </>
      ) : (
        <FormPanel
          id="request"
          title="Request erasure"
          isOpen
          reply={reply}
          text="Another manager or owner must confirm before we erase any data."
          fields={{ reason: { kind: 'area', label: 'Reason', max: maxErasureReason, rows: 2 } }}
          buttons={[button('request', 'Request erasure', 'stop')]}
        />
      )}
    </OfficePage>
  )
}

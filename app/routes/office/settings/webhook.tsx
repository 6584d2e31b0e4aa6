import type { FormReply } from '#app/forms/form.ts'
import { webhookActions } from '#app/office/actions/webhooks.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { FactsPanel, FreshSignInNotice } from '#app/office/decision.tsx'
import { idPlace } from '#app/office/define-list.server.ts'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel, OfficeForm, RowForm, type FormFields } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { isFresh, requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Notice, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listStoreDeliveries, type Delivery, type Endpoint } from '#domain/channels/webhooks/webhooks.server.ts'
import {
  boxOf,
  deliveryStateWords,
  endpointStateText,
  mostAttempts,
  resultWords,
  secretOverlapHours,
  storeTypeNames,
  storeTypes,
} from '#domain/channels/webhooks/webhooks.ts'
import { countOf } from '#platform/count-text.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/webhook.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.endpoint ? 'Webhook' : 'New webhook', officePaths.officeWebhooks())

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'webhooks.manage', officePaths.officeWebhook(id))
  const { app } = staff
  const page = id === 'new' ? null : found(await listStoreDeliveries(app, id, idPlace(url.searchParams.get('before'))))
  const types: readonly string[] = page?.endpoint.types ?? storeTypeNames
  return {
    isFresh: isFresh(staff),
    endpoint: page && endpointView(page.endpoint, app.clock.now()),
    boxes: storeTypeNames.map((type) => ({
      name: boxOf(type),
      label: `${storeTypes[type]} (${type})`,
      isTicked: types.includes(type),
    })),
    deliveries: page?.deliveries.map(deliveryView) ?? [],
    hasDead: page?.deliveries.some(({ state }) => state === 'dead') ?? false,
    older: page?.next == null ? null : officePaths.officeWebhook(id, { before: page.next }),
    news: doneNews(url, {
      add: 'Webhook added. Show its secret, and enter it in your system.',
      change: 'Webhook saved.',
      pause: 'Webhook paused. New events become dead letters that you can send later.',
      resume: 'Webhook resumed. Dead letters can be sent again.',
      rotate: `Secret rotated. The previous secret stays valid for ${countOf(secretOverlapHours, 'hour')}.`,
      test: 'Test event sent. Reload the page to see its result.',
      replay: 'Delivery started again.',
      'replay-all': 'Deliveries started again.',
    }),
  }
}

function endpointView(endpoint: Endpoint, now: Temporal.Instant) {
  const { url, pausedBecause, secretShownAt, rotatedAt, createdAt } = endpoint
  const until = rotatedAt?.add({ hours: secretOverlapHours })
  return {
    url,
    state: endpointStateText(endpoint),
    isPaused: pausedBecause !== null,
    isSecretShown: secretShownAt !== null,
    added: timeText(createdAt, storeZone),
    overlap: until && Temporal.Instant.compare(now, until) < 0 ? timeText(until, storeZone) : null,
  }
}

function deliveryView({ id, type, orderId, at, state, attempts, nextAt, ...result }: Delivery) {
  return {
    id,
    event: orderId === null ? type : `${type}, ${orderNumber(orderId)}`,
    at: timeText(at, storeZone),
    state: deliveryStateWords[state],
    isDead: state === 'dead',
    result: [
      resultWords(result),
      attempts > 0 ? `attempt ${attempts} of ${mostAttempts}` : null,
      nextAt && attempts > 0 ? `next ${timeText(nextAt, storeZone)}` : null,
    ]
      .filter((part) => part !== null)
      .join(', '),
  }
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => officePaths.officeWebhook(id, { done }),
      signsInAgain: true,
      done: {
        add: (added) => officePaths.officeWebhook(added, { done: 'add' }),
        change: undefined,
        remove: officePaths.officeWebhooks('removed'),
        show: (_, { secret }) => ({ shown: secret }),
        rotate: undefined,
        pause: undefined,
        resume: undefined,
        test: undefined,
        replay: undefined,
        'replay-all': undefined,
      },
    },
    webhookActions,
  )
}

type Data = Route.ComponentProps['loaderData']

export default function WebhookPage({ loaderData, actionData, params: { id } }: Route.ComponentProps) {
  const { endpoint, boxes, isFresh: mayNow, news } = loaderData
  const reply = actionData?.shown === undefined ? actionData : undefined
  return (
    <DetailPage
      title={endpoint ? 'Webhook' : 'New webhook'}
      crumbs={[{ label: 'Webhooks', path: officePaths.officeWebhooks() }]}
      news={news}
      reply={reply}
      body={
        <>
          {endpoint ? <Deliveries data={loaderData} reply={reply} /> : null}
          {mayNow ? (
            <FormPanel
              id="webhook"
              title="Endpoint"
              reply={reply}
              fields={{
                url: { label: 'URL', value: endpoint?.url, max: 500, hint: 'A public URL that starts with https.' },
                ...boxFields(boxes),
              }}
              buttons={[
                endpoint ? button('change', 'Save', 'primary') : button('add', 'Add the webhook', 'primary'),
                ...(endpoint ? [button('remove', 'Remove', 'stop')] : []),
              ]}
            />
          ) : null}
          <FreshSignInNotice
            isFresh={mayNow}
            title="Changing webhooks requires a recent sign-in"
            back={officePaths.officeWebhook(id)}
          />
        </>
      }
      side={endpoint ? <Side endpoint={endpoint} reply={reply} /> : undefined}
    >
      {actionData?.shown === undefined ? null : (
        <Notice tone="go" title="Secret, shown only once" isNews>
          <code>{actionData.shown}</code>
        </Notice>
      )}
    </DetailPage>
  )
}

function boxFields(boxes: Data['boxes']): FormFields {
  return Object.fromEntries(boxes.map(({ name, ...box }) => [name, { kind: 'tick', ...box } as const] as const))
}

function Side({ endpoint, reply }: { endpoint: NonNullable<Data['endpoint']>; reply: FormReply | undefined }) {
  const { url, state, isPaused, isSecretShown, added, overlap } = endpoint
  return (
    <>
      <FactsPanel
        id="state"
        title="State"
        rows={[
          ['URL', url],
          ['State', state],
          ['Added', added],
        ]}
      >
        <OfficeForm
          reply={reply}
          buttons={
            isPaused
              ? [button('resume', 'Resume')]
              : [button('test', 'Send a test event'), button('pause', 'Pause', 'quiet')]
          }
        />
      </FactsPanel>
      <FormPanel
        id="secret"
        title="Secret"
        reply={reply}
        text={
          isSecretShown
            ? 'The secret was shown once. Rotate it if you lost it.'
            : 'Verifies the signatures of events. It is shown only once.'
        }
        note={overlap === null ? undefined : `The previous secret also signs until ${overlap}.`}
        buttons={[isSecretShown ? button('rotate', 'Rotate the secret') : button('show', 'Show the secret')]}
      />
    </>
  )
}

const columns = {
  event: 'Event',
  at: 'Happened',
  state: 'State',
  result: 'Last try',
  act: 'Send again',
}

function Deliveries({
  data: { deliveries, endpoint, hasDead, older },
  reply,
}: {
  data: Data
  reply: FormReply | undefined
}) {
  const mayReplay = endpoint?.isPaused === false
  return (
    <TablePanel
      id="deliveries"
      title="Deliveries"
      empty="No deliveries yet. Send a test event."
      columns={columns}
      rows={deliveries.map(({ id, isDead, ...cells }) => ({
        id: String(id),
        cells: {
          ...cells,
          act:
            isDead && mayReplay ? (
              <RowForm
                about={{ delivery: id }}
                reply={reply}
                buttons={[button('replay', 'Send again', undefined, { name: `Send ${cells.event} again` })]}
              />
            ) : null,
        },
      }))}
    >
      {(hasDead && mayReplay) || older ? (
        <PanelBody>
          {hasDead && mayReplay ? (
            <OfficeForm reply={reply} buttons={[button('replay-all', 'Send all dead letters again')]} />
          ) : null}
          {older ? (
            <p>
              <a className="btn quiet" href={older}>
                Older deliveries
              </a>
            </p>
          ) : null}
        </PanelBody>
      ) : null}
    </TablePanel>
  )
}

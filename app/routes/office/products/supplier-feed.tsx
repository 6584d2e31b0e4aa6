import type { FormReply } from '#app/forms/form.ts'
import { feedId, supplierFeedActions } from '#app/office/actions/supplier-feeds.server.ts'
import { decideActions, doneNews, found, press } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel, type FormFields } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { kindWords, modeWords, supplierKindWords } from '#app/views/office/import-words.ts'
import { faultText, fetchStates, holdText, scheduleText } from '#app/views/supplier-feed-words.ts'
import { officePaths } from '#content/office-paths.ts'
import { findFeed, subscribeToFeed, type FeedFetch } from '#domain/catalog/supplier-feeds/supplier-feeds.server.ts'
import { nextTime, typedTimes, weekdays } from '#domain/catalog/supplier-feeds/supplier-feeds.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/supplier-feed.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.feed?.name ?? 'New supplier feed', officePaths.officeSupplierFeeds())

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'catalog.read', officePaths.officeSupplierFeed(id))
  const feed = id === 'new' ? null : found(await findFeed(app, feedId(id), session))
  const now = app.clock.now()
  const next = feed?.pausedAt === null ? nextTime(feed, now, storeZone) : undefined
  return {
    feed: feed && {
      ...feed,
      typedTimes: typedTimes(feed.times),
      isPaused: feed.pausedAt !== null,
      schedule: scheduleText(feed),
      next: next ? timeText(next, storeZone) : null,
      fetches: feed.fetches.map((fetch) => historyRow(fetch, feed.maxPricePercent)),
    },
    mayManage: staffCan(session.roles, 'catalog.publish'),
    mayRun: staffCan(session.roles, 'catalog.import'),
    news: doneNews(url, {
      change: 'Feed saved.',
      pause: 'Feed paused.',
      resume: 'Feed resumed. It runs at its next scheduled time.',
      run: 'Run started. Reload the page to see its result.',
      subscribe: 'You’ll get an email when this feed needs attention.',
      unsubscribe: 'You won’t get emails about this feed.',
    }),
  }
}

function historyRow(fetch: FeedFetch, maxPricePercent: number) {
  const { id, dueAt, requestedBy, state, fault, detail, held, runId } = fetch
  return {
    id,
    runId,
    due: timeText(dueAt, storeZone),
    by: requestedBy ?? 'Schedule',
    state: held === null ? fetchStates[state].words : held === 'refused' ? 'Refused' : 'Left to review',
    details: fault ? faultText(fault, detail) : held ? holdText(held, maxPricePercent) : '',
  }
}

export const action = (args: Route.ActionArgs) => {
  const id = feedId(args.params.id)
  return decideActions(
    args,
    {
      id: args.params.id,
      path: (done) => officePaths.officeSupplierFeed(args.params.id, done),
      secrets: ['password', 'privateKey'],
      longest: 16_000,
      done: {
        add: officePaths.officeSupplierFeeds('added'),
        change: 'change',
        pause: 'pause',
        resume: 'resume',
        run: 'run',
      },
      more: {
        steps: ({ app, by, staff }) => ({
          subscribe: press(() => subscribeToFeed(app, by, { ...staff.session, id, isOn: true })),
          unsubscribe: press(() => subscribeToFeed(app, by, { ...staff.session, id, isOn: false })),
        }),
        refusals: supplierFeedActions.refusals,
      },
    },
    supplierFeedActions,
  )
}

type Feed = Route.ComponentProps['loaderData']['feed']

export default function SupplierFeedPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { feed, mayManage, mayRun, news } = loaderData
  return (
    <DetailPage
      title={feed?.name ?? 'New supplier feed'}
      crumbs={[{ label: 'Supplier feeds', path: officePaths.officeSupplierFeeds() }]}
      tags={feed?.isPaused ? <Tag tone="plain">Paused</Tag> : null}
      news={news}
      reply={reply}
      body={
        <>
          {feed ? <History feed={feed} /> : null}
          {mayManage ? <FeedForm feed={feed} reply={reply} /> : null}
        </>
      }
      side={
        feed ? (
          <>
            <FactsPanel
              id="schedule"
              title="Schedule"
              rows={[
                ['Runs', `${feed.schedule} (Eastern Time)`],
                ['Next run', feed.next ?? 'Paused'],
                ['Contents', kindWords[feed.kind]],
                ['Bad rows', modeWords[feed.mode]],
              ]}
            />
            {mayRun ? <Acts feed={feed} mayManage={mayManage} reply={reply} /> : null}
          </>
        ) : undefined
      }
    />
  )
}

function History({ feed }: { feed: NonNullable<Feed> }) {
  return (
    <TablePanel
      id="history"
      title="Runs"
      empty="No runs yet."
      columns={{ due: 'Due', state: 'Result', import: 'Import', by: 'Started by', details: 'Details' }}
      rows={feed.fetches.map(({ id, runId, due, by, state, details }) => ({
        id: String(id),
        cells: {
          due,
          state,
          import: runId === null ? '' : <a href={officePaths.officeImport(runId)}>Import {runId}</a>,
          by,
          details,
        },
      }))}
    />
  )
}

function Acts({
  feed: { version, isPaused, isSubscribed },
  mayManage,
  reply,
}: {
  feed: NonNullable<Feed>
  mayManage: boolean
  reply: FormReply | undefined
}) {
  const hidden = { version }
  return (
    <>
      <FormPanel
        id="run"
        title="Run now"
        reply={reply}
        hidden={hidden}
        text="Fetches and imports the file, even if it hasn’t changed."
        buttons={[button('run', 'Run now')]}
      />
      <FormPanel
        id="emails"
        title="Emails"
        reply={reply}
        past={isSubscribed ? ['subscribe'] : ['unsubscribe']}
        hidden={hidden}
        text={
          isSubscribed
            ? 'You get an email when this feed fails or an import needs review.'
            : 'Get an email when this feed fails or an import needs review.'
        }
        buttons={[isSubscribed ? button('unsubscribe', 'Turn off emails', 'quiet') : button('subscribe', 'Email me')]}
      />
      {mayManage ? (
        <FormPanel
          id="state"
          title={isPaused ? 'Resume' : 'Pause'}
          reply={reply}
          past={isPaused ? ['pause'] : ['resume']}
          hidden={hidden}
          text={
            isPaused ? 'The feed runs again at its next scheduled time.' : 'The feed stops running on its schedule.'
          }
          buttons={[isPaused ? button('resume', 'Resume the feed') : button('pause', 'Pause the feed', 'quiet')]}
        />
      ) : null}
    </>
  )
}

/** What the form of a new feed begins with. */
const blank = {
  name: '',
  kind: 'prices' as const,
  mode: 'all-or-nothing' as const,
  url: '',
  username: null,
  hostKey: null,
  days: [1, 2, 3, 4, 5],
  typedTimes: '06:00',
  maxPricePercent: 20,
  hasSecret: false,
}

type Edited = Pick<NonNullable<Feed>, Exclude<keyof typeof blank, 'kind' | 'mode' | 'username' | 'hostKey'>> &
  Pick<NonNullable<Feed>, 'kind' | 'mode' | 'username' | 'hostKey'>

function FeedForm({ feed, reply }: { feed: Feed; reply: FormReply | undefined }) {
  const edited: Edited = feed ?? blank
  // A reply to another form leaves the days as saved.
  const own = reply && ['add', 'change'].includes(reply.values['intent'] ?? '') ? reply : undefined
  return (
    <FormPanel
      id="feed"
      title="Feed"
      isPair
      isOpen
      reply={reply}
      hidden={{ version: feed?.version ?? 0 }}
      fields={{ ...fileFields(edited), ...loginFields(edited), ...scheduleFields(edited, own) }}
      buttons={[feed ? button('change', 'Save', 'primary') : button('add', 'Add the feed', 'primary')]}
    />
  )
}

function fileFields({ name, kind, mode, url, maxPricePercent }: Edited): FormFields {
  return {
    name: { label: 'Name', value: name, max: 80, hint: 'Such as the supplier and what the file holds.' },
    url: {
      label: 'Address of the file',
      value: url,
      max: 500,
      placeholder: 'https://feeds.example.com/prices.csv',
      hint: 'https:// or sftp://. CSV, optionally packed with gzip.',
    },
    kind: { label: 'Contents', kind: 'choice', options: Object.entries(supplierKindWords), value: kind },
    mode: { label: 'Bad rows', kind: 'choice', options: Object.entries(modeWords), value: mode },
    maxPricePercent: {
      label: 'Changed prices to publish automatically, in percent',
      kind: 'number',
      value: String(maxPricePercent),
      max: 3,
      hint: 'Imports that change a larger share of their prices wait for a person, as do imports with warnings.',
    },
  }
}

function loginFields({ username, hostKey, hasSecret }: Edited): FormFields {
  const hint = hasSecret ? 'Leave empty to keep the current one. Another server or user name needs it again.' : ''
  return {
    username: { label: 'User name', value: username, max: 100, isOptional: true },
    password: { label: 'Password', kind: 'password', max: 200, isOptional: true, hint },
    privateKey: {
      label: 'Private key',
      kind: 'area',
      rows: 3,
      max: 16_000,
      isOptional: true,
      hint: 'For SFTP, instead of a password. OpenSSH or PEM, without a passphrase.',
    },
    hostKey: {
      label: 'Fingerprint of the SFTP server’s key',
      value: hostKey,
      max: 52,
      isOptional: true,
      placeholder: 'SHA256:…',
      hint: 'Ask the supplier. If the server shows another key, we stop sending to it.',
    },
  }
}

const dayLabels = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

function scheduleFields({ days, typedTimes: times }: Edited, reply: FormReply | undefined): FormFields {
  return {
    times: {
      label: 'Times, Eastern Time',
      value: times,
      max: 200,
      placeholder: '06:00, 14:30',
      hint: 'On a 24-hour clock, separated by commas.',
    },
    days: (
      <fieldset className="office-ticks field-wide">
        <legend>Days</legend>
        {weekdays.map((day, index) => (
          <label key={day} className="check">
            <input
              type="checkbox"
              name={day}
              value="1"
              defaultChecked={reply ? reply.values[day] === '1' : days.includes(index + 1)}
            />
            <span>{dayLabels[index]}</span>
          </label>
        ))}
      </fieldset>
    ),
  }
}

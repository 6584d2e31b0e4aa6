import { defineActions, formAction, numberedId, plainAction } from '#app/office/define-actions.server.ts'
import {
  addFeed,
  changeFeed,
  findFeed,
  pauseFeed,
  runFeed,
} from '#domain/catalog/supplier-feeds/supplier-feeds.server.ts'
import { feedForm, feedVersionForm, typedTimes, weekdays } from '#domain/catalog/supplier-feeds/supplier-feeds.ts'

/** Returns the feed number in an address. */
export const feedId = (text: string) => numberedId(text)

export const supplierFeedActions = defineActions({
  resource: 'supplier-feeds',
  noun: 'feed',
  permission: 'catalog.import',
  actions: {
    add: formAction(
      {
        summary: 'Add a supplier feed',
        description:
          'An `sftp://` address needs `username`, `hostKey`, and a `password` or `privateKey`. `times` are in Eastern Time, such as `06:00, 14:30`.',
        permission: 'catalog.publish',
        form: feedForm,
      },
      ({ app, by }, draft) => addFeed(app, by, draft),
      ({ id }) => String(id),
    ),
    change: formAction(
      {
        summary: 'Change a supplier feed',
        description: 'Keeps the password or private key if neither is sent and the server and user name stay.',
        permission: 'catalog.publish',
        form: feedForm,
      },
      ({ app, by, id }, draft) => changeFeed(app, by, feedId(id), draft),
    ),
    pause: formAction(
      { summary: 'Pause a supplier feed', permission: 'catalog.publish', form: feedVersionForm },
      ({ app, by, id }, { version }) => pauseFeed(app, by, { id: feedId(id), version, pauses: true }),
    ),
    resume: formAction(
      { summary: 'Resume a supplier feed', permission: 'catalog.publish', form: feedVersionForm },
      ({ app, by, id }, { version }) => pauseFeed(app, by, { id: feedId(id), version, pauses: false }),
    ),
    run: plainAction(
      { summary: 'Run a supplier feed', description: 'Fetches and imports the file, even if it hasn’t changed.' },
      ({ app, by, id }) => runFeed(app, by, feedId(id)),
    ),
  },
  refusals: {
    gone: null,
    'name-taken': { field: 'name', text: 'Another feed has this name.', status: 409 },
    'secret-missing': { field: 'password', text: 'Enter the password or the private key.' },
    'bad-address': { field: 'url', text: 'This address can’t be used. Use the standard port, or one above 1023.' },
    'not-https': { field: 'url', text: 'Enter an https:// or sftp:// address.' },
    'private-address': { field: 'url', text: 'This address is on a private network.' },
    running: 'This feed is running already. Reload the page to see its result.',
  },
  read: async (app, id) => {
    const feed = await findFeed(app, feedId(id), null)
    if (!feed) return undefined
    const { name, kind, mode, url, username, hostKey, days, times, maxPricePercent, version } = feed
    const scheduled = Object.fromEntries(weekdays.map((day, index) => [day, days.includes(index + 1)]))
    const file = { name, kind, mode, url, username, hostKey }
    return { ...file, ...scheduled, times: typedTimes(times), maxPricePercent, version }
  },
})
